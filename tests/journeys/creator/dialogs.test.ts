import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { drawModules } from '#ui/pictures/qr-modules.ts';
import { refusals } from '#wire/refusals.ts';
import { expect, test } from '../support/app.ts';
import { openNewAlbum } from '../support/calls.ts';
import { drawNoise, slowDown } from '../support/noise.ts';
import { show, visit } from '../support/showing.ts';
import { becomeDemo, makeLink, photosOf } from '../support/steps.ts';

/** What opens over a page of the studio, and what a page becomes while something is chosen or on its way. */
test.setTimeout(300_000);

const folder = mkdtempSync(path.join(tmpdir(), 'pf-shown-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the code for cameras is the code of the address beside it', async ({ page, app }) => {
  await becomeDemo(page, app);
  const link = await makeLink(page, app.url, { linkName: 'Nils', recipientName: 'Nils' });
  await visit(page, app, `/magic-links/${link.id}`, /Nils/);
  await page.getByRole('button', { name: 'QR code' }).click();
  const dialog = page.getByRole('dialog');
  const address = await dialog.getByLabel('Address').inputValue();
  expect(address.startsWith(`${app.url}/view/`), address).toBe(true);
  const { size, path: drawn } = drawModules(address);
  const code = dialog.getByRole('img', { name: /QR code/ });
  await expect(code).toHaveAttribute('viewBox', `0 0 ${size} ${size}`);
  await expect(code.locator('path')).toHaveAttribute('d', drawn);
});

test('the menus and questions around links', async ({ page, app }) => {
  await becomeDemo(page, app);
  await visit(page, app, '/magic-links', 'Magic links');
  await page.getByRole('button', { name: 'Actions for Bob' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await show(page, 'link-menu');
  await page.getByRole('menuitem', { name: 'Revoke…' }).click();
  await expect(page.getByRole('dialog', { name: 'Revoke “Bob”?' })).toBeVisible();
  await show(page, 'link-revoke');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Revoke all links…' }).click();
  await expect(page.getByRole('dialog', { name: 'Revoke all links?' })).toBeVisible();
  await show(page, 'links-revoke-all');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Select Bob' }).click();
  await expect(page.getByText('1 selected')).toBeVisible();
  await show(page, 'links-chosen');
  await page.getByRole('button', { name: 'Extend' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await show(page, 'links-extend');
});

test('photos that are chosen, moved, deleted and brought back; an album that is deleted', async ({ page, app }) => {
  await becomeDemo(page, app);
  await visit(page, app, '/albums', 'Albums');
  await page.getByRole('link', { name: /Golden hour/ }).click();
  await page.getByRole('button', { name: 'Select: Photo 2 of 8' }).click({ force: true });
  const chosen = page.getByRole('toolbar', { name: 'Selected items' });
  await expect(chosen).toBeVisible();
  await show(page, 'album-chosen');
  await chosen.getByRole('button', { name: 'More actions for the selected items' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await show(page, 'album-chosen-menu');
  await page.getByRole('menuitem', { name: 'Move to another album' }).click();
  await expect(page.getByRole('dialog', { name: 'Move 1 photo to…' })).toBeVisible();
  await show(page, 'album-move');
  await page.keyboard.press('Escape');

  await chosen.getByRole('button', { name: 'Delete' }).click();
  await expect(photosOf(page)).toHaveCount(7);
  await page.getByRole('button', { name: 'Deleted items' }).click();
  await expect(page.getByRole('list', { name: 'Deleted items' }).getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  const undo = page.getByRole('button', { name: /^Undo: restore/ });
  await show(page, 'album-deleted-photos', () => undo.evaluate((button) => button.scrollIntoView({ block: 'center' })));
  await undo.click();
  await expect(photosOf(page)).toHaveCount(8);

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('button', { name: 'Delete album' }).click();
  await expect(page.getByRole('dialog', { name: 'Delete “Golden hour”?' })).toBeVisible();
  await show(page, 'album-delete');
});

test("the account's menu, and what ends more than one thing at once", async ({ page, app }) => {
  await becomeDemo(page, app);
  await visit(page, app, '/', /, Ana$/);
  await page.getByRole('button', { name: 'Your account' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await show(page, 'account-menu');
  await visit(page, app, '/profile/security', 'Lock everything');
  await page.getByRole('button', { name: 'Lock everything' }).click();
  await expect(page.getByRole('dialog', { name: 'Lock everything?' })).toBeVisible();
  await show(page, 'lock-everything');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByRole('dialog', { name: 'Sign out everywhere?' })).toBeVisible();
  await show(page, 'sign-out-everywhere');
});

test('files on their way: one that goes, one that is paused, two that are refused', async ({ page, app }) => {
  await becomeDemo(page, app);
  await openNewAlbum(page, app.url, 'On the way');
  const files = ['Morning by the sea.png', 'Evening.png', 'Letter.jpg', 'Garden.png'].map((name) =>
    path.join(folder, name),
  );
  const [going = '', paused = '', broken = '', refused = ''] = files;
  for (const file of [going, paused]) drawNoise(file, 1200);
  for (const file of [broken, refused]) writeFileSync(file, randomBytes(2000));
  // The account has no room for one of them: said by the server's own words.
  const { status, message } = refusals.STORAGE_FULL;
  await page.route('**/files', (route) =>
    route.request().headers()['upload-metadata']?.includes(btoa('Garden.png'))
      ? route.fulfill({ status, json: { code: 'STORAGE_FULL', message } })
      : route.continue(),
  );
  await slowDown(page, 150_000);
  await page.getByLabel('Photos to upload').setInputFiles(files);
  await expect(page.getByRole('button', { name: 'Try again: Garden.png' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Photo 1 of 1: Letter.jpg/ })).toContainText(
    refusals.UNSUPPORTED_MEDIA.message,
  );
  await page.getByRole('button', { name: 'Pause Evening.png' }).click();
  await expect(page.getByRole('listitem', { name: /^Evening.png: Paused/ })).toBeVisible();
  const tile = page.getByRole('listitem', { name: /^Morning by the sea.png: [\d.]+ [KM]?B of/ });
  await expect(tile.getByText(/^[\d.]+ [KM]?B\/s$/)).toBeVisible({ timeout: 20_000 });
  await show(page, 'uploads');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(tile.getByText(/^[\d.]+ [KM]?B\/s$/), 'how fast it goes is said on a phone too').toBeVisible();
});
