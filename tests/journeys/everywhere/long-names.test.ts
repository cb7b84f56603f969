import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, type JourneyApp, test } from '../support/app.ts';
import { call, listItems, untilItemsReady, upload } from '../support/calls.ts';
import { expectWhole, untilCalm } from '../support/looking.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { openDoor } from '../support/steps.ts';
import { walkPages } from '../support/walking.ts';

/* Names as long as they may be, without a place to break: nothing is wider than its screen, cut off or over its neighbours. */

test.setTimeout(600_000);

/** So many letters in a row, in capitals, which are wide. */
const word = (length: number, first: string) => `${first}${'WUNDERBARLANG'.repeat(20)}`.slice(0, length);

const screens = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
] as const;

test('every page holds the longest names on a narrow phone, a phone and a computer', async ({ page, app, browser }) => {
  const { link } = await makeLongNames(page, app);
  const { phone, viewer } = await openDoor(browser, link.url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await expect(viewer.locator('#grid canvas[data-painted]')).toHaveCount(2, { timeout: 30_000 });
  for (const size of screens) {
    await page.setViewportSize(size);
    await walkPages(page, app, (pattern) => look(page, pattern));
    await openOver(page, app, link.id);
    await viewer.setViewportSize(size);
    await look(viewer, 'the gallery');
    await viewer.getByRole('button', { name: /^Photo 1 of 2/ }).click();
    await look(viewer, 'an open picture');
    await viewer.keyboard.press('Escape');
  }
  await phone.close();
});

async function look(page: Page, name: string): Promise<void> {
  await untilCalm(page);
  await expectWhole(page, name);
}

/** What opens over the pages and says a name. */
async function openOver(page: Page, { url }: JourneyApp, linkId: string): Promise<void> {
  await page.goto(`${url}/magic-links`);
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await look(page, "a link's menu");
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await look(page, 'before a link is revoked');
  await page.keyboard.press('Escape');
  await page.goto(`${url}/magic-links/${linkId}`);
  await page.getByRole('button', { name: 'QR code' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await look(page, "a link's code");
  await page.goto(`${url}/analytics`);
  await expect(page.getByTestId('map')).toBeVisible();
  await page.getByRole('radio', { name: 'Visits' }).click();
  await expect(page.getByRole('list', { name: 'Visits' })).toBeVisible();
  await look(page, 'visits of everybody');
  await page.goto(`${url}/magic-links?new=1`);
  await expect(page.getByRole('dialog')).toBeVisible();
  await look(page, 'a new link');
  await page.goto(`${url}/albums`);
  await page
    .getByRole('link', { name: /^A?WUNDER|WUNDER/ })
    .first()
    .click();
  // Beside the circle that chooses it and the grip that moves it.
  await page.getByRole('button', { name: /^Photo 1 of 2/ }).click({ position: { x: 20, y: 66 } });
  await expect(page.getByRole('dialog')).toBeVisible();
  await look(page, 'a photo');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
  await page.getByRole('button', { name: 'Delete album' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await look(page, 'before an album is deleted');
}

/** A creator whose every name is as long as it may be. */
async function makeLongNames(page: Page, app: JourneyApp) {
  await app.newCreator(page);
  const post = <T>(method: string, to: string, data: object) => call<T>(page, app.url, method, to, data);
  const profile = {
    displayName: word(40, 'P'),
    handle: word(30, 'h').toLowerCase(),
    country: 'DE',
    timeZone: 'Europe/Berlin',
    bio: word(300, 'B'),
  };
  await post('PATCH', '/profile', profile);
  const { id: albumId } = await post<{ id: string }>('POST', '/albums', {
    name: word(80, 'A'),
    peopleConsent: 'only_me',
  });
  for (const [n, file] of pictureFiles('dunes', 'lamp').entries())
    await upload(page, app.url, { albumId, name: `${word(240, String(n))}.jpg`, bytes: readFileSync(file) });
  await untilItemsReady(page, app.url, albumId, 2);
  await post('PATCH', `/albums/${albumId}`, { description: word(1000, 'D') });
  const items = await listItems(page, app.url, albumId);
  for (const { id } of items) await post('PATCH', `/albums/${albumId}/items/${id}`, { caption: word(140, 'C') });
  const params = { albumIds: [albumId], note: word(200, 'N'), welcomeText: word(300, 'W') };
  const rules = { linkName: word(80, 'L'), recipientName: word(60, 'R'), recipientChannel: 'whatsapp' };
  const link = await post<{ id: string; url: string }>('POST', '/links', { ...params, ...rules });
  await post('POST', '/links', { ...params, linkName: word(80, 'M') });
  return { albumId, link };
}
