import type { Page } from '@playwright/test';
import { expect, openPhone, test } from '../support/app.ts';
import { call, makeAlbum } from '../support/calls.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show, showViewerApp } from '../support/showing.ts';
import { expectPainted } from '../support/steps.ts';

test.setTimeout(240_000);

test('a link that was paid for is revoked, which says what goes back; an undo costs nothing, the end pays back', async ({
  page,
  ownApp,
  browser,
}) => {
  const { url } = ownApp;
  await ownApp.newCreator(page);
  const albumId = await makeAlbum(page, url, 'Beach', pictureFiles('sea'));
  const { url: onboarding } = await call<{ url: string }>(page, url, 'POST', '/stripe-connect-onboarding', {});
  await page.goto(onboarding);
  await page.getByRole('button', { name: 'Complete everything' }).click();
  await expect(page.getByText('Nothing earned yet')).toBeVisible();
  const rules = { offers: [{ id: 'pay', all: [{ kind: 'pay', priceCents: 1500 }] }] };
  const wish = { albumIds: [albumId], rules, isLaxConfirmed: true };
  const { id, slug } = await call<{ id: string; slug: string }>(page, url, 'POST', '/links', wish);
  const phone = await openPhone(browser);
  const viewer = await phone.newPage();
  const open = async (by: Page) => {
    await by.goto(`${url}/view/${slug}`);
    await by.getByRole('button', { name: 'Open', exact: true }).click();
  };
  await open(viewer);
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await viewer.getByRole('button', { name: 'Pay $15' }).click();
  await viewer.getByLabel('Email').fill('bea@example.com');
  await viewer.getByLabel('Card number').fill('4242 4242 4242 4242');
  await viewer.getByRole('button', { name: 'Pay $15.00' }).click();
  await expect(viewer.getByRole('heading', { name: "It's yours to view" })).toBeVisible();
  await open(viewer);
  await expectPainted(viewer, 1);

  const revoke = async () => {
    await page.goto(`${url}/magic-links/${id}`);
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await expect(page.getByText('1 person paid $15.00 in the last 7 days – it will be refunded.')).toBeVisible();
  };
  await revoke();
  await expect(page.getByRole('switch', { name: 'They broke the rules' })).toBeDisabled();
  await show(page, 'revoke-paid');
  await page.getByRole('button', { name: 'Revoke link' }).click();
  await expect(page.getByRole('button', { name: 'Undo revoke' })).toBeVisible();
  await open(viewer);
  await expect(viewer.getByText('Your refund of $15.00 is on its way.')).toBeVisible();
  await showViewerApp(viewer, 'door-revoked-paid');
  await page.getByRole('button', { name: 'Undo revoke' }).click();
  await expect(page.getByRole('button', { name: 'Revoke', exact: true })).toBeVisible();
  await open(viewer);
  await expectPainted(viewer, 1);

  await revoke();
  await page.getByRole('button', { name: 'Revoke link' }).click();
  await expect(page.getByRole('button', { name: 'Undo revoke' })).toBeVisible();
  await ownApp.turnClock(25 * 3600);
  const { link } = await ownApp.readEmail('bea@example.com', 'Receipt no.');
  await expect(async () => {
    await viewer.goto(link);
    await expect(viewer.getByText('$15.00 refunded')).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 100_000 });
  await show(viewer, 'receipt-refunded');
  await phone.close();
});
