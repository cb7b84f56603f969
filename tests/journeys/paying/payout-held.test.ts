import { expect, openPhone, test } from '../support/app.ts';
import { collectComplaints } from '../support/complaints.ts';
import { openShop } from '../support/selling.ts';
import { show } from '../support/showing.ts';

test.setTimeout(240_000);

test('a first payout is held with its reason, appealed against, released by staff, and leaves', async ({
  page,
  ownApp,
  browser,
}) => {
  const complaints = await collectComplaints(page);
  const { url } = ownApp;
  const { creator, buy } = await openShop(page, ownApp, 2000);
  const { email, password } = creator;
  const phone = await openPhone(browser);
  await buy(await phone.newPage(), 'bob@example.com');
  await phone.close();

  await page.goto(`${url}/account/payouts`);
  await expect(page.getByRole('heading', { name: 'Paid out every business day' })).toBeVisible();
  await page.getByRole('button', { name: 'Change schedule' }).click();
  await page.getByRole('combobox', { name: 'Schedule' }).click();
  await page.getByRole('option', { name: 'Manually' }).click();
  await page.getByLabel('Your password').fill('not the password');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText("That isn't your password")).toBeVisible();
  await show(page, 'payouts-schedule');
  await page.getByLabel('Your password').fill(password);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Paid out manually' })).toBeVisible();
  expect((await ownApp.readEmail(email, 'Your payout schedule is now')).subject).toBe(
    'Your payout schedule was changed',
  );
  await expect(page.getByRole('button', { name: 'Pay out now' })).toBeDisabled();

  await ownApp.turnClock(8 * 86_400); // what a new creator sells rests for seven days
  await page.reload();
  await page.getByRole('button', { name: 'Pay out now' }).click();
  await expect(page.getByRole('heading', { name: 'Your first payout is being reviewed' })).toBeVisible();
  await expect(page.getByText(/^Expected to be settled by/)).toBeVisible();
  await show(page, 'payouts-held');
  await page.getByRole('button', { name: 'Appeal' }).click();
  await page.getByLabel('What we should know').fill('I have sold here for a year, at another address.');
  await show(page, 'payouts-appeal');
  await page.getByRole('button', { name: 'Send appeal' }).click();
  await expect(page.getByText("You appealed. We'll email you the answer.")).toBeVisible();

  expect(await ownApp.operate('payouts')).toMatch(new RegExp(`${email} .*REVIEW_NEW {2}APPEALED`));
  expect(await ownApp.operate('payouts', 'show', email)).toContain('I have sold here for a year');
  await ownApp.operate('payouts', 'release', email, '--note', 'Thank you, all is fine.');
  expect((await ownApp.readEmail(email, 'Thank you, all is fine.')).subject).toBe('Your appeal was answered');
  await page.reload();
  await page.getByRole('button', { name: 'Pay out now' }).click();
  await expect(page.getByText('The payout is on its way').first()).toBeVisible();
  await expect(page.getByRole('list', { name: 'Paid out' }).getByText('$18.00')).toBeVisible();
  await show(page, 'payouts-paid');
  expect(complaints.filter((line) => !line.includes('422'))).toEqual([]);
});
