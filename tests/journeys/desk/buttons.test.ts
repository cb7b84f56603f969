import { expect, test } from '../support/app.ts';
import { becomeAdministrator } from '../support/desk-tour.ts';
import { show, visit } from '../support/showing.ts';

test.setTimeout(400_000);

test('a switch after whose press the page breaks is told as failing, and a full check says what has passed', async ({
  page,
  app,
}) => {
  await becomeAdministrator(page, app);
  await visit(page, app, '/profile/app', 'App lock');
  await page.evaluate(() => {
    const breakLater = () => {
      setTimeout(() => {
        throw new Error('planted by a journey');
      });
    };
    addEventListener('click', breakLater, { once: true });
  });
  // By its words, as a thumb does.
  const told = page.waitForResponse((answer) => answer.url().includes('logError'));
  await page.getByText('Neutral name and icon', { exact: true }).click();
  await told;

  await visit(page, app, '/admin/audit-buttons', 'Buttons');
  await page.getByRole('combobox', { name: 'Show' }).click();
  await page.getByRole('option', { name: 'Failing' }).click();
  const controls = page.getByRole('list', { name: 'Controls' });
  await expect(controls.getByText('Neutral name and icon')).toBeVisible();
  await expect(controls.getByText('1 failed').first()).toBeVisible();
  await show(page, 'admin-buttons-failing');

  await page.getByRole('combobox', { name: 'Show' }).click();
  await page.getByRole('option', { name: 'All' }).click();
  await page.getByLabel('Search').fill('accounts.confirm');
  const confirming = controls.getByRole('listitem').filter({ hasText: 'Confirm my email' });
  await page.getByRole('button', { name: 'Run all' }).dblclick();
  // The second press of a slow double click is no wish to end it.
  await page.getByRole('button', { name: 'End it' }).click();
  await show(page, 'admin-buttons-running', async () => undefined);
  await expect(page.getByRole('button', { name: 'Run all' })).toBeVisible({ timeout: 300_000 });
  await expect(page.getByText('Green', { exact: true })).toBeVisible();
  await expect(confirming).toContainText(/passed last: (Just now|\d+m ago)/);
  await show(page, 'admin-buttons-passed');
});
