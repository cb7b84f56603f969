import type { Page } from '@playwright/test';
import { expect, type JourneyApp, test } from '../support/app.ts';
import { openNewAlbum } from '../support/calls.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { signUpByHand } from '../support/signing-up.ts';
import { becomeDemo, makeLink, openDoor, photosOf } from '../support/steps.ts';
import { translatePages } from '../support/translating.ts';
import { walkPages } from '../support/walking.ts';

/* A browser translates each page, which takes every piece of text out of React's hands; the pages are used all the same. */

test.setTimeout(300_000);

const broke = 'Something went wrong on this page';

/** Every page has had its text taken away by now. */
const untilTranslated = (page: Page) => expect(page.locator('font font').first()).toBeAttached();

test('signing up, signing out, a wrong password and the right one', async ({ page, app, context }) => {
  const { lost, broken } = await translatePages(context);
  const { email, password } = await signUpByHand(page, app, () => untilTranslated(page));
  await page.getByRole('button', { name: /Look around/ }).click();
  await expect(page.getByRole('heading', { name: /, Mia$/ })).toBeVisible();
  await page.goto(`${app.url}/profile`);
  await untilTranslated(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto(`${app.url}/auth`);
  await untilTranslated(page);
  for (const [typed, reported] of [
    ['not her password', 'Invalid email or password'],
    [password, /, Mia$/],
  ] as const) {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(typed);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByText(reported).first()).toBeVisible();
  }
  expect([lost, broken]).toEqual([[], []]);
});

test('every page of the studio, and what comes and goes on it', async ({ page, app, context }) => {
  await becomeDemo(page, app);
  const { lost, broken } = await translatePages(context);
  await walkPages(page, app, async (pattern) => {
    await untilTranslated(page);
    await expect(page.getByRole('heading', { name: broke }), pattern).toHaveCount(0);
  });
  await openAlbum(page, app);
  await chooseAndShare(page, app);
  expect([lost, broken]).toEqual([[], []]);
});

test('a link from its door to an open picture and back', async ({ page, app, browser }) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, {
    linkName: 'Kim',
    password: 'violet-harbour',
    rules: { openForMs: 3_600_000 },
  });
  const { phone, viewer } = await openDoor(browser, 'about:blank');
  const { lost, broken } = await translatePages(phone);
  await viewer.goto(link.url);
  await untilTranslated(viewer);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await viewer.getByLabel('Password', { exact: true }).fill('not the password');
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('alert').first()).toBeVisible();
  await viewer.getByLabel('Password', { exact: true }).fill('violet-harbour');
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  const left = viewer.getByRole('timer').first();
  await expect(left).toBeVisible({ timeout: 30_000 });
  const before = await left.textContent();
  await expect.poll(() => left.textContent(), 'its time goes on').not.toBe(before);
  await viewer.getByRole('button', { name: 'Photo 3 of 8' }).click();
  for (const place of [3, 4, 5]) {
    await expect(viewer.getByText(`${place} of 8`, { exact: true })).toBeAttached();
    await viewer.keyboard.press('ArrowRight');
  }
  await expect(viewer.getByText('6 of 8', { exact: true })).toBeAttached();
  const pictures = viewer.getByRole('dialog', { name: 'Pictures' });
  await pictures.getByRole('button', { name: 'Close' }).click();
  await expect(pictures).toBeHidden();
  await viewer.getByRole('button', { name: 'More' }).click();
  await viewer.getByRole('button', { name: 'What the creator can see' }).click();
  await expect(viewer.getByText('Approximate location', { exact: true })).toBeVisible();
  expect([lost, broken]).toEqual([[], []]);
  await phone.close();
});

/** Uploads, opens, captions and deletes a picture, and brings it back. */
async function openAlbum(page: Page, app: JourneyApp): Promise<void> {
  await openNewAlbum(page, app.url, 'By the water', pictureFiles('dunes', 'lamp'));
  await untilTranslated(page);
  await page.getByLabel('Photos to upload').setInputFiles(pictureFiles('linen'));
  // The demo has this one already.
  await page.getByRole('button', { name: 'Upload anyway' }).click();
  await expect(photosOf(page)).toHaveCount(3);
  await photosOf(page).first().click();
  const photo = page.getByRole('dialog', { name: 'Photo' });
  await photo.getByLabel('Caption').fill('The second evening');
  await photo.getByRole('button', { name: 'Save' }).click();
  await expect(photo.getByRole('button', { name: 'Save' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Settings', exact: true }).last().click();
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByRole('button', { name: 'Archive' })).toBeVisible();
}

/** Chooses links and shares one: counts and words that come and go. */
async function chooseAndShare(page: Page, app: JourneyApp): Promise<void> {
  await page.goto(`${app.url}/magic-links`);
  await untilTranslated(page);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Select Bob' }).click();
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select Lena' }).click();
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await page
    .getByRole('link', { name: 'New link' })
    .or(page.getByRole('button', { name: 'New link' }))
    .first()
    .click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.getByRole('button', { name: 'any time' }).click();
  await page
    .getByRole('button', { name: /after it's first opened$/ })
    .first()
    .click();
  await expect(
    page
      .getByRole('dialog')
      .getByText(/^\s*after it's first opened$/)
      .first(),
  ).toBeVisible();
}
