import { expect, openPhone, test } from '../support/app.ts';
import { openShop } from '../support/selling.ts';
import { show } from '../support/showing.ts';

test.setTimeout(300_000);

test("after two disputes a creator bears the bank's fee of the third one: told at once, then taken", async ({
  page,
  ownApp,
  browser,
}) => {
  const { url } = ownApp;
  const { creator, pay, buy } = await openShop(page, ownApp, 5000);
  const dispute = async (email: string) => {
    const phone = await openPhone(browser);
    const viewer = await phone.newPage();
    await pay(viewer, email, '4000 0000 0000 0259');
    await expect(viewer.getByRole('heading', { name: 'Access is on hold' })).toBeVisible();
    await phone.close();
  };
  await dispute('ivy@example.com');
  await dispute('dot@example.com');
  await expect(async () => {
    await page.goto(`${url}/earnings`);
    await expect(page.getByText(/^At least 1% of your sales/)).toBeVisible({ timeout: 3000 });
    await expect(page.getByText('of it is held back')).toHaveCount(2, { timeout: 3000 });
  }).toPass({ timeout: 90_000 });
  await expect(page.getByText("You pay the bank's dispute fee of $15.00")).toBeHidden();

  await dispute('max@example.com');
  const due = page.getByText("It's taken from your balance as soon as there's enough in it.");
  await expect(async () => {
    await page.goto(`${url}/earnings`);
    await expect(due).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 90_000 });
  await show(page, 'earnings-fee-due');
  expect((await ownApp.readEmail(creator.email, 'a fee of $15.00')).subject).toContain('dispute');
  await page.goto(`${url}/account/payouts`);
  await expect(
    page.getByText('after $15.00 still due from disputes and refunds, taken from your balance next'),
  ).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Too many of your sales were disputed' })).toBeVisible();
  await show(page, 'payouts-fee-due');

  const phone = await openPhone(browser);
  await buy(await phone.newPage(), 'eve@example.com');
  await phone.close();
  await ownApp.turnClock(40 * 86_400);
  await expect(async () => {
    await page.goto(`${url}/earnings`);
    await expect(page.getByText('It was taken from your balance.')).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 90_000 });
  await page.getByRole('heading', { name: 'Activity' }).scrollIntoViewIfNeeded();
  await show(page, 'earnings-fee-taken');
  await page.getByRole('link', { name: "Bank's dispute fee" }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await show(page, 'earnings-fee-details');
});
