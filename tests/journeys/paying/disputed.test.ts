import type { Page } from '@playwright/test';
import { expect, type JourneyApp, openPhone, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { expectAccessible, expectWhole, untilCalm } from '../support/looking.ts';
import { openShop } from '../support/selling.ts';
import { show, showViewerApp } from '../support/showing.ts';
import { expectPainted } from '../support/steps.ts';

test.setTimeout(240_000);

/** Asks the creator for something, as a buyer who has disputed a payment before. */
async function askAgain(page: Page, buyer: Page, app: JourneyApp): Promise<void> {
  const email = 'dot@example.com';
  const { user } = await (await page.request.get(`${app.url}/api/me`)).json();
  await call(page, app.url, 'PUT', '/profile/public-page', { isOn: true });
  const settings = { isOn: true, leastCents: 2000, priceList: [], days: 7, wontDo: '', mostOpen: 3 };
  await call(page, app.url, 'PUT', '/request-settings', settings);
  const of = { handle: user.handle, email };
  await call(buyer, app.url, 'POST', '/requests/code', of);
  const { code } = await app.readEmail(email, 'send your request');
  const params = {
    title: 'Photos at the beach',
    brief: 'Around sunset.',
    kind: 'photo',
    quantity: 10,
    offeredCents: 2000,
  };
  await call(buyer, app.url, 'POST', '/requests', { ...of, ...params, emailCode: code });
}

test('a payment is disputed and won, and another one is lost: both sides see how it stands', async ({
  page,
  ownApp,
  browser,
}) => {
  const { url } = ownApp;
  const { open, pay } = await openShop(page, ownApp, 5000);
  /** Somebody pays with a card whose holder goes to the bank. */
  const dispute = async (viewer: Page, email: string) => {
    await pay(viewer, email, '4000 0000 0000 0259');
    await expect(viewer.getByRole('heading', { name: 'Access is on hold' })).toBeVisible();
  };
  /** The bank decides what waits. */
  const decide = async (word: 'won' | 'lost') => {
    await ownApp.openDev(page);
    await page.goto(`${url}/dev/disputes`);
    const waiting = page.getByRole('article').filter({ hasText: '$50.00' }).filter({ hasText: 'needs_response' });
    await waiting.getByRole('button', { name: word }).click();
    await expect(page.getByText(`· ${word}`).first()).toBeVisible();
  };
  const lookAt = async (address: string, by = page) => {
    await untilCalm(by);
    await expectAccessible(by, address);
    await expectWhole(by, address);
  };

  const phone = await openPhone(browser);
  const viewer = await phone.newPage();
  await dispute(viewer, 'ivy@example.com');
  await lookAt('paid, on hold', viewer);
  await open(viewer);
  await expect(viewer.getByText('Your payment is disputed with your bank.')).toBeVisible();
  await showViewerApp(viewer, 'door-on-hold');
  await expect(async () => {
    await page.goto(`${url}/earnings`);
    await expect(page.getByText(/^We decide by .* whether to answer the bank/)).toBeVisible({ timeout: 3000 });
    await expect(page.getByText('Your $45.00 of it is held back')).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 90_000 });
  await page.getByRole('listitem').filter({ hasText: 'held back' }).scrollIntoViewIfNeeded();
  await show(page, 'earnings-disputed');
  await lookAt('/earnings, disputed');

  await decide('won');
  await expect(async () => {
    await page.goto(`${url}/earnings`);
    await expect(page.getByText('Your $45.00 is in your balance again.')).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 60_000 });
  await open(viewer);
  await expectPainted(viewer, 1);

  const other = await openPhone(browser);
  const second = await other.newPage();
  await dispute(second, 'dot@example.com');
  await decide('lost');
  await expect(async () => {
    await open(second);
    await expect(second.getByText('Access ended: payment returned')).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 60_000 });
  await showViewerApp(second, 'door-payment-returned');
  await second.goto(`${url}/my`);
  await expect(second.getByText('Returned by your bank')).toBeVisible();
  await second.getByRole('link', { name: 'Receipt' }).click();
  await expect(second.getByText('Your bank has returned this payment.')).toBeVisible();
  await lookAt('the receipt, returned', second);
  await page.goto(`${url}/earnings`);
  await expect(page.getByText('The bank decided for the buyer')).toBeVisible();
  await page.getByText('The bank decided for the buyer').scrollIntoViewIfNeeded();
  await show(page, 'earnings-dispute-lost');

  await page.goto(`${url}/analytics`);
  await page.getByRole('radio', { name: 'Viewers' }).scrollIntoViewIfNeeded();
  await expect(page.getByText('Disputed', { exact: true })).toHaveCount(1);
  await expect(page.getByText(/the bank decided for you/)).toBeVisible();
  await show(page, 'viewers-disputed');
  await lookAt('/analytics, viewers that disputed');
  await page.getByRole('radio', { name: 'Visits' }).click();
  await expect(page.getByText('Disputed', { exact: true }).first()).toBeVisible();
  await page.getByText('Disputed', { exact: true }).first().scrollIntoViewIfNeeded();
  await show(page, 'visits-disputed');
  await lookAt('/analytics, visits of viewers that disputed');

  await askAgain(page, second, ownApp);
  await page.goto(`${url}/requests`);
  await expect(page.getByRole('link', { name: 'Photos at the beach' })).toBeVisible();
  await show(page, 'requests-disputed');
  await lookAt('/requests, of somebody who disputed');
  await page.getByRole('link', { name: 'Photos at the beach' }).click();
  await expect(page.getByText('This buyer has disputed another payment to you.')).toBeVisible();
  await show(page, 'request-of-disputer');
  await lookAt('the request of somebody who disputed');
  const reported = (await ownApp.operate('disputes')).split('\n').filter((line) => line.includes('$50.00'));
  expect(reported.map((line) => line.split(' ').at(-1)).sort()).toEqual(['lost', 'won']);
  await Promise.all([phone.close(), other.close()]);
});
