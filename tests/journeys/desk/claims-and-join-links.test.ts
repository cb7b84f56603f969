import { expect, test } from '../support/app.ts';
import { becomeAdministrator } from '../support/desk-tour.ts';
import { show, visit } from '../support/showing.ts';

test.setTimeout(240_000);

test('a claim is confirmed and withdrawn, a join link is made once, copied and revoked', async ({ page, app }) => {
  await becomeAdministrator(page, app);
  await visit(page, app, '/admin/settings/claims', 'Claims');
  const claim = page.getByRole('listitem').filter({ hasText: '2,500+ albums' });
  await claim.getByRole('button', { name: 'Confirm' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog.getByText('Say where it can be checked')).toBeVisible();
  await dialog.getByLabel('Where it can be checked').fill('W'.repeat(80));
  await show(page, 'admin-claim-confirm');
  await dialog.getByRole('button', { name: 'Confirm' }).dblclick();
  await expect(claim.getByText('Confirmed', { exact: true })).toBeVisible();
  await show(page, 'admin-claims');
  await claim.getByRole('button', { name: 'Withdraw' }).click();
  await dialog.getByRole('button', { name: 'Withdraw' }).dblclick();
  await expect(claim.getByText('Not confirmed', { exact: true })).toBeVisible();

  await visit(page, app, '/admin/settings/invitations', 'Join links');
  await page.getByRole('button', { name: 'New join link' }).click();
  await dialog.getByLabel('Who it is for').fill('N'.repeat(80));
  await dialog.getByLabel('Note').fill('O'.repeat(80));
  await dialog.getByLabel('How many can join').fill('101');
  await dialog.getByRole('button', { name: 'Make link' }).click();
  await expect(dialog.getByText('Choose 1 to 100 places')).toBeVisible();
  await dialog.getByLabel('How many can join').fill('2');
  await show(page, 'admin-invitation-new');
  await dialog.getByRole('button', { name: 'Make link' }).dblclick();
  await expect(dialog.getByText(/\/free-join\/\w{22}$/)).toBeVisible();
  await show(page, 'admin-invitation-made');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('list', { name: 'Join links' }).getByRole('listitem')).toHaveCount(1);
  await show(page, 'admin-invitations');
  await page.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).dblclick();
  await expect(page.getByText('Revoked', { exact: true }).first()).toBeVisible();
});
