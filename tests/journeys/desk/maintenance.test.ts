import { expect, test } from '../support/app.ts';
import { becomeAdministrator } from '../support/desk-tour.ts';
import { show, visit } from '../support/showing.ts';

test.setTimeout(300_000);

test('maintenance shuts everybody out but for what keeps them safe, and pages come back by themselves', async ({
  page,
  app,
  browser,
}) => {
  const phone = await browser.newContext();
  const creator = await phone.newPage();
  await app.newCreator(creator);
  await visit(creator, app, '/profile', 'Profile');
  await creator.getByLabel('Display name').fill('Typed before');

  await becomeAdministrator(page, app);
  await app.operate('set', 'site.banner', 'We move to a larger server until noon.');
  await visit(page, app, '/admin/settings', 'Settings');
  await expect(page.getByRole('status').filter({ hasText: 'We move to a larger server' })).toBeVisible();
  await page.getByRole('button', { name: /^Change site.maintenance/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('switch').click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('open viewer screens close')).toBeVisible();
  await show(page, 'admin-maintenance-question');
  await dialog.getByRole('button', { name: 'Begin maintenance' }).dblclick();
  await expect(page.getByText('Maintenance is on.')).toBeVisible({ timeout: 30_000 });
  await show(page, 'admin-maintenance');

  // Whoever was typing keeps what was typed, and is told.
  await creator.getByRole('button', { name: 'Save' }).first().click();
  await expect(creator.getByText('We move to a larger server until noon.').first()).toBeVisible();
  await expect(creator.getByLabel('Display name')).toHaveValue('Typed before');
  await visit(creator, app, '/albums', 'Under maintenance');
  await show(creator, 'maintenance');
  await creator.getByRole('link', { name: 'Lock everything' }).click();
  await creator.getByRole('button', { name: 'Lock everything' }).click();
  await creator.getByRole('dialog').getByRole('button', { name: /^Lock/ }).click();
  await expect(creator.getByText('Everything is locked')).toBeVisible();
  await visit(creator, app, '/albums', 'Under maintenance');

  // Visitors read it above the public pages, and viewers behind their link.
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`${app.url}/pricing`);
  await expect(visitor.getByText('We move to a larger server until noon.')).toBeVisible();
  await show(visitor, 'maintenance-public');

  await page.getByRole('button', { name: /^Change site.maintenance/ }).click();
  await dialog.getByRole('switch').click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Maintenance is on.')).toHaveCount(0);
  await expect(creator.getByRole('heading', { name: 'Albums' })).toBeVisible({ timeout: 30_000 });
  await creator.getByRole('button', { name: 'Dismiss' }).click();
  await expect(creator.getByText('We move to a larger server')).toHaveCount(0);
  await creator.reload();
  await expect(creator.getByRole('heading', { name: 'Albums' })).toBeVisible();
  await expect(creator.getByText('We move to a larger server')).toHaveCount(0);
  await app.operate('set', 'site.banner', 'default');
});
