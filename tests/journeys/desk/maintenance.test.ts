import { expect, test } from '../support/app.ts';
import { becomeAdministrator } from '../support/desk-tour.ts';
import { show, visit } from '../support/showing.ts';

test.setTimeout(240_000);

test('maintenance keeps a creator out but for what protects them, and their page comes back by itself', async ({
  page,
  ownApp: app,
  browser,
}) => {
  await app.newCreator(page);
  await visit(page, app, '/albums', 'Albums');
  await page.getByRole('button', { name: 'New Album' }).first().click();
  await page.getByLabel('Name').fill('Golden hour');

  const desk = await (await browser.newContext()).newPage();
  await becomeAdministrator(desk, app);
  await visit(desk, app, '/admin/settings', 'Settings');
  const dialog = desk.getByRole('dialog');
  await desk.getByRole('button', { name: /^Change site.banner/ }).click();
  await dialog.getByLabel('Value').fill('We move to a bigger house until six.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  const change = desk.getByRole('button', { name: /^Change site.maintenance/ });
  await change.click();
  await dialog.getByRole('switch').click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Everybody but administrators is shut out at once')).toBeVisible();
  await show(desk, 'admin-maintenance-asked');
  await dialog.getByRole('button', { name: 'Begin maintenance' }).dblclick();
  await expect(change).toContainText('On');
  await expect(desk.getByText('Maintenance is on.')).toBeVisible();

  // What was typed stays where it is, and says why it was not saved.
  await page.getByRole('button', { name: 'Create album' }).click();
  await expect(page.getByText('We move to a bigger house until six.').first()).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue('Golden hour');
  await page.keyboard.press('Escape');
  await page.goto(`${app.url}/analytics`);
  await expect(page.getByRole('heading', { name: 'Under maintenance' })).toBeVisible();
  await show(page, 'maintenance');
  await page.getByRole('link', { name: 'Lock everything' }).click();
  await expect(page.getByRole('heading', { name: 'Password', exact: true })).toBeVisible();
  await page.goto(`${app.url}/analytics`);
  await expect(page.getByRole('heading', { name: 'Under maintenance' })).toBeVisible();

  await change.click();
  await dialog.getByRole('switch').click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(change).toContainText('Off');
  await expect(page.getByRole('heading', { name: 'Analytics', level: 1 })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('We move to a bigger house until six.')).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText('We move to a bigger house until six.')).toHaveCount(0);
});
