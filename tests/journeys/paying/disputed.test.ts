import type { Page } from '@playwright/test';
import { expect, openPhone, test } from '../support/app.ts';
import { expectAccessible, expectWhole, untilCalm } from '../support/looking.ts';
import { openShop } from '../support/selling.ts';
import { show, showViewerApp } from '../support/showing.ts';
import { expectPainted } from '../support/steps.ts';

test.setTimeout(240_000);

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
  const told = (await ownApp.operate('disputes')).split('\n').filter((line) => line.includes('$50.00'));
  expect(told.map((line) => line.split(' ').at(-1)).sort()).toEqual(['lost', 'won']);
  await Promise.all([phone.close(), other.close()]);
});
