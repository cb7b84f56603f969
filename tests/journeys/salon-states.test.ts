import { expect, test } from './house.ts';
import { showSalon } from './showing.ts';
import { becomeDemo, enter, expectDark, expectPainted, makeLink, openDoor } from './steps.ts';

/** The screens that a viewer comes upon seldom. */
test.setTimeout(240_000);
test.afterAll(({ house }) => house.turnClock(0));

test('a link that opens later counts down, and opens', async ({ page, house, browser }) => {
  await becomeDemo(page, house);
  const opensAt = Date.now() + 86_400_000;
  const link = await makeLink(page, house.url, { rules: { notBefore: new Date(opensAt).toISOString() } });
  const { phone, viewer } = await openDoor(browser, link.url);
  await viewer.clock.install();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('heading', { name: /^Opens in / })).toBeVisible();
  await expectDark(viewer);
  await showSalon(viewer, 'not-yet');

  await house.turnClock(86_400);
  await viewer.clock.fastForward(86_400_000);
  await expect(viewer.getByRole('heading', { name: 'Are you 18 or older?' })).toBeVisible();
  await house.turnClock(0);
  await phone.close();
});

test('a second screen is asked to take over, and the first one says so', async ({ page, house, browser }) => {
  await becomeDemo(page, house);
  const link = await makeLink(page, house.url, { rules: { maxViewers: 1, maxConcurrent: 1 } });
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
  await showSalon(second, 'concurrent');
  await second.getByRole('button', { name: 'Continue here' }).click();
  await expectPainted(second, 8);
  await expect(first.getByRole('button', { name: 'Continue here' })).toBeVisible({ timeout: 30_000 });
  await expectDark(first);
  await Promise.all([phone.close(), tablet.close()]);
});

test('five minutes without a touch close the pictures, and a tap brings them back', async ({
  page,
  house,
  browser,
}) => {
  await becomeDemo(page, house);
  const link = await makeLink(page, house.url, {});
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
  await showSalon(viewer, 'still-there');
  await viewer.getByRole('button', { name: 'Open again' }).click();
  await expectPainted(viewer, 8);
  await phone.close();
});

test('a broken line is told beside the pictures, which stay until the right to look ends', async ({
  page,
  house,
  browser,
}) => {
  await becomeDemo(page, house);
  const link = await makeLink(page, house.url, {});
  const { phone, viewer } = await openDoor(browser, link.url);
  await enter(viewer, 8);
  await expect(viewer.getByRole('button', { name: 'More' })).toBeVisible();
  const strip = viewer.getByRole('status').filter({ hasText: 'No connection' });
  await viewer.route('**/api/v1/view/renew', (route) => route.abort());
  await viewer.evaluate(() => dispatchEvent(new Event('online')));
  await expect(strip).toBeVisible();
  await expectPainted(viewer, 8);
  await showSalon(viewer, 'offline');
  await viewer.getByRole('button', { name: 'Photo 2 of 8' }).click();
  await expect(viewer.getByRole('dialog').locator(strip)).toBeVisible();
  await showSalon(viewer, 'offline-photo');

  // The right ends 30 s after the last renewal, and nothing is left of the pictures until the line is back.
  await expect(viewer.locator('canvas[data-painted]')).toHaveCount(0, { timeout: 40_000 });
  await viewer.unroute('**/api/v1/view/renew');
  await viewer.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
  await expect(strip).toBeHidden();
  await expect(viewer.locator('.slide[data-current] canvas.full[data-painted]')).toHaveCount(1, { timeout: 20_000 });
  await phone.close();
});

test('a code is asked for where nothing is told, and a wrong one opens nothing', async ({ house, browser }) => {
  const { phone, viewer } = await openDoor(browser, `${house.url}/view/nobody-has-ever-made-this-1`);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'I have an access code' }).click();
  await expect(viewer.getByLabel('Access code')).toBeFocused();
  await showSalon(viewer, 'gate-code');
  await viewer.getByLabel('Access code').fill('00000 00000');
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('alert')).toHaveText('That code opened nothing. Please check it.');
  await showSalon(viewer, 'gate-code-wrong');
  await phone.close();
});
