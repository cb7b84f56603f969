import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from '../support/app.ts';
import { becomeAdministrator } from '../support/desk-tour.ts';
import { visit } from '../support/showing.ts';

test.setTimeout(240_000);

test('a store that is gone is seen with what to do, and so is its return', async ({ page, app }) => {
  await becomeAdministrator(page, app);
  await visit(page, app, '/admin/nervecheck', 'Nervecheck');
  const store = page.getByRole('listitem').filter({ hasText: 'Photo and video store' });
  await expect(store.getByText('Well', { exact: true })).toBeVisible();
  const files = path.join(app.dataDir, 'files');
  renameSync(files, `${files}.away`);
  writeFileSync(files, 'no folder');
  await expect(store.getByText('Down', { exact: true })).toBeVisible({ timeout: 60_000 });
  await expect(store.getByText(/See that the disk or bucket is there/)).toBeVisible();
  await expect(page.getByText('Down: Photo and video store.')).toBeVisible();
  // No other part is taken for it.
  await expect(page.getByText('Down', { exact: true })).toHaveCount(1);
  rmSync(files);
  renameSync(`${files}.away`, files);
  await expect(store.getByText('Well', { exact: true })).toBeVisible({ timeout: 60_000 });
});

test('an old entry of the audit log that was changed is named by the check', async ({ page, app }) => {
  await becomeAdministrator(page, app);
  await visit(page, app, '/admin/audit', 'Audit');
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByText('As it was written')).toBeVisible({ timeout: 60_000 });
  const owner = new pg.Client({ host: path.join(app.dataDir, 'pg/run'), port: 5432, user: 'pf', database: 'pf' });
  await owner.connect();
  await owner.query(
    `alter table audit_log disable trigger append_only; alter table audit_log no force row level security`,
  );
  await owner.query(`update audit_log set action = 'test.forged' where id = (select min(id) from audit_log)`);
  await owner.query(`alter table audit_log enable trigger append_only; alter table audit_log force row level security`);
  await owner.end();
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect(page.getByText(/An entry under seal 1 .* was changed\./)).toBeVisible({ timeout: 60_000 });
  await page.getByLabel('Find what was done').fill('test.');
  await page.getByRole('button', { name: 'Search' }).click();
  const forged = page.getByText('test.forged', { exact: true });
  await expect(forged).toBeVisible();
  await page.getByLabel('From').fill('2999-01-01');
  await expect(page.getByText('Nothing was found')).toBeVisible();
  await page.getByLabel('From').fill('2020-01-01');
  await expect(forged).toBeVisible();
  await page.getByLabel('To').fill('2020-12-31');
  await expect(page.getByText('Nothing was found')).toBeVisible();
  await page.getByLabel('To').fill('');
  await expect(forged).toBeVisible();
  await page.getByRole('combobox', { name: 'By whom' }).click();
  await page.getByRole('option', { name: 'Visitors' }).click();
  await expect(page.getByText('Nothing was found')).toBeVisible();
});
