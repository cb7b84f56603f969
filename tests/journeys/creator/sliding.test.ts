import type { Locator, Page } from '@playwright/test';
import { expect, openPhone, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { middleOf, openFingers } from '../support/fingers.ts';
import { becomeDemo, enter, expectDark, expectPainted, type LinkOfApi, makeLink, openDoor } from '../support/steps.ts';

/* A creator on her phone takes a link back by sliding its row aside, and brings it back within a day. */

const hour = 3600;

test('a row that is slid aside revokes its link; for 24 hours the link can be brought back', async ({
  ownApp,
  browser,
}) => {
  test.setTimeout(180_000);
  const own = await openPhone(browser);
  const page = await own.newPage();
  await becomeDemo(page, ownApp);
  const link = await makeLink(page, ownApp.url, { linkName: 'Slid aside' });
  const isRevoked = async () =>
    (await call<LinkOfApi & { isRevoked: boolean }>(page, ownApp.url, 'GET', `/links/${link.id}`)).isRevoked;
  const { phone, viewer } = await openDoor(browser, link.url);
  await enter(viewer, 8);
  await expect(viewer.getByRole('button', { name: 'More' })).toBeVisible();

  await page.goto(`${ownApp.url}/magic-links`);
  const row = page.getByRole('list', { name: 'Magic links' }).getByRole('listitem').filter({ hasText: 'Slid aside' });
  await expect(row).toContainText('looking now', { timeout: 20_000 });
  const verb = row.getByRole('button', { name: 'Revoke', exact: true, includeHidden: true });
  const opened = () => verb.evaluate((button) => Number(getComputedStyle(button).opacity));
  const fingers = await openFingers(page);
  const slide = async (px: number, downPx = 0) => {
    const from = await middleOf(row);
    await fingers.move([[from, { x: from.x - px, y: from.y + downPx }]]);
  };
  await slide(30);
  expect(await opened(), 'a little is not meant').toBe(0);
  await slide(90);
  await expect.poll(opened).toBe(1);
  await slide(-90);
  await expect.poll(opened, 'slid back').toBe(0);
  expect(await isRevoked()).toBe(false);
  expect(new URL(page.url()).pathname, 'a slide opens nothing').toBe('/magic-links');

  await slide(90);
  await expect.poll(opened).toBe(1);
  await fingers.tap(await restOf(verb));
  await expect(viewer.getByRole('heading', { name: 'Access ended' })).toBeVisible({ timeout: 20_000 });
  await expectDark(viewer);
  await expect(row).toContainText('Revoked');
  expect(await isRevoked()).toBe(true);
  await expect(verb, 'what is revoked is not revoked again').toHaveCount(0);

  // Undone where it is said, and the same link works again on the same screen.
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByText('The same link works again.')).toBeVisible();
  await expect(row).toContainText('Active');
  await viewer.reload();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 8);

  // By the keyboard no row slides: from its name the next stop is its menu, which asks first.
  await page.reload();
  await expect(row).toBeVisible();
  await row.getByRole('link', { name: 'Slid aside' }).focus();
  await page.keyboard.press('Shift+Tab');
  await expect(verb, 'what is not to be seen is no stop').not.toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(row.getByRole('button', { name: /^Actions for/ })).toBeFocused();
  expect(await opened()).toBe(0);
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke link' }).click();
  await expect(row).toContainText('Revoked');
  await expect.poll(isRevoked).toBe(true);

  // A minute before the day is over it still comes back; a minute after, it does not.
  await ownApp.turnClock(24 * hour - 60);
  await chooseUndo(page, row);
  await expect(page.getByText('The same link works again.')).toBeVisible();
  await expect.poll(isRevoked).toBe(false);
  await call(page, ownApp.url, 'POST', '/links/revoke', { linkIds: [link.id] });
  await ownApp.turnClock(48 * hour);
  // The pages' clock is the installation's own, which nobody has turned: they still offer it, and say no.
  await page.goto(`${ownApp.url}/magic-links/${link.id}`);
  await page.getByRole('button', { name: 'Undo revoke' }).click();
  await expect(page.getByText('This can no longer be undone.', { exact: false }).first()).toBeVisible();
  await expect(call(page, ownApp.url, 'POST', '/links/undo-revoke', { linkIds: [link.id] })).rejects.toThrow(': 410 ');
  await Promise.all([own.close(), phone.close()]);
});

/** The row's menu offers the way back. */
async function chooseUndo(page: Page, row: Locator): Promise<void> {
  await page.reload();
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Undo revoke' }).click();
}

/** Returns where something has come to rest. */
async function restOf(thing: Locator): Promise<{ x: number; y: number }> {
  let before = '';
  await expect
    .poll(async () => {
      const [was, is] = [before, JSON.stringify(await thing.boundingBox())];
      before = is;
      return was === is;
    })
    .toBe(true);
  return middleOf(thing);
}
