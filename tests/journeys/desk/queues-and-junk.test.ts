import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '../support/app.ts';
import { becomeAdministrator } from '../support/desk-tour.ts';
import { show, visit } from '../support/showing.ts';

test.setTimeout(240_000);

test('a queue is paused and goes on, and what must not wait cannot be paused', async ({ page, ownApp: app }) => {
  await becomeAdministrator(page, app);
  await visit(page, app, '/admin/functions', 'Functions');
  const search = page.getByLabel('Search', { exact: true });
  const queues = page.getByRole('list', { name: 'Queues' });
  await search.fill('accounts.tell');
  await expect(queues.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'What to do with accounts.tell' }).click();
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await expect(queues.getByText('Paused', { exact: true })).toBeVisible();
  await show(page, 'admin-functions-paused');
  await visit(page, app, '/admin/nervecheck', 'Nervecheck');
  await expect(page.getByText(/accounts\.tell/)).toBeVisible({ timeout: 20_000 });
  await visit(page, app, '/admin/functions', 'Functions');
  await search.fill('accounts.tell');
  await page.getByRole('button', { name: 'What to do with accounts.tell' }).click();
  await page.getByRole('menuitem', { name: 'Resume' }).click();
  await expect(queues.getByText('Paused', { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'What to do with accounts.tell' }).click();
  await page.getByRole('menuitem', { name: 'Run now' }).click();
  await expect(queues.getByText(/· done/)).toBeVisible({ timeout: 60_000 });

  await search.fill('erase');
  await expect(queues.getByText(/never paused:/).first()).toBeVisible();
  await page.getByRole('radio', { name: 'API' }).check();
  await search.fill('adminFunctions.pause');
  await expect(page.getByText('adminFunctions.pause').first()).toBeVisible();
});

test('a look lists what nothing names, and cleaning removes exactly that', async ({ page, ownApp: app }) => {
  const lost = `media/${randomUUID()}/lost.pfo`;
  const file = path.join(app.dataDir, 'files', lost);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, 'left by a process that ended');
  await becomeAdministrator(page, app);
  await visit(page, app, '/admin/junk', 'Junk');
  const name = 'Stored files that nothing names';
  const kind = page.getByRole('listitem').filter({ hasText: name });
  await page.getByRole('button', { name: `Look for: ${name}` }).click();
  await expect(kind.getByText('1 found')).toBeVisible({ timeout: 60_000 });
  await kind.getByText('The first 1').click();
  await expect(kind.getByText(lost)).toBeVisible();
  await show(page, 'admin-junk-found');
  await page.getByRole('button', { name: `Clean 1: ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clean' }).dblclick();
  await expect(kind.getByText('1 of 1 cleaned, 0 kept: of use again')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: `Look again for: ${name}` }).click();
  await expect(kind.getByText(/^0 found/)).toBeVisible({ timeout: 60_000 });
});
