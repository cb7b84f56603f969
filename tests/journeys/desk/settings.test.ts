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
