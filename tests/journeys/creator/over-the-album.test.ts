import { writeFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, phoneLook, test } from '../support/app.ts';
import { openNewAlbum } from '../support/calls.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { photosOf } from '../support/steps.ts';

/* What opens over an album, and what is said over it: it closes as phones close things, and is in nobody's way. */

test.setTimeout(240_000);

const names = ['dunes', 'lamp', 'linen'] as const;
const dialogOf = (page: Page) => page.getByRole('dialog');

test('Back closes a photo, the arrows turn to its neighbours, and the way back is one step', async ({
  browser,
  app,
}) => {
  const phone = await browser.newContext(phoneLook);
  const page = await phone.newPage();
  await app.newCreator(page);
  const albumId = await openNewAlbum(page, app.url, 'By the water', pictureFiles(...names));
  const album = new RegExp(`/albums/${albumId}$`);
  await photosOf(page).first().click();
  await expect(dialogOf(page)).toContainText('1 of 3');
  await dialogOf(page).getByRole('button', { name: 'Next' }).click();
  await expect(dialogOf(page)).toContainText('2 of 3');
  await page.keyboard.press('ArrowRight');
  await expect(dialogOf(page)).toContainText('3 of 3');
  await page.keyboard.press('ArrowRight');
  await expect(dialogOf(page), 'there is no fourth').toContainText('3 of 3');
  await dialogOf(page).getByLabel('Caption').fill('Far');
  await page.keyboard.press('ArrowLeft');
  await expect(dialogOf(page), 'what is written into keeps its arrows').toContainText('3 of 3');
  await page.goBack();
  await expect(dialogOf(page)).toHaveCount(0);
  await expect(page).toHaveURL(album);
  await photosOf(page).first().click();
  await dialogOf(page).getByRole('button', { name: 'Close' }).click();
  await expect(dialogOf(page)).toHaveCount(0);
  await expect(page).toHaveURL(album);
  await page.reload();
  await photosOf(page).nth(1).click();
  await page.reload();
  await expect(dialogOf(page), 'a reload finds it again').toContainText('2 of 3');
  await phone.close();
});

test('choosing begins with Select on a phone; what is deleted is counted, can be brought back, and is no longer said elsewhere', async ({
  browser,
  app,
}) => {
  const phone = await browser.newContext(phoneLook);
  const page = await phone.newPage();
  await app.newCreator(page);
  await openNewAlbum(page, app.url, 'By the water', pictureFiles(...names));
  const circles = page.getByRole('button', { name: /^Select: / });
  await expect(circles).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Deleted items' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await expect(circles).toHaveCount(3);
  await photosOf(page).first().click();
  const bar = page.getByRole('toolbar', { name: 'Selected items' });
  await bar.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('link', { name: 'Items 2' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Deleted items' })).toBeVisible();
  await expect(circles).toHaveCount(0);
  const toast = page.getByText('1 photo deleted');
  await expect(toast).toBeVisible();
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await photosOf(page).first().click();
  await expectFree(page, await bar.boundingBox());
  await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
  await expect(toast, 'it leaves with its page').toHaveCount(0);
  await phone.close();
});

test('a file that can never be taken offers no other try, and one that is here already says what came of it', async ({
  page,
  app,
}, info) => {
  await app.newCreator(page);
  await openNewAlbum(page, app.url, 'By the water', pictureFiles('dunes'));
  const letter = info.outputPath('letter.txt');
  writeFileSync(letter, 'Dear reader');
  const picker = page.getByLabel('Photos to upload');
  await picker.setInputFiles(letter);
  await expect(page.getByText("This file type isn't supported")).toBeVisible();
  await expect(page.getByRole('button', { name: /^Try again/ })).toHaveCount(0);
  await picker.setInputFiles(pictureFiles('dunes'));
  await page.getByRole('button', { name: 'Use existing' }).click();
  await expect(page.getByText("It's in this album already")).toBeVisible();
  await expect(page.locator('figure[data-painted]'), 'beside what could not be taken').toHaveCount(1);
  // Nor does a list that is refused, while one that could not be had does.
  for (const [status, tries] of [
    [403, 0],
    [503, 1],
  ] as const) {
    const json = { defined: false, code: 'REFUSED', status, message: 'Not for you, not now.' };
    await page.route('**/rpc/links/list', (route) => route.fulfill({ status, json: { json } }));
    await page.goto(`${app.url}/magic-links`);
    await expect(page.getByText(json.message)).toBeVisible({ timeout: 30_000 });
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(tries);
    await page.unroute('**/rpc/links/list');
  }
});

test('a keyboard comes to the navigation first', async ({ page, app }) => {
  await app.newCreator(page);
  await page.goto(`${app.url}/albums`);
  await expect(page.getByRole('heading', { name: 'Albums', level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Tab');
  const first = page.getByRole('navigation', { name: 'Main' }).getByRole('link').first();
  await expect(first).toBeFocused();
});

/** No toast lies over a box. */
async function expectFree(page: Page, box: { x: number; y: number; width: number; height: number } | null) {
  if (box === null) throw new Error('It is not there.');
  await expect
    .poll(async () => {
      const cards = await page.locator('[data-toast]').all();
      const boxes = await Promise.all(cards.map((card) => card.boundingBox()));
      return boxes.some((card) => card !== null && card.y < box.y + box.height && box.y < card.y + card.height);
    })
    .toBe(false);
}
