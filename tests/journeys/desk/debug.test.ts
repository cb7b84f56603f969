import { expect, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { becomeAdministrator } from '../support/desk-tour.ts';
import { show, visit } from '../support/showing.ts';

test.setTimeout(240_000);

test('an owner sees what a person was answered, how fast pages are, and has the log say more for a while', async ({
  page,
  ownApp: app,
}) => {
  await becomeAdministrator(page, app);
  const { user } = await call<{ user: { id: string } }>(page, app.url, 'GET', '/me');
  await visit(page, app, '/admin/users', 'People');
  await visit(page, app, '/admin/debug', 'Debug');
  await page.getByLabel('Find what happened').fill(user.id);
  await page.getByRole('button', { name: 'Search' }).click();
  const requests = page.getByRole('list', { name: 'Last requests' });
  await expect(requests.getByRole('link', { name: 'accounts.me' }).first()).toBeVisible();
  await show(page, 'admin-debug-person');
  await requests.getByRole('link', { name: 'accounts.me' }).first().click();
  await expect(page.getByText('Nothing under this id')).toBeVisible();

  await visit(page, app, '/admin/debug', 'Debug');
  await page.getByRole('radio', { name: 'Database' }).check();
  await expect(page.getByRole('list', { name: 'Statements' }).getByRole('listitem').first()).toBeVisible();
  await show(page, 'admin-debug-database');

  // Pages of the studio are measured, on a computer.
  await page.setViewportSize({ width: 1280, height: 800 });
  const taken = page.waitForResponse((answer) => answer.url().endsWith('/api/webhook_events'));
  await visit(page, app, '/', 'Your Albums');
  await taken;
  await expect(async () => {
    await visit(page, app, '/admin/debug', 'Debug');
    await page.getByRole('radio', { name: 'Pages' }).check();
    await expect(page.getByRole('table', { name: '/', exact: true })).toBeVisible({ timeout: 5000 });
  }).toPass({ timeout: 60_000 });
  await show(page, 'admin-debug-pages');

  await page.getByRole('radio', { name: 'Process' }).check();
  await expect(page.getByText('PF_KEYS', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Write details for 15 minutes' }).dblclick();
  await expect(page.getByRole('status').getByText(/^Back to \w+ in 1[45] min/)).toBeVisible();
  await show(page, 'admin-debug-process');
  await page.getByRole('button', { name: 'End it now' }).click();
  await expect(page.getByText(/^Back to/)).toHaveCount(0);
  await visit(page, app, '/admin/audit', 'Audit');
  for (const action of ['log_level.raised', 'log_level.restored', 'requests.looked_at'])
    await expect(page.getByText(action).first()).toBeVisible();
});
