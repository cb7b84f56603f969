import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, openPhone, takePictures, test } from './house.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pf-drawn-'));
const drawn = ['evening', 'petals', 'sea'].map((name) => path.join(folder, `${name}.jpg`));
test.beforeAll(
  () => void execFileSync(process.execPath, ['db/scenes/draw-child.ts', folder, 'evening', 'petals', 'sea']),
);
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** From the end of the setup to an album with ready pictures. */
async function makeAlbum(page: Page, name: string, files: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: /Upload photos/ }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create album' }).click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await page.getByLabel('Photos to upload').setInputFiles([...files]);
  await expect(page.getByRole('button', { name: /^Photo \d+ of/ })).toHaveCount(files.length, { timeout: 30_000 });
  await expect(page.locator('figure[data-painted]')).toHaveCount(files.length, { timeout: 30_000 });
}

test('from sign-up to a look on another phone, watched live and taken back', async ({ page, house, browser }) => {
  await house.newCreator(page);
  await makeAlbum(page, 'Golden hour', drawn);
  await takePictures(page, 'album');
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Share' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await takePictures(page, 'link-sheet');
  await expectAccessible(page);
  const address = await copyLink(page);
  expect(address).toMatch(new RegExp(`^${house.url}/view/[A-Za-z0-9-]{12,}$`));

  const phone = await openPhone(browser);
  const viewer = await phone.newPage();
  await viewer.goto(address);
  await expect(viewer).toHaveTitle(/private album/i);
  await viewer.getByRole('button', { name: 'Open' }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await expect(viewer.locator('canvas[data-painted]')).toHaveCount(3, { timeout: 20_000 });
  await expectAccessible(viewer);
  await viewer.getByRole('button', { name: /Photo 1 of 3/ }).click();
  await expect(viewer.getByText('1 of 3')).toBeVisible();

  await page.goto(`${house.url}/analytics`);
  await expect(page.getByText(/looking now/i).first()).toBeVisible({ timeout: 15_000 });
  await takePictures(page, 'analytics');
  await expectAccessible(page);

  await page.goto(`${house.url}/magic-links`);
  await expect(page.getByText(/looking now/i).first()).toBeVisible();
  await takePictures(page, 'links');
  const revokedAt = await revokeFirstLink(page);
  await expect(viewer.getByText('Access ended')).toBeVisible({ timeout: 2000 });
  expect(Date.now() - revokedAt).toBeLessThan(30_000);
  expect(await viewer.locator('canvas').count()).toBe(0);
  await takePictures(viewer, 'revoked');
  await viewer.reload();
  await viewer.getByRole('button', { name: 'Open' }).click();
  await expect(viewer.getByText('The creator has ended access to this link.')).toBeVisible();
  await phone.close();
});

/** Makes the link of the open sheet and reads what the clipboard got. */
async function copyLink(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(async () =>
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/view/'),
  ).toPass();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** @returns when the confirmation was given, by this machine's clock */
async function revokeFirstLink(page: Page): Promise<number> {
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByRole('menuitem', { name: /Revoke/ }).click();
  const confirm = page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: /Revoke/ });
  if (await confirm.isVisible()) await confirm.click();
  return Date.now();
}
