import type { BrowserContext, Page } from '@playwright/test';
import { expect, type JourneyApp, openPhone, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { collectComplaints } from '../support/complaints.ts';
import { becomeAdministrator } from '../support/desk-tour.ts';
import { show, visit } from '../support/showing.ts';
import { finishSetup, signUp } from '../support/signing-up.ts';

test.setTimeout(300_000);

const day = 86_400;

/** Reads a page again until a figure of it stands there: shares follow the bills a moment later. */
async function untilShown(page: Page, label: string, value: string): Promise<void> {
  const tile = page.getByText(label, { exact: true }).first().locator('xpath=../..');
  await expect(async () => {
    await page.reload();
    await expect(tile.getByText(value, { exact: true })).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 60_000 });
}

/** Time goes on until so many days from now, and the provider is asked how the plan stands then. */
async function waitDays(page: Page, app: JourneyApp, days: number): Promise<void> {
  await app.turnClock(days * day);
  await call(page, app.url, 'POST', '/check-subscription', {});
}

/** Somebody comes by a partner's link, takes the trial and adds a card. */
async function joinBy(phone: BrowserContext, app: JourneyApp, link: string): Promise<Page> {
  const page = await phone.newPage();
  await page.goto(link);
  await expect(page.getByText('Invited by Jo Rivers')).toBeVisible();
  const email = `brought-${process.pid}@example.com`;
  await page.getByLabel('Email').fill(email);
  await page.getByRole('checkbox', { name: /18 years or older/ }).check();
  await show(page, 'sign-up-invited');
  await page.getByRole('button', { name: 'Start Free Trial' }).click();
  const frame = page.frameLocator('iframe[title="Secure checkout"]');
  await frame.getByRole('button', { name: 'Start Free Trial' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await page.getByLabel('6-digit code').fill((await app.readEmail(email)).code);
  await expect(page).toHaveURL(/\/account\/setup$/);
  await finishSetup(page, app.url);
  await page.goto(`${app.url}/account/billing`);
  await page.getByRole('button', { name: 'Add a card' }).click();
  await page.getByRole('button', { name: 'Save card' }).click();
  await expect(page.getByRole('heading', { name: /^Free until/ })).toBeVisible();
  await expect(page.getByText(/^You were invited by Jo Rivers/)).toBeVisible();
  return page;
}

/** They pay once more, after they had their money back. */
async function payAgain(page: Page, app: JourneyApp): Promise<void> {
  await page.goto(`${app.url}/account/billing`);
  await page.getByRole('button', { name: /^Choose plan/ }).click();
  const frame = page.frameLocator('iframe[title="Secure checkout"]');
  await frame.getByRole('button', { name: 'Pay $3.99' }).click();
  await expect(page.getByText('Payment Successful!').first()).toBeVisible();
}

test("a partner's first share comes, goes back with the payment, and is paid by hand when it stays", async ({
  page,
  ownApp,
  browser,
}) => {
  const complaints = await collectComplaints(page);
  await ownApp.operate('set', 'affiliates.payoutCents', '80');
  const { email } = await signUp(page, ownApp, { displayName: 'Jo' });
  await visit(page, ownApp, '/account/affiliate', "You're not in the partner program");
  const application = { name: 'Jo Rivers', email, audience: 'A newsletter about safety online', marksAds: true };
  await call(page, ownApp.url, 'POST', '/affiliate-applications', application);
  await visit(page, ownApp, '/account/affiliate', 'We have your application');

  const office = await browser.newContext();
  const desk = await office.newPage();
  await becomeAdministrator(desk, ownApp);
  await visit(desk, ownApp, '/admin/affiliates', 'Partners');
  await desk.getByRole('link', { name: 'Jo Rivers' }).click();
  await desk.getByRole('button', { name: 'Approve' }).click();
  await expect(desk.getByText('Approved', { exact: true })).toBeVisible();

  await visit(page, ownApp, '/account/affiliate', 'Your application was approved');
  await show(page, 'partner-approved');
  await page.getByRole('checkbox', { name: /I agree to the terms/ }).check();
  await page.getByRole('button', { name: 'Get my link' }).click();
  await expect(page.getByRole('heading', { name: 'Your link' })).toBeVisible();
  const link =
    (await page
      .getByText(/\/signup\?ref=[A-Z2-9]{8}$/)
      .first()
      .textContent()) ?? '';

  const phone = await openPhone(browser);
  const theirs = await joinBy(phone, ownApp, link);
  await untilShown(page, 'Sign-ups', '1');
  await waitDays(theirs, ownApp, 9);
  await untilShown(page, 'Waiting', '$0.80');
  await show(page, 'partner-first-share');
  await call(theirs, ownApp.url, 'POST', '/plan/money-back', {});
  await untilShown(page, 'Waiting', '$0.00');

  await payAgain(theirs, ownApp);
  await untilShown(page, 'Waiting', '$0.80');
  await waitDays(theirs, ownApp, 41);
  await untilShown(page, 'To be paid', '$0.80');
  await visit(desk, ownApp, '/admin/affiliates/pay', 'Pay partners');
  await desk.getByRole('button', { name: 'Make the run: $0.80' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Make the run' }).click();
  await expect(desk.getByText('$0.80 to Jo Rivers')).toBeVisible();
  await show(desk, 'partner-run');
  await desk.getByRole('button', { name: "I've paid it" }).click();
  const ask = desk.getByRole('dialog');
  await expect(ask).toContainText('You have paid $0.80?');
  await expect(ask).toContainText('Jo Rivers');
  await show(desk, 'partner-book');
  await expect(desk.getByRole('list', { name: 'Lines' }).getByText('Paid', { exact: true })).toBeHidden();
  await ask.getByRole('button', { name: 'Book $0.80' }).click();
  await expect(desk.getByRole('list', { name: 'Lines' }).getByText('Paid', { exact: true })).toBeVisible();
  await untilShown(page, 'Paid', '$0.80');
  await show(page, 'partner-paid');
  expect((await ownApp.readEmail(email, '$0.80')).subject).toBe('Your share was paid');
  expect(complaints).toEqual([]);
  await office.close();
  await phone.close();
});
