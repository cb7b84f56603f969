import { expect, test } from '../support/app.ts';
import { becomeAdministrator } from '../support/desk-tour.ts';
import { show, visit } from '../support/showing.ts';

test.setTimeout(240_000);

test('a price is changed by typing it twice, and nobody saves over what they have not seen', async ({ page, app }) => {
  await becomeAdministrator(page, app);
  await visit(page, app, '/admin/settings', 'Settings');
  await show(page, 'admin-settings');
  await page.getByLabel('Find a setting').fill('plan price');
  await expect(page.getByRole('button', { name: /^Change / })).toHaveCount(1);
  await page.getByRole('button', { name: /^Change plan.priceCents/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Value').fill('$4000');
  await dialog.getByRole('button', { name: 'Save' }).dblclick();
  await dialog.getByLabel('Type $4,000.00 to confirm').fill('4000');
  await dialog.getByRole('button', { name: 'Change it' }).click();
  await expect(dialog.getByText('takes a whole number from 0 to 99900')).toBeVisible();
  await expect(dialog.getByLabel('Value')).toHaveValue('$4000');

  // Somebody at the command line was faster.
  await app.operate('set', 'plan.priceCents', '450');
  await dialog.getByLabel('Value').fill('4.99');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('$3.99 → $4.99')).toBeVisible();
  await show(page, 'admin-setting-price');
  await dialog.getByLabel('Type $4.99 to confirm').fill('4.89');
  await dialog.getByRole('button', { name: 'Change it' }).click();
  await expect(dialog.getByText('Type $4.99 to confirm').nth(1)).toBeVisible();
  await dialog.getByLabel('Type $4.99 to confirm').fill('4.99');
  await dialog.getByRole('button', { name: 'Change it' }).click();
  await expect(dialog.getByText('Somebody else has changed this setting meanwhile')).toBeVisible();
  await expect(dialog.getByText('In force: $4.50')).toBeVisible();
  await expect(dialog.getByLabel('Value')).toHaveValue('4.99');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('$4.50 → $4.99')).toBeVisible();
  await dialog.getByLabel('Type $4.99 to confirm').fill('4.99');
  await dialog.getByRole('button', { name: 'Change it' }).dblclick();
  await expect(dialog).toHaveCount(0);
  await page.getByRole('radio', { name: 'Changed' }).check();
  await expect(page.getByRole('button', { name: /^Change plan.priceCents/ })).toContainText('$4.99');
  await expect(page.getByText('Default: $3.99')).toBeVisible();
  await app.operate('set', 'plan.priceCents', 'default');
});

test('a switch is turned off and put back to its default', async ({ page, app }) => {
  await becomeAdministrator(page, app);
  await visit(page, app, '/admin/settings', 'Settings');
  const open = page.getByRole('button', { name: /^Change operations.nightlyCheck/ });
  await open.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('switch').click();
  await show(page, 'admin-setting-switch');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(open).toContainText('Off');
  await open.click();
  await dialog.getByRole('button', { name: 'Back to default: On' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(open).toContainText('On');
  await expect(page.getByText(/Last changed by/).first()).toBeVisible();
});

test('a claim is stood up for and withdrawn, and a join link is made, shown once and revoked', async ({
  page,
  app,
  browser,
}) => {
  await becomeAdministrator(page, app);
  await visit(page, app, '/admin/settings/claims', 'Claims');
  const claim = page.getByRole('listitem').filter({ hasText: '5,247 creators' });
  await claim.getByRole('button', { name: 'Confirm' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByText('Say where it can be checked')).toBeVisible();
  await dialog.getByLabel('Where it can be checked').fill('The yearly report, page 4.');
  await dialog.getByRole('button', { name: 'Confirm' }).dblclick();
  await expect(claim.getByText('Confirmed', { exact: true })).toBeVisible();
  await expect(claim.getByText(/The yearly report, page 4\. · checked .* by .* · without an end/)).toBeVisible();
  await show(page, 'admin-claim-confirmed');
  await claim.getByRole('button', { name: 'Withdraw' }).click();
  await dialog.getByRole('button', { name: 'Withdraw' }).click();
  await expect(claim.getByText('Not confirmed')).toBeVisible();

  await visit(page, app, '/admin/settings/invitations', 'Join links');
  await page.getByRole('button', { name: 'New join link' }).click();
  await dialog.getByLabel('Who it is for').fill('Press');
  await dialog.getByLabel('How many can join').fill('0');
  await dialog.getByRole('button', { name: 'Make link' }).click();
  await expect(dialog.getByLabel('How many can join')).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByLabel('How many can join').fill('2');
  await dialog.getByRole('button', { name: 'Make link' }).dblclick();
  const address = (await dialog.getByText(/\/free-join\//).textContent()) ?? '';
  await show(page, 'admin-invitation-made');
  await dialog.getByRole('button', { name: 'Done' }).click();
  const link = page.getByRole('list', { name: 'Join links' }).getByRole('listitem').filter({ hasText: 'Press' });
  await expect(link).toHaveCount(1);
  await expect(link.getByText(/0\sof\s2\splaces\staken/)).toBeVisible();
  const guest = await (await browser.newContext()).newPage();
  expect((await guest.goto(address))?.status()).toBe(200);
  await link.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await expect(link.getByText('Revoked', { exact: true })).toBeVisible();
  expect((await guest.goto(address))?.status()).toBe(410);
  await guest.context().close();
});
