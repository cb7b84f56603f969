import type { Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { call, openNewAlbum } from '../support/calls.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show, visit } from '../support/showing.ts';
import { signUp } from '../support/signing-up.ts';
import { becomeDemo } from '../support/steps.ts';

/** What opens in the sheet of a new link, and screens that nearly nobody comes upon. */
test.setTimeout(300_000);

const now = async () => undefined;

test('the cards behind the words of a new link', async ({ page, app }) => {
  await becomeDemo(page, app);
  await visit(page, app, '/magic-links', 'Magic links');
  await page.getByRole('button', { name: 'New link' }).click();
  const sheet = page.getByRole('dialog', { name: 'New link' });
  const words = sheet.locator('p', { hasText: /free to view/ }).getByRole('button');
  await expect(words).toHaveCount(6);
  await show(page, 'link-sheet-any-album', now);
  for (const [word, title, picture] of [
    [words.first(), 'What it shows', 'shows'],
    [words.filter({ hasText: 'someone' }), 'Who is it for?', 'who'],
    [words.filter({ hasText: 'any time' }), 'Viewing time', 'how-long'],
    [words.filter({ hasText: 'anyone' }), 'Who can open it', 'who-gets-in'],
    [sheet.getByRole('button', { name: 'Password' }), 'Password', 'password'],
    [words.last(), 'When it ends', 'end'],
  ] as const) {
    await word.click();
    await expect(page.getByRole('dialog', { name: title })).toBeVisible();
    await show(page, `link-sheet-${picture}`, now);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: title })).toBeHidden();
  }
});

test('a photo that is there already, an album that is archived', async ({ page, app }) => {
  await becomeDemo(page, app);
  await openNewAlbum(page, app.url, 'Put away');
  // The demo's own first photo.
  await page.getByLabel('Photos to upload').setInputFiles(pictureFiles('evening'));
  await expect(page.getByText('You already uploaded this').first()).toBeVisible({ timeout: 30_000 });
  await show(page, 'upload-duplicate');

  const { albums } = await call<{ albums: { id: string; name: string }[] }>(page, app.url, 'GET', '/albums');
  const albumId = albums.find(({ name }) => name === 'Golden hour')?.id;
  await call(page, app.url, 'POST', `/albums/${albumId}/archive`, {});
  await visit(page, app, `/albums/${albumId}/settings`, 'Golden hour');
  const back = page.getByRole('button', { name: 'Restore' });
  await expect(back).toBeVisible();
  await show(page, 'album-archived');
  await back.click();
  await expect(page.getByRole('button', { name: 'Archive' })).toBeVisible();
});

test('an account that is paused, somebody too young, and nobody knows who is here', async ({ page, app }) => {
  await becomeDemo(page, app);
  await answerMe(page, { hasAccess: false, isStopped: true });
  await page.goto(`${app.url}/albums`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible({ timeout: 20_000 });
  await expect(page).toHaveURL(/\/auth$/);
  await show(page, 'account-paused');
  await page.unroute(isMe);

  await page.route(isMe, (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto(`${app.url}/albums`);
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible({ timeout: 30_000 });
  await show(page, 'nobody-known');
  await page.unroute(isMe);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Albums' })).toBeVisible({ timeout: 20_000 });

  await page.context().clearCookies();
  await signUp(page, app, { displayName: 'Kim', before: 'consent' });
  await page.goto(`${app.url}/account/setup`);
  await page.getByLabel('Date of birth').fill(`${new Date().getFullYear() - 16}-01-01`);
  await page.getByRole('checkbox', { name: /only person shown/ }).check();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: "Yes, that's right" }).click();
  await expect(page.getByRole('heading', { name: 'You must be 18 or older' })).toBeVisible();
  await show(page, 'too-young');
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page.getByRole('heading', { name: 'Secure, No-Leak Private Albums' })).toBeVisible();
});

const isMe = (url: URL) => /\/(rpc\/accounts|api\/v1)\/me$|^\/api\/me$/.test(url.pathname);

/** The server's own answer about who is here, with something changed that no button can make. */
const answerMe = (page: Page, changed: object) =>
  page.route(isMe, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    const me = 'json' in body ? { ...body, json: { ...body.json, ...changed } } : { ...body, ...changed };
    await route.fulfill({ response: answer, json: me });
  });
