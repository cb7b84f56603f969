import type { Page } from '@playwright/test';
import { expect, type JourneyApp, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { collectComplaints } from '../support/complaints.ts';
import { show } from '../support/showing.ts';

const day = 86_400;

/** Time goes on until so many days from now, and the provider is asked how the plan stands then. */
async function waitDays(page: Page, app: JourneyApp, days: number): Promise<void> {
  await app.turnClock(days * day);
  await call(page, app.url, 'POST', '/check-subscription', {});
  await page.goto(`${app.url}/subscription`);
}

test('a plan is paused, and resumed before its time', async ({ page, ownApp }) => {
  const complaints = await collectComplaints(page);
  await ownApp.newCreator(page);
  await page.goto(`${ownApp.url}/subscription`);
  await page.getByRole('button', { name: 'Add a card' }).click();
  const frame = page.frameLocator('iframe[title="Secure checkout"]');
  await frame.getByRole('button', { name: 'Save card' }).click();
  await expect(page.locator('iframe[title="Secure checkout"]')).toHaveCount(0);
  await waitDays(page, ownApp, 0);
  await expect(page.getByText('Visa ending in 4242')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Pause plan' }), 'nothing is paid for in a trial').toHaveCount(0);

  await waitDays(page, ownApp, 9);
  await expect(page.getByRole('heading', { name: '$3.99 a month' })).toBeVisible();
  await show(page, 'plan-active');
  await page.getByRole('button', { name: 'Pause plan' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: '2 months' }).check();
  await show(page, 'pause-plan');
  await dialog.getByRole('button', { name: 'Pause for 2 months' }).click();
  await expect(page.getByRole('heading', { name: /^Your plan will be paused on/ })).toBeVisible();
  await show(page, 'plan-pauses-soon');
  await page.getByRole('button', { name: "Don't pause" }).click();
  await expect(page.getByRole('heading', { name: '$3.99 a month' })).toBeVisible();
  await page.getByRole('button', { name: 'Pause plan' }).click();
  await dialog.getByRole('button', { name: /^Pause for/ }).click();
  await expect(page.getByRole('heading', { name: /^Your plan will be paused on/ })).toBeVisible();

  await waitDays(page, ownApp, 45);
  await expect(page.getByRole('heading', { name: 'Your plan is paused' })).toBeVisible();
  await page.getByRole('link', { name: 'Resume plan' }).click();
  await expect(page.getByRole('heading', { name: /^Paused until/ })).toBeVisible();
  await show(page, 'plan-paused');
  await page.goto(`${ownApp.url}/`);
  await expect(page).toHaveURL(/\/pricing$/);
  await expect(page.getByText(/^Your plan is paused until/).first()).toBeVisible();
  await show(page, 'pricing-paused');
  await page.goto(`${ownApp.url}/account/billing`);
  await page.getByRole('button', { name: 'Resume plan' }).click();
  await show(page, 'resume-plan');
  await page.getByRole('button', { name: 'Pay $3.99 and resume' }).click();
  await expect(page.getByRole('heading', { name: '$3.99 a month' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Invoices' }).getByText('Paid')).toHaveCount(2);
  await show(page, 'plan-resumed');
  expect(complaints).toEqual([]);
});
