import type { Page } from '@playwright/test';
import { expect, openPhone, test } from '../support/app.ts';
import { openShop } from '../support/selling.ts';
import { showViewerApp } from '../support/showing.ts';
import { expectPainted } from '../support/steps.ts';

test.setTimeout(180_000);
const asking = '4000 0000 0000 3155';

test('a bank asks its customer first: what it was refused is not paid, what it was told is', async ({
  page,
  ownApp,
  browser,
}) => {
  const { open, pay } = await openShop(page, ownApp, 1500);
  const phone = await openPhone(browser);
  const viewer: Page = await phone.newPage();
  await pay(viewer, 'bea@example.com', asking);
  await expect(viewer.getByRole('heading', { name: 'Is this you?' })).toBeVisible();
  await showViewerApp(viewer, 'bank-asking');
  await viewer.getByRole('button', { name: 'Fail authentication' }).click();
  await expect(viewer.getByRole('alert')).toBeVisible();
  await showViewerApp(viewer, 'bank-refused');
  await open(viewer);
  await expect(viewer.getByRole('button', { name: 'Pay $15', exact: true })).toBeVisible();

  await viewer.getByRole('button', { name: 'Pay $15', exact: true }).click();
  await viewer.getByLabel('Email').fill('bea@example.com');
  await viewer.getByLabel('Card number').fill(asking);
  await viewer.getByRole('button', { name: 'Pay $15.00' }).click();
  await viewer.getByRole('button', { name: 'Complete authentication' }).click();
  await expect(viewer.getByRole('heading', { name: "It's yours to view" })).toBeVisible();
  await open(viewer);
  await expectPainted(viewer, 1);
  await phone.close();
});
