import type { Page, Route } from '@playwright/test';
import { expect, test } from '../support/app.ts';
import { startTrial } from '../support/signing-up.ts';
import { becomeDemo } from '../support/steps.ts';

/** What is mailed leads on in the browser that asked for it, and what fails on the way may be tried again. */
test.setTimeout(120_000);

/** What a call answers that fails by no fault of the person. */
const refuse = (code: string, status: number, message: string) => (route: Route) =>
  route.fulfill({ status, json: { json: { defined: true, code, status, message } } });
const cutOff = (route: Route) => route.abort();

const toast = (page: Page, title: string, message: string) =>
  page.locator('[data-toast]').filter({ hasText: title }).filter({ hasText: message });

test('the link of a sign-up confirms the address and leads to the setup, also after a fault', async ({ page, app }) => {
  const email = `linked-${process.pid}@example.com`;
  await page.goto(`${app.url}/auth?action=signup`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('checkbox', { name: /18 years or older/ }).check();
  const checkout = /\/rpc\/billing\/createTrialCheckout\b/;
  const start = page.getByRole('button', { name: 'Start Free Trial' });
  await page.route(checkout, refuse('RATE_LIMITED', 429, 'Too many attempts. Please wait 7 seconds.'), { times: 1 });
  await start.click();
  await expect(toast(page, 'Checkout Error', 'Too many attempts. Please wait 7 seconds.')).toBeVisible();
  await page.route(checkout, cutOff, { times: 1 });
  await start.click();
  await expect(toast(page, 'Checkout Error', 'Failed to start checkout').locator('strong + span')).toHaveText(
    'Failed to start checkout',
  );
  await start.click();
  await startTrial(page);

  const { link } = await app.readEmail(email);
  await page.goto('about:blank');
  await page.goto(link);
  const confirm = page.getByRole('button', { name: 'Confirm my email' });
  const calls = /\/rpc\/accounts\/confirm\b/;
  await page.route(calls, cutOff);
  await confirm.click();
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'Something went wrong. Check your connection and try again.',
  );
  await page.unroute(calls);
  await page.route(calls, refuse('UNAVAILABLE', 503, 'This is taking too long. Please try again in a moment.'));
  await confirm.click();
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'This is taking too long. Please try again in a moment.',
  );
  await page.unroute(calls);
  await confirm.click();
  await expect(page).toHaveURL(`${app.url}/account/setup`);
  await expect(page.getByRole('heading', { name: 'Create your password' })).toBeVisible();

  await page.goto('about:blank');
  await page.goto(link);
  await confirm.click();
  await expect(page.getByRole('heading', { name: "This link doesn't work" }), 'it works once').toBeVisible();
  await expect(confirm).toHaveCount(0);
});

test('whoever comes back from the confirmation is welcomed', async ({ page, app }) => {
  await becomeDemo(page, app);
  await page.goto(`${app.url}/auth?email_confirmed=true`);
  await expect(toast(page, 'Account Created!', 'Welcome to PrivateFans™')).toBeVisible();
  await expect(page).toHaveURL(`${app.url}/`);
});

test('a forgotten password does not forget where one wanted to go', async ({ page, app }) => {
  const { email } = await app.newCreator(page);
  await page.context().clearCookies();
  await page.goto(`${app.url}/magic-links`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByRole('heading', { name: 'Create Your Password' })).toBeVisible();
  await expect.poll(async () => (await app.readEmail(email)).link).toContain('action=set-password');
  await page.getByLabel('6-digit code').fill((await app.readEmail(email)).code);
  await page.getByLabel('New password').fill('four calm rivers');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page).toHaveURL(`${app.url}/magic-links`);
});
