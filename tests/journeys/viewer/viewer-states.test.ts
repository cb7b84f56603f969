import type { Page } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { showViewerApp } from '../support/showing.ts';
import { becomeDemo, enter, expectDark, expectPainted, makeLink, openDoor } from '../support/steps.ts';

/** The screens that a viewer comes upon seldom. */
test.setTimeout(240_000);

test('a link that opens later counts down, and opens', async ({ page, ownApp, browser }) => {
  await becomeDemo(page, ownApp);
  const opensAt = Date.now() + 86_400_000;
  const link = await makeLink(page, ownApp.url, { rules: { notBefore: new Date(opensAt).toISOString() } });
  const { phone, viewer } = await openDoor(browser, link.url);
  await viewer.clock.install();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('heading', { name: /^Opens in / })).toBeVisible();
  await expectDark(viewer);
  await showViewerApp(viewer, 'not-yet');

  await ownApp.turnClock(86_400);
  await viewer.clock.fastForward(86_400_000);
  await expect(viewer.getByRole('heading', { name: 'Are you 18 or older?' })).toBeVisible();
  await phone.close();
});

test('a second screen is asked to take over, and the first one says so', { tag: '@main' }, async ({
  page,
  app,
  browser,
}) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { rules: { maxViewers: 1, maxConcurrent: 1 } });
  const { phone, viewer: first } = await openDoor(browser, link.url);
  await enter(first, 8);
  await first.getByRole('button', { name: 'More' }).click();
  await first.getByRole('button', { name: 'Keep your access' }).click();
  const code = await first.getByText(/^[0-9A-Z]{5} [0-9A-Z]{5}$/).textContent();
  const { phone: tablet, viewer: second } = await openDoor(browser, link.url);
  await second.getByRole('button', { name: 'Open', exact: true }).click();
  await second.getByRole('button', { name: 'Yes' }).click();
  await second.getByRole('button', { name: 'I have an access code' }).click();
  await second.getByLabel('Access code').fill(code ?? '');
  await second.keyboard.press('Enter');
  await expect(second.getByRole('heading', { name: 'Already open on another screen' })).toBeVisible();
  await expectDark(second);
  await showViewerApp(second, 'concurrent');
  await second.getByRole('button', { name: 'Continue here' }).click();
  await expectPainted(second, 8);
  await expect(first.getByRole('button', { name: 'Continue here' })).toBeVisible({ timeout: 30_000 });
  await expectDark(first);
  await Promise.all([phone.close(), tablet.close()]);
});

test('five minutes without a touch close the pictures, and a tap brings them back', async ({ page, app, browser }) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, {});
  const { phone, viewer } = await openDoor(browser, 'about:blank');
  await viewer.clock.install();
  await viewer.goto(link.url);
  await enter(viewer, 8);
  await expect(viewer.getByRole('button', { name: 'More' })).toBeVisible();
  await viewer.clock.fastForward(4 * 60_000);
  await expect(viewer.getByRole('heading', { name: 'Still there?' })).toBeHidden();
  await viewer.clock.fastForward(61_000);
  await expect(viewer.getByRole('heading', { name: 'Still there?' })).toBeVisible();
  await expectDark(viewer);
  await showViewerApp(viewer, 'still-there');
  await viewer.getByRole('button', { name: 'Open again' }).click();
  await expectPainted(viewer, 8);
  await phone.close();
});

test('a broken line is told beside the pictures, which stay until the right to look ends', async ({
  page,
  app,
  browser,
}) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, {});
  const { phone, viewer } = await openDoor(browser, link.url);
  await enter(viewer, 8);
  await expect(viewer.getByRole('button', { name: 'More' })).toBeVisible();
  const strip = viewer.getByRole('status').filter({ hasText: 'No connection' });
  await viewer.route('**/api/v1/view/renew', (route) => route.abort());
  await viewer.evaluate(() => dispatchEvent(new Event('online')));
  await expect(strip).toBeVisible();
  await expectPainted(viewer, 8);
  await showViewerApp(viewer, 'offline');
  await viewer.getByRole('button', { name: 'Photo 2 of 8' }).click();
  await expect(viewer.getByRole('dialog').locator(strip)).toBeVisible();
  await showViewerApp(viewer, 'offline-photo');

  // The right ends 30 s after the last renewal, and nothing is left of the pictures until the line is back.
  await expect(viewer.locator('canvas[data-painted]')).toHaveCount(0, { timeout: 40_000 });
  await viewer.unroute('**/api/v1/view/renew');
  await viewer.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
  await expect(strip).toBeHidden();
  await expect(viewer.locator('.slide[data-current] canvas.full[data-painted]')).toHaveCount(1, { timeout: 20_000 });
  await phone.close();
});

test('a code is asked for where nothing is told, and a wrong one opens nothing', async ({ app, browser }) => {
  const { phone, viewer } = await openDoor(browser, `${app.url}/view/nobody-has-ever-made-this-1`);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'I have an access code' }).click();
  await expect(viewer.getByLabel('Access code')).toBeFocused();
  await showViewerApp(viewer, 'gate-code');
  await viewer.getByLabel('Access code').fill('00000 00000');
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('alert')).toHaveText("That code didn't work. Please check it.");
  await showViewerApp(viewer, 'gate-code-wrong');
  await phone.close();
});

test('what is told to whoever was let in before: over, used up, away for now; and to whoever says no', async ({
  page,
  ownApp,
  browser,
}) => {
  await becomeDemo(page, ownApp);
  const again = async (viewer: Page) => {
    await viewer.reload();
    await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  };
  const expectEnd = async (viewer: Page, title: string, name: string) => {
    await expect(viewer.getByRole('heading', { name: title })).toBeVisible();
    await expectDark(viewer);
    await showViewerApp(viewer, name);
  };

  const young = await openDoor(browser, (await makeLink(page, ownApp.url, {})).url);
  await young.viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await young.viewer.getByRole('button', { name: 'No' }).click();
  await expect(young.viewer.getByText('You can close this page.')).toBeVisible();
  await showViewerApp(young.viewer, 'gate-age-no');
  await young.phone.close();

  const locked = await openDoor(browser, (await makeLink(page, ownApp.url, { password: 'violet-harbour' })).url);
  await locked.viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await locked.viewer.getByRole('button', { name: 'Yes' }).click();
  await locked.viewer.getByLabel('Password', { exact: true }).fill('violet-harbor');
  await locked.viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(locked.viewer.getByText("That's not it. 4 tries left.")).toBeVisible({ timeout: 30_000 });
  await showViewerApp(locked.viewer, 'gate-password-wrong');
  const tryWrong = async () => {
    await locked.viewer.getByLabel('Password', { exact: true }).fill('violet-harbor');
    await locked.viewer.getByRole('button', { name: 'Open', exact: true }).click();
  };
  for (const left of ['3 tries left.', '2 tries left.', '1 try left.']) {
    await tryWrong();
    await expect(locked.viewer.getByText(left)).toBeVisible({ timeout: 30_000 });
  }
  await tryWrong();
  const lockedOut = async () => {
    await expect(locked.viewer.getByRole('heading', { name: /^Try again in \d+ (min|s)$/ })).toBeVisible({
      timeout: 30_000,
    });
    await expect(locked.viewer.getByText('Too many wrong passwords.')).toBeVisible();
    await expect(locked.viewer.getByRole('button', { name: 'Open', exact: true })).toBeHidden();
  };
  await lockedOut();
  await locked.viewer.reload();
  await locked.viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await lockedOut();
  await expectDark(locked.viewer);
  await showViewerApp(locked.viewer, 'gate-password-too-many');
  await locked.phone.close();

  const once = await openDoor(browser, (await makeLink(page, ownApp.url, { rules: { maxVisits: 1 } })).url);
  await enter(once.viewer, 8);
  await ownApp.turnClock(3600);
  await again(once.viewer);
  await expectEnd(once.viewer, 'You have used your one visit', 'used-up');
  await ownApp.turnClock(0);
  await once.phone.close();

  const link = await makeLink(page, ownApp.url, { expiry: { kind: 'after', hours: 24 } });
  const { phone, viewer } = await openDoor(browser, link.url);
  await enter(viewer, 8);
  const { albums } = await call<{ albums: { id: string; name: string }[] }>(page, ownApp.url, 'GET', '/albums');
  const album = `/albums/${albums.find(({ name }) => name === 'Golden hour')?.id}`;
  await call(page, ownApp.url, 'POST', `${album}/archive`, {});
  await again(viewer);
  await expectEnd(viewer, 'Temporarily unavailable', 'unavailable');
  await call(page, ownApp.url, 'POST', `${album}/unarchive`, {});
  await ownApp.turnClock(86_401);
  await again(viewer);
  await expectEnd(viewer, 'This link has expired', 'expired');
  await ownApp.turnClock(0);
  await phone.close();
});

test('what stands behind the three dots', async ({ page, app, browser }) => {
  await becomeDemo(page, app);
  const { phone, viewer } = await openDoor(browser, (await makeLink(page, app.url, {})).url);
  await enter(viewer, 8);
  await viewer.getByRole('button', { name: 'More' }).click();
  await viewer.getByRole('button', { name: 'What the creator can see' }).click();
  await expect(viewer.getByRole('dialog', { name: 'What the creator can see' })).toBeVisible();
  await showViewerApp(viewer, 'more-privacy');
  await viewer.keyboard.press('Escape');
  await viewer.getByRole('button', { name: 'More' }).click();
  await viewer.getByRole('button', { name: 'Keep your access' }).click();
  await expect(viewer.getByText(/^[0-9A-Z]{5} [0-9A-Z]{5}$/)).toBeVisible();
  await showViewerApp(viewer, 'more-access');
  await phone.close();
});

test('a picture is there at once as its thumbnail, then sharp; what stands around it fades and comes back', async ({
  page,
  app,
  browser,
}) => {
  await becomeDemo(page, app);
  const { phone, viewer } = await openDoor(browser, (await makeLink(page, app.url, {})).url);
  const sharp = Promise.withResolvers<void>();
  await viewer.route('**/api/view/leases', async (route) => {
    if (route.request().postData()?.includes('p2048')) await sharp.promise;
    await route.continue();
  });
  await enter(viewer, 8);
  const asked = viewer.waitForRequest((request) => request.postData()?.includes('p2048') ?? false);
  await viewer.getByRole('button', { name: 'Photo 2 of 8' }).tap();
  await asked;
  await expect.poll(() => countColours(viewer), 'the thumbnail, while nothing sharp has come').toBeGreaterThan(20);
  const full = viewer.locator('.slide[data-current] canvas.full[data-painted]');
  await expect(full).toHaveCount(0);
  sharp.resolve();
  await expect(full).toHaveCount(1, { timeout: 20_000 });

  const view = viewer.getByRole('dialog', { name: 'Pictures' });
  const head = view.locator('.chrome.head');
  await expect(view).toHaveAttribute('data-quiet', '');
  await expect(head).toHaveCSS('opacity', '0');
  await viewer.evaluate(noteQuiet);
  await viewer.touchscreen.tap(195, 420);
  await expect(head).toHaveCSS('opacity', '1');
  await expect(view).toHaveAttribute('data-quiet', '');
  await expect(head).toHaveCSS('opacity', '0');
  const [loud = 0, quiet = 0] = await viewer.evaluate(() => (window as unknown as { turns: number[] }).turns);
  expect(quiet - loud, 'two seconds after the tap').toBeGreaterThan(1900);
  await phone.close();
});

/** Returns how many colours the thumbnail of the open picture has, of the points of a grid. */
const countColours = (viewer: Page): Promise<number> =>
  viewer.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.slide[data-current] canvas.under');
    if (canvas === null || canvas.width === 0) return 0;
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
    const colours = new Set<string>();
    for (let at = 0; at < data.length; at += 4 * 97)
      if (data[at + 3] === 255) colours.add(data.slice(at, at + 3).join());
    return colours.size;
  });

/** In the page: when what stands around the picture came back, and when it went again. */
function noteQuiet(): void {
  const turns: number[] = [];
  const view = document.querySelector('dialog.item');
  if (view)
    new MutationObserver(() => turns.push(performance.now())).observe(view, { attributeFilter: ['data-quiet'] });
  Object.assign(window, { turns });
}

test('what breaks in the page of a viewer is told to the operator once, without the address of the link', async ({
  page,
  app,
  browser,
}) => {
  await becomeDemo(page, app);
  const { url } = await makeLink(page, app.url, {});
  const { phone, viewer } = await openDoor(browser, url);
  await enter(viewer, 8);
  await viewer.getByRole('button', { name: 'More' }).waitFor();
  const reported: string[] = [];
  viewer.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/v1/error-logs') reported.push(request.postData() ?? '');
  });
  const answered = viewer.waitForResponse('**/api/v1/error-logs');
  await viewer.evaluate(() => {
    for (let n = 0; n < 2; n++) setTimeout(() => Promise.reject(new Error('a planted fault')));
  });
  expect((await answered).status()).toBe(200);
  expect(reported).toHaveLength(1);
  expect(JSON.parse(reported[0] ?? '')).toMatchObject({
    component: 'viewer',
    message: 'Error: a planted fault',
    url: '/view',
  });
  await phone.close();
});
