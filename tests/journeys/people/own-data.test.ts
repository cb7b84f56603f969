import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { readZip } from '../../support/read-zip.ts';
import { expect, test } from '../support/app.ts';
import { show } from '../support/showing.ts';

async function deleteAccount(page: Page, password: string): Promise<void> {
  await page.getByRole('button', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await expect(dialog.getByRole('list', { name: 'What happens' })).toContainText('would be erased after 14 days');
  await show(page, 'delete-account');
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByLabel('Type DELETE').fill('delete');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(dialog.getByText('Type DELETE, in capital letters')).toBeVisible();
  await dialog.getByLabel('Type DELETE').fill('DELETE');
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await expect(page.getByText('Sign in before then to keep it.')).toBeVisible();
}

test('an account is deleted, and kept after all by signing in', async ({ page, app }) => {
  test.setTimeout(300_000);
  const { email, password } = await app.newCreator(page);
  await page.goto(`${app.url}/profile/data`);
  await expect(page.getByRole('heading', { name: 'Delete your account' })).toBeVisible();
  await show(page, 'privacy-and-data');
  await deleteAccount(page, password);
  await page.goto(`${app.url}/profile/data`);
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await page.goto(`${app.url}/auth?action=keep`);
  await expect(page.getByText('signing in keeps it')).toBeVisible();
  await show(page, 'sign-in-keeps');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByText('Your account stays, and your links work again.')).toBeVisible();
  await page.goto(`${app.url}/account/data`);
  await expect(page.getByRole('heading', { name: 'Privacy & data' })).toBeVisible();
});

test('an export is asked for, ready, downloaded and opened', async ({ page, app }) => {
  test.setTimeout(300_000);
  const { email, password } = await app.newCreator(page);
  await page.goto(`${app.url}/profile/data`);
  await show(page, 'export-data');
  await page.getByRole('button', { name: 'Request an export' }).click();
  await expect(page.getByText('Your export is being made.')).toBeVisible();
  await show(page, 'export-is-made');
  await expect(page.getByText('Your export is ready')).toBeVisible({ timeout: 60_000 });
  await show(page, 'export-ready');
  await page.getByRole('button', { name: 'Download' }).click();
  const dialog = page.getByRole('dialog', { name: 'Download your data' });
  await dialog.getByLabel('Your password').fill('not the password');
  await dialog.getByRole('button', { name: 'Download' }).click();
  await expect(dialog.getByText("That isn't your password")).toBeVisible();
  await show(page, 'export-password');
  await dialog.getByLabel('Your password').fill(password);
  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^PrivateFans \d{4}-\d\d-\d\d\.zip$/);
  const files = await readZip(await readFile(await saved.path()));
  const [account] = JSON.parse(String(files.get('data/account.json')));
  expect(account.email).toBe(email);
  expect(String(files.get('data/sessions.csv'))).toContain('Chrome');
  await expect(page.getByRole('link', { name: 'Download' })).toBeVisible();
});
