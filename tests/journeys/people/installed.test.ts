import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, type JourneyApp, openPhone, test } from '../support/app.ts';
import { call, makeAlbum } from '../support/calls.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show } from '../support/showing.ts';
import { photosOf } from '../support/steps.ts';

test.use({ serviceWorkers: 'allow' });
test.setTimeout(240_000);

/** Opens a page of the studio under its service worker. */
async function openControlled(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

const cachesOf = (page: Page) => page.evaluate(() => caches.keys());

test('the studio can be installed, under its name or a neutral one', async ({ page, app, context }) => {
  await app.newCreator(page);
  await openControlled(page, `${app.url}/profile/app`);
  const cdp = await context.newCDPSession(page);
  expect((await cdp.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([]);
  const readManifest = async () => JSON.parse((await cdp.send('Page.getAppManifest')).data ?? '{}');
  expect(await readManifest()).toMatchObject({ name: 'PrivateFans', display: 'standalone', start_url: '/' });
  await expect(page.getByRole('heading', { name: 'App lock' })).toBeVisible();
  await show(page, 'profile-app');
  await page.getByRole('switch', { name: /Neutral name and icon/ }).click();
  expect(await readManifest()).toMatchObject({ name: 'PF', short_name: 'PF' });
  await page.reload();
  await expect(page.getByRole('switch', { name: /Neutral name and icon/ })).toBeChecked();
  await expect.poll(readManifest).toMatchObject({ name: 'PF' });
  const { icons, shortcuts } = await readManifest();
  for (const address of [...icons, ...shortcuts.flatMap((one: { icons: object[] }) => one.icons)].map(({ src }) => src))
    expect((await page.request.get(`${app.url}${address}`)).headers()['content-type']).toBe('image/png');
  expect(shortcuts.map(({ name }: { name: string }) => name)).toEqual(['New link', 'Upload', 'Lock everything']);
});

test('it opens without a connection and says so, keeps nothing of anybody, and nothing at all after signing out', async ({
  page,
  app,
  context,
}) => {
  await app.newCreator(page);
  const albumId = await makeAlbum(page, app.url, 'Beach', pictureFiles('sea'));
  await openControlled(page, `${app.url}/albums/${albumId}`);
  await expect(photosOf(page)).toHaveCount(1);
  const kept = await page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
    return found;
  });
  expect(kept.filter((address) => address !== '/albums' && !address.startsWith('/assets/'))).toEqual([]);
  expect(kept.length).toBeGreaterThan(5);
  const frame = await page.evaluate(async () => (await caches.match('/albums'))?.text());
  expect(frame).not.toContain('Beach');

  await context.setOffline(true);
  await page.goto(`${app.url}/albums`);
  await expect(page.getByRole('heading', { name: "You're offline" })).toBeVisible();
  await show(page, 'offline');
  // What viewers open is no matter of the studio's worker.
  await expect(page.goto(`${app.url}/view/nobody-has-this`)).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(false);
  await page.goto(`${app.url}/albums`);
  await expect(page.getByRole('link', { name: /Beach/ })).toBeVisible();

  await page.goto(`${app.url}/profile`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByText('Signed out')).toBeVisible();
  await expect.poll(() => cachesOf(page)).toEqual([]);
});

/** Shares a picture as a phone's gallery does: by a form of the browser's own, from the page that is open. */
async function share(page: Page, { url }: JourneyApp, type = 'image/jpeg'): Promise<void> {
  const base64 = readFileSync(pictureFiles('sea')[0] ?? '').toString('base64');
  await page.evaluate(
    ([text, action, kind]) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const given = new DataTransfer();
      given.items.add(new File([bytes], 'Photo 7 ü.jpg', { type: kind }));
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action, enctype: 'multipart/form-data' });
      const input = Object.assign(document.createElement('input'), { type: 'file', name: 'media', multiple: true });
      input.files = given.files;
      form.append(input);
      document.body.append(form);
      form.submit();
    },
    [base64, `${url}/share-target`, type] as const,
  );
}

test('what a gallery shares goes into the album that she chooses', async ({ page, app }) => {
  await app.newCreator(page);
  await makeAlbum(page, app.url, 'Beach');
  await openControlled(page, `${app.url}/albums`);
  await share(page, app);
  const dialog = page.getByRole('dialog', { name: 'Add 1 item' });
  await expect(dialog).toBeVisible();
  await show(page, 'shared-files');
  await dialog.getByRole('button', { name: /Beach/ }).click();
  await expect(photosOf(page)).toHaveCount(1, { timeout: 60_000 });
  await expect(page).toHaveURL(/\/albums\/[\w-]+$/);
  expect(await cachesOf(page)).not.toContain('pf-shared');

  await share(page, app);
  await page.getByRole('dialog', { name: 'Add 1 item' }).getByRole('button', { name: 'New Album' }).click();
  await page.getByLabel('Name').fill('Evening');
  await page.getByRole('button', { name: 'Create album' }).click();
  await expect(page.getByRole('heading', { name: 'Evening', level: 1 })).toBeVisible();
  // The same photo is in the account already: what was shared has come into the new album's list.
  await expect(page.getByText(/Photo 7 ü|already/).first()).toBeVisible();
});

test('nothing is taken from a page of another site, nor what is no photo or video', async ({ page, app }) => {
  await app.newCreator(page);
  await openControlled(page, `${app.url}/albums`);
  const elsewhere = 'http://elsewhere.localhost/';
  await page.route(elsewhere, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><p>A page' }));
  for (const [from, type] of [
    [elsewhere, 'image/jpeg'],
    [`${app.url}/albums`, 'text/html'],
  ] as const) {
    await page.goto(from);
    await Promise.all([page.waitForEvent('load'), share(page, app, type)]);
    await expect(page).toHaveURL(`${app.url}/albums`);
    await expect(page.getByRole('heading', { name: 'Albums', level: 1 })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await cachesOf(page), type).not.toContain('pf-shared');
  }
});

test('what is kept goes when her session has ended elsewhere, but not what is shared just then', async ({
  page,
  app,
  context,
}) => {
  await app.newCreator(page);
  await openControlled(page, `${app.url}/albums`);
  expect(await cachesOf(page)).toContain('pf-program');
  await context.clearCookies();
  await share(page, app);
  // She signs in and goes on with it.
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(await cachesOf(page)).toContain('pf-shared');
  await page.goto(`${app.url}/auth`);
  await expect.poll(() => cachesOf(page)).toEqual([]);
});

test('a phone is shown the way to its home screen, and only its end is done', async ({ page, app, browser }) => {
  const { email, password } = await app.newCreator(page);
  const phone = await openPhone(browser);
  const held = await phone.newPage();
  await call(held, app.url, 'POST', '/sign-in', { email, password });
  await held.goto(app.url);
  const wizard = held.getByRole('region', { name: 'Add to home screen' });
  await expect(wizard).toContainText('Step 1 of 4');
  await expect(wizard.getByRole('button', { name: 'Previous' })).toBeDisabled();
  await show(held, 'home-screen-wizard');
  await wizard.getByRole('button', { name: 'Skip for now' }).click();
  await expect(wizard).toHaveCount(0);
  await held.reload();
  await expect(held.getByRole('heading', { name: 'Your Albums' })).toBeVisible();
  await expect(wizard, 'not again today').toHaveCount(0);
  await held.goto(`${app.url}/profile/app`);
  await held.getByRole('button', { name: 'Show me how' }).click();
  for (let step = 1; step < 4; step++) await wizard.getByRole('button', { name: 'Next' }).click();
  await wizard.getByRole('button', { name: 'Done!' }).click();
  await expect(held.getByRole('status').getByText('You can now use the product like a mobile app!')).toBeVisible();
  const readUser = async () => (await call<{ user: object }>(held, app.url, 'GET', '/me')).user;
  await expect.poll(readUser).toMatchObject({ homeScreenWizardCompleted: true, isHomeScreenDue: false });
  await phone.close();
  // On a computer there is no way.
  await page.goto(app.url);
  await expect(page.getByRole('heading', { name: 'Your Albums' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Add to home screen' })).toHaveCount(0);
});

test('behind the app lock the page holds nothing; the PIN or the password opens it, five wrong tries end the session', async ({
  page,
  app,
}) => {
  const { email, password } = await app.newCreator(page);
  const albumId = await makeAlbum(page, app.url, 'Beach');
  await page.goto(`${app.url}/profile/app`);
  await page.getByLabel('New PIN').fill('258036');
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Turn on app lock' }).click();
  await expect(page.getByRole('button', { name: 'Lock now' })).toBeVisible();
  await show(page, 'app-lock-on');

  await page.goto(`${app.url}/albums/${albumId}`);
  await expect(page.getByRole('heading', { name: 'Beach', level: 1 })).toBeVisible();
  // Out of sight it is covered; in sight again within the minute it stands there as it was.
  const turnAway = (isAway: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isAway);
  await turnAway(true);
  await expect(page.getByRole('heading', { name: 'Beach', level: 1 })).toBeHidden();
  await turnAway(false);
  await expect(page.getByRole('heading', { name: 'Beach', level: 1 })).toBeVisible();

  await call(page, app.url, 'POST', '/app-lock/leave', { lockNow: true });
  for (const address of [`/albums/${albumId}`, '/']) {
    await page.goto(`${app.url}${address}`);
    await expect(page.getByRole('heading', { name: 'Locked' })).toBeVisible();
    expect(await page.content()).not.toContain('Beach');
  }
  await show(page, 'locked');
  await page.getByLabel('PIN').fill('1111');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByText("That isn't your PIN. 4 tries left.")).toBeVisible();
  await page.getByLabel('PIN').fill('258036');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByRole('heading', { name: 'Your Albums' })).toBeVisible();

  await call(page, app.url, 'POST', '/app-lock/leave', { lockNow: true });
  await page.goto(`${app.url}/albums/${albumId}`);
  await page.getByRole('button', { name: 'Forgot your PIN?' }).click();
  await expect(page.getByRole('heading', { name: 'Choose another PIN' })).toBeFocused();
  await page.getByLabel('Your password').fill('not the password');
  await page.getByLabel('New PIN').fill('741963');
  await page.getByRole('button', { name: 'Set PIN and unlock' }).click();
  await expect(page.getByText("That isn't your password. 4 tries left.")).toBeVisible();
  await show(page, 'forgotten-pin');
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Set PIN and unlock' }).click();
  await expect(page.getByRole('heading', { name: 'Beach', level: 1 })).toBeVisible();

  await call(page, app.url, 'POST', '/app-lock/leave', { lockNow: true });
  await page.goto(`${app.url}/albums/${albumId}`);
  await page.getByRole('button', { name: 'Forgot your PIN?' }).click();
  await page.getByRole('button', { name: 'Sign in again instead' }).click();
  await expect(page).toHaveURL(`${app.url}/auth?returnTo=${encodeURIComponent(`/albums/${albumId}`)}`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Beach', level: 1 })).toBeVisible();

  await call(page, app.url, 'POST', '/app-lock/leave', { lockNow: true });
  await page.goto(`${app.url}/albums/${albumId}`);
  for (let n = 0; n < 5; n++) {
    await page.getByLabel('PIN').fill('1111');
    await page.getByRole('button', { name: 'Unlock' }).click();
    if (n < 4) await expect(page.getByText(`${4 - n} ${n === 3 ? 'try' : 'tries'} left`)).toBeVisible();
  }
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await expect(page.getByText('Too many wrong PINs.')).toBeVisible();
});
