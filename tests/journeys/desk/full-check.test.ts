import { expect, test } from '../support/app.ts';
import { becomeAdministrator } from '../support/desk-tour.ts';
import { show, visit } from '../support/showing.ts';

test.setTimeout(400_000);

test('the full check goes through the product with one click, and is there after a reload', async ({ page, app }) => {
  await becomeAdministrator(page, app);
  await visit(page, app, '/admin/test', 'Full check');
  await expect(page).toHaveURL(/\/admin\/fullcheck$/);
  await page.getByRole('button', { name: 'Run the full check' }).click();
  const steps = page.getByRole('list', { name: 'Steps' });
  await expect(steps.getByText('A creator signs up and confirms the address')).toBeVisible({ timeout: 60_000 });
  await page.reload();
  await expect(page.getByRole('button', { name: 'End it' })).toBeVisible();
  await show(page, 'admin-fullcheck-running', async () => undefined);

  await expect(page.getByRole('button', { name: 'Run the full check' })).toBeVisible({ timeout: 300_000 });
  // Runs before may be told of below it.
  await expect(page.getByText('Green', { exact: true }).first()).toBeVisible();
  await expect(steps.getByRole('img', { name: 'Failed' })).toHaveCount(0);
  await show(page, 'admin-fullcheck-green');
});

test('a browser is told what it can do for links, and who it is', async ({ page, app }) => {
  await visit(page, app, '/test-access', 'This browser');
  const parts = page.getByRole('list', { name: 'Parts' });
  await expect(parts.getByRole('img', { name: 'Passed' })).toHaveCount(7, { timeout: 20_000 });
  await show(page, 'test-access');
  await visit(page, app, '/test-auth', 'Session and role');
  await expect(parts.getByRole('img', { name: 'Failed' })).toHaveCount(2);
  await expect(parts.getByText('Nobody is signed in in this browser.')).toBeVisible();
  await visit(page, app, '/test-payment', 'Payments');
  await expect(parts.getByRole('img', { name: 'Passed' })).toHaveCount(4);
  await expect(page.getByText('An owner of this installation can have the test card pay here.')).toBeVisible();
  await becomeAdministrator(page, app);
  await visit(page, app, '/test-auth', 'Session and role');
  await expect(parts.getByRole('img', { name: 'Passed' })).toHaveCount(2);
  await show(page, 'test-auth');
  await visit(page, app, '/test-payment', 'Payments');
  // Twice in a row, as an impatient finger does: it is one run.
  await page.getByRole('button', { name: 'Pay with the test card' }).dblclick();
  await expect(page.getByText('Green', { exact: true })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByRole('list', { name: 'Steps' }).getByRole('img', { name: 'Passed' })).toHaveCount(10);
  await show(page, 'test-payment-green');
});
