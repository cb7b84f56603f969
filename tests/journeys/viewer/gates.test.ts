import type { Page, Route } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { showViewerApp } from '../support/showing.ts';
import { becomeDemo, enter, expectDark, expectPainted, makeLink, openDoor } from '../support/steps.ts';

const neutral = "This link isn't available";

test('a password keeps the door shut until it is right', { tag: '@main' }, async ({ page, app, browser }) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { recipientName: 'Bob', password: 'violet-harbour' });
  const { phone, viewer } = await openDoor(browser, link.url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await expect(viewer.getByRole('heading', { name: 'This album has a password' })).toBeVisible();
  await expectDark(viewer);
  await viewer.getByLabel('Password', { exact: true }).fill('violet-harbor');
  const answer = Promise.withResolvers<void>();
  const held = async (route: Route) => {
    await answer.promise;
    await route.continue();
  };
  await viewer.route('**/api/view/*/open', held, { times: 1 });
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('alert'), 'a slow line is said as such').toHaveText('Opening…');
  answer.resolve();
  await expect(viewer.getByText("That's not it. 4 tries left.")).toBeVisible({ timeout: 30_000 });
  await expect(viewer.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(/4 tries left\.$/);
  await expectDark(viewer);
  await viewer.getByLabel('Password', { exact: true }).fill('violet-harbour');
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 8);
  await expect(viewer.getByRole('heading', { name: 'Ana' })).toBeVisible();

  // Whoever was let in is not asked again.
  await viewer.reload();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 8);
  await phone.close();
});

/** Nothing is wider than the screen, on two widths of phones, however large somebody reads. */
async function expectFits(viewer: Page) {
  for (const width of [390, 320]) {
    await viewer.setViewportSize({ width, height: 844 });
    const widths = await viewer.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
      return [document.documentElement.scrollWidth, innerWidth] as const;
    });
    expect(widths[0], `at ${width} px`).toBeLessThanOrEqual(widths[1]);
  }
}

test('the door and its questions fit on a phone at twice the size of text', async ({ page, app, browser }) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { recipientName: 'Bob', password: 'violet-harbour' });
  const { phone, viewer } = await openDoor(browser, link.url);
  await expectFits(viewer);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('heading', { name: 'Are you 18 or older?' })).toBeVisible();
  await expectFits(viewer);
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await expect(viewer.getByRole('heading', { name: 'This album has a password' })).toBeVisible();
  await expectFits(viewer);
  await viewer.getByLabel('Password', { exact: true }).fill('violet-harbour');
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 8);
  await expectFits(viewer);
  await phone.close();
});

test('whoever says no to the question of age sees nothing and leaves', { tag: '@main' }, async ({
  page,
  app,
  browser,
}) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, {});
  const { phone, viewer } = await openDoor(browser, link.url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('heading', { name: 'Are you 18 or older?' })).toBeVisible();
  await viewer.getByRole('button', { name: 'No' }).click();
  await expect(viewer.getByText('You can close this page.')).toBeVisible();
  await expectDark(viewer);

  // A no is not an answer for ever: the same browser is asked again, and only a yes opens.
  await viewer.reload();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('heading', { name: 'Are you 18 or older?' })).toBeVisible();
  await phone.close();
});

test('a link opens whose letters a messenger has escaped on its way', async ({ page, app, browser }) => {
  await becomeDemo(page, app);
  const { url, slug } = await makeLink(page, app.url, {});
  const escaped = slug.replaceAll(/[\w-]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  const { phone, viewer } = await openDoor(browser, url.replace(slug, escaped));
  await enter(viewer, 8);
  expect(viewer.url()).toContain(escaped);
  await phone.close();
});

test("a slug that is nobody's says nothing that a stranger may not know", async ({ page, app, browser }) => {
  const { phone, viewer } = await openDoor(browser, `${app.url}/view/nobody-has-ever-made-this-1`);
  await expect(viewer).toHaveTitle(/private album/i);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('heading', { name: neutral })).toBeVisible();
  await expect(viewer.getByText('It may have expired or been turned off by its owner.')).toBeVisible();
  await expectDark(viewer);

  // And a link that was ended before this browser ever came reads the same.
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, {});
  const headers = { 'x-csrf-token': 'orpc' };
  await page.request.post(`${app.url}/api/v1/links/revoke`, { headers, data: { linkIds: [link.id] } });
  await viewer.goto(link.url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('heading', { name: neutral })).toBeVisible();
  await phone.close();
});

test('a link ends at its very instant: an open screen closes by itself, and no door opens', async ({
  page,
  ownApp,
  browser,
}) => {
  test.setTimeout(180_000);
  await becomeDemo(page, ownApp);
  const link = await makeLink(page, ownApp.url, { expiry: { kind: 'after', hours: 24 } });
  const endsAt = Date.parse(link.expiresAt ?? '');
  /** Sets the clock of links to so many seconds from the end; it runs on from there. */
  const turnTo = (seconds: number) => ownApp.turnClock((endsAt - Date.now()) / 1000 + seconds);

  await turnTo(-45);
  const { phone, viewer } = await openDoor(browser, link.url);
  await enter(viewer, 8);
  await expect(viewer.getByRole('timer')).toContainText(/0:\d\d/);
  // Nobody turns anything now: the screen itself knows when it ends.
  await expect(viewer.getByRole('heading', { name: 'This link has expired' })).toBeVisible({ timeout: 60_000 });
  await expectDark(viewer);

  await turnTo(-20);
  await viewer.reload();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 8);
  const late = await openDoor(browser, link.url);
  await turnTo(0);
  await late.viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(late.viewer.getByRole('heading', { name: neutral })).toBeVisible();
  await viewer.reload();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  await Promise.all([phone.close(), late.phone.close()]);
});

test('who was let in comes back from another browser with a code, which is asked for where nothing is told', async ({
  page,
  app,
  browser,
}) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { rules: { maxViewers: 1 } });
  const first = await openDoor(browser, link.url);
  await enter(first.viewer, 8);
  await first.viewer.getByRole('button', { name: 'More' }).click();
  await first.viewer.getByRole('button', { name: 'Keep your access' }).click();
  const code = await first.viewer.getByText(/^[0-9A-Z]{5} [0-9A-Z]{5}$/).textContent();

  const { phone, viewer } = await openDoor(browser, link.url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await expect(viewer.getByRole('heading', { name: neutral })).toBeFocused();
  await viewer.getByRole('button', { name: 'I have an access code' }).click();
  await expect(viewer.getByLabel('Access code')).toBeFocused();
  await viewer.keyboard.type('00000-00000');
  await viewer.keyboard.press('Enter');
  await expect(viewer.getByRole('alert')).toHaveText("That code didn't work. Please check it.");
  await expect(viewer.getByRole('heading', { name: neutral })).toBeVisible();
  await viewer.getByLabel('Access code').fill((code ?? '').toLowerCase());
  await viewer.keyboard.press('Enter');
  await expectPainted(viewer, 8);
  await Promise.all([first.phone.close(), phone.close()]);
});

test('where many wrong passwords came from a network, whoever shares it proves an address and comes in', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(180_000);
  await becomeDemo(page, app);
  const { url, slug } = await makeLink(page, app.url, { password: 'violet-harbour' });
  for (let guesser = 0; guesser < 4; guesser++) {
    const context = await browser.newContext();
    for (let n = 0; n < 5; n++)
      await context.request.post(`${app.url}/api/view/${slug}/open`, {
        headers: { 'x-csrf-token': 'orpc' },
        data: { isAdult: true, password: `guess ${n}`, firstScreen: 0 },
      });
    await context.close();
  }

  const { phone, viewer } = await openDoor(browser, url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await expect(viewer.getByRole('heading', { name: 'Confirm your email' })).toBeVisible({ timeout: 30_000 });
  await showViewerApp(viewer, 'gate-email');
  await viewer.getByLabel('Email').fill('no address');
  await viewer.getByRole('button', { name: 'Send code' }).click();
  await expect(viewer.getByLabel('Email'), 'what is no address stays to be mended').toHaveValue('no address');
  await viewer.getByLabel('Email').fill('guest@example.com');
  await viewer.getByRole('button', { name: 'Send code' }).click();
  await expect(viewer.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await showViewerApp(viewer, 'gate-email-code');
  await viewer.getByRole('button', { name: 'Use another email' }).click();
  await expect(viewer.getByLabel('Email')).toBeFocused();

  await viewer.reload();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  const { code } = await app.readEmail('guest@example.com');
  await viewer.getByLabel('6-digit code').fill(code === '000000' ? '000001' : '000000');
  await viewer.getByRole('button', { name: 'Continue' }).click();
  await expect(viewer.getByText("That's not it. 4 tries left.")).toBeVisible();
  await viewer.getByLabel('6-digit code').fill(code);
  await viewer.getByRole('button', { name: 'Continue' }).click();
  await viewer.getByLabel('Password', { exact: true }).fill('violet-harbour');
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 8);
  await phone.close();
});
