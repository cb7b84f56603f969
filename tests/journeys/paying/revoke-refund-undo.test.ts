import { expect, openPhone, test } from '../support/app.ts';
import { openShop } from '../support/selling.ts';
import { show, showViewerApp } from '../support/showing.ts';
import { expectPainted } from '../support/steps.ts';

test.setTimeout(240_000);

test('a link that was paid for is revoked, which says what goes back; an undo costs nothing, the end pays back', async ({
  page,
  ownApp,
  browser,
}) => {
  const { url } = ownApp;
  const { id, open, buy } = await openShop(page, ownApp, 1500);
  const phone = await openPhone(browser);
  const viewer = await phone.newPage();
  await buy(viewer, 'bea@example.com');
  await open(viewer);
  await expectPainted(viewer, 1);

  const revoke = async () => {
    await page.goto(`${url}/magic-links/${id}`);
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await expect(page.getByText('1 person paid $15.00 in the last 7 days – it will be refunded.')).toBeVisible();
  };
  await revoke();
  await expect(page.getByRole('switch', { name: 'They broke the rules' })).toBeDisabled();
  await show(page, 'revoke-paid');
  await page.getByRole('button', { name: 'Revoke link' }).click();
  await expect(page.getByRole('button', { name: 'Undo revoke' })).toBeVisible();
  await open(viewer);
  await expect(viewer.getByText('Your refund of $15.00 is on its way.')).toBeVisible();
  await showViewerApp(viewer, 'door-revoked-paid');
  await page.getByRole('button', { name: 'Undo revoke' }).click();
  await expect(page.getByRole('button', { name: 'Revoke', exact: true })).toBeVisible();
  await open(viewer);
  await expectPainted(viewer, 1);

  await revoke();
  await page.getByRole('button', { name: 'Revoke link' }).click();
  await expect(page.getByRole('button', { name: 'Undo revoke' })).toBeVisible();
  await ownApp.turnClock(25 * 3600);
  const { link } = await ownApp.readEmail('bea@example.com', 'Receipt no.');
  await expect(async () => {
    await viewer.goto(link);
    await expect(viewer.getByText('$15.00 refunded')).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 100_000 });
  await show(viewer, 'receipt-refunded');
  await phone.close();
});
