import { expect, openPhone, test } from '../support/app.ts';
import { becomeAdministrator } from '../support/desk-tour.ts';
import { openShop } from '../support/selling.ts';
import { show, visit } from '../support/showing.ts';

test.setTimeout(240_000);

test('whoever sees to payments finds one by its receipt, refunds it, and meets no other part of the desk', async ({
  page,
  app,
  browser,
}) => {
  const shop = await openShop(page, app, 1500);
  const phone = await openPhone(browser);
  const buyer = await phone.newPage();
  const email = `bea-${Date.now()}@example.com`;
  await shop.buy(buyer, email);
  const { link } = await app.readEmail(email, 'Receipt no.');
  await buyer.goto(link);
  const number = buyer.getByText(/\d{10}/).first();
  await expect(number).toBeVisible();
  const [receipt = ''] = /\d{10}/.exec((await number.textContent()) ?? '') ?? [];

  const admin = await browser.newContext();
  const desk = await admin.newPage();
  await becomeAdministrator(desk, app, 'finance');
  await visit(desk, app, '/admin/payments', 'Payments');
  const parts = desk.getByRole('navigation', { name: 'Admin' }).getByRole('link');
  await expect(parts).toHaveText(['Today', 'Payments', 'Partners', 'Nervecheck']);
  await desk.getByLabel('Find a payment').fill(receipt);
  await desk.getByRole('button', { name: 'Search' }).click();
  await desk.getByRole('link', { name: 'Album: $15.00' }).click();
  await expect(desk.getByText(email)).toBeVisible();

  await desk.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = desk.getByRole('dialog');
  await dialog.getByLabel('Note').fill('The buyer wrote to us.');
  await show(desk, 'admin-refund');
  // Twice in a row, as an impatient finger does: it goes back once.
  await dialog.getByRole('button', { name: 'Refund' }).dblclick();
  await expect(desk.getByText('$15.00 go back within minutes')).toBeVisible();
  await expect(async () => {
    await desk.reload();
    await expect(desk.getByText('Refunded', { exact: true }).first()).toBeVisible({ timeout: 3000 });
    await expect(desk.getByRole('list', { name: 'What happened' }).getByText('Refunded', { exact: true })).toHaveCount(
      1,
      {
        timeout: 3000,
      },
    );
  }).toPass({ timeout: 90_000 });
  await expect(desk.getByText('It is refunded: there is nothing to give back.')).toBeVisible();
  await show(desk, 'admin-payment-refunded');

  await desk.goto(`${app.url}/admin/users#a@example.com`);
  await expect(desk.getByText("You don't have access to this.")).toBeVisible();
  await phone.close();
  await admin.close();
});
