import type { Page } from '@playwright/test';
import { renewalTerms } from '#features/notices/refund-promise.ts';
import { expect, openPhone, test } from '../support/app.ts';
import { call, makeAlbum } from '../support/calls.ts';
import { collectComplaints } from '../support/complaints.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show, showViewerApp } from '../support/showing.ts';
import { expectTermsSent } from '../support/shown-terms.ts';
import { expectPainted } from '../support/steps.ts';

const month = 32 * 86_400;

/** A creator who can be paid and makes a tier. */
async function offerTier(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/account/tiers`);
  await expect(page.getByRole('heading', { name: 'Get Paid' })).toBeVisible();
  const { url: onboarding } = await call<{ url: string }>(page, url, 'POST', '/stripe-connect-onboarding', {
    country: 'US',
  });
  await page.goto(onboarding);
  await page.getByRole('button', { name: 'Complete everything' }).click();
  await page.getByRole('link', { name: 'Subscribers' }).click();
  await expect(page.getByText('No subscribers yet')).toBeVisible();
  await show(page, 'tiers-empty');
  await page.getByRole('button', { name: 'New tier' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Inner circle');
  await dialog.getByLabel('Price a month, $').fill('4');
  await expect(dialog.getByText('Choose between $5 and $49.99.')).toBeVisible();
  await dialog.getByLabel('Price a month, $').fill('9.99');
  await expect(dialog.getByText('You get $8.99 of each month.')).toBeVisible();
  await dialog.getByLabel('3 months').fill('51');
  await expect(dialog.getByText('Choose between 0 and 50%.')).toBeVisible();
  await dialog.getByLabel('3 months').fill('10');
  await expect(dialog.getByText('$26.97')).toBeVisible();
  await dialog.getByLabel('What subscribers get (optional)').fill('New photos every week, and the ones I like best.');
  await show(page, 'tier-new');
  await dialog.getByRole('button', { name: 'Create tier' }).click();
  await expect(page.getByRole('heading', { name: 'Inner circle' })).toBeVisible();
}

async function pay(viewer: Page, card: string): Promise<void> {
  await viewer.getByLabel('Email').fill('fay@example.com');
  await viewer.getByLabel('Card number').fill(card);
  await viewer.getByRole('button', { name: 'Pay $9.99' }).click();
}

test('a fan subscribes, renews, fails, recovers and cancels', async ({ page, ownApp, browser }) => {
  test.setTimeout(240_000);
  const complaints = await collectComplaints(page);
  await ownApp.newCreator(page);
  const albumId = await makeAlbum(page, ownApp.url, 'Beach', pictureFiles('sea', 'dunes'));
  await page.goto(`${ownApp.url}/albums/${albumId}/links?new=1`);
  await offerTier(page, ownApp.url);

  await page.goto(`${ownApp.url}/albums/${albumId}/links?new=1`);
  await page.getByRole('dialog').getByRole('button', { name: 'free' }).click();
  await page.getByRole('group', { name: 'Subscribers' }).getByRole('radio', { name: 'Inner circle, $9.99' }).check();
  await show(page, 'link-subscribers');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: '$9.99 a month' })).toBeVisible();
  await show(page, 'link-for-subscribers');
  const offers = [{ id: 'fans', all: [{ kind: 'fan_sub', tierIds: [] }] }];
  const params = { albumIds: [albumId], rules: { ageGate: false, offers }, expiry: { kind: 'never' } };
  const { url } = await call<{ url: string }>(page, ownApp.url, 'POST', '/links', params);

  const phone = await openPhone(browser);
  const viewer = await phone.newPage();
  const said = await collectComplaints(viewer);
  await viewer.goto(url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(viewer.getByRole('heading', { name: '$9.99 a month' })).toBeVisible();
  await expect(viewer.getByText('It renews until you cancel, which you can at any time.')).toBeVisible();
  await viewer.getByRole('button', { name: '$26.97 for 3 months', exact: true }).click();
  await expect(viewer.getByText('You save $3.')).toBeVisible();
  await expect(viewer.getByRole('button', { name: 'Pay $26.97 for 3 months' })).toBeVisible();
  await showViewerApp(viewer, 'door-subscribe');
  await viewer.getByRole('button', { name: '$9.99 a month', exact: true }).click();
  const subscribe = viewer.getByRole('button', { name: 'Subscribe for $9.99 a month' });
  await expectTermsSent(viewer, renewalTerms, () => subscribe.dblclick());
  await expect(viewer.getByText('It renews every month until you cancel.')).toBeVisible();
  await showViewerApp(viewer, 'sandbox-subscribe');
  await pay(viewer, '4242 4242 4242 4242');
  await expect(viewer.getByRole('heading', { name: "You're subscribed" })).toBeVisible();
  await show(viewer, 'subscription-success');
  await viewer.getByRole('link', { name: 'Open now' }).click();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 2);

  await ownApp.turnClock(month);
  const myPage = async () => {
    await call(viewer, ownApp.url, 'POST', '/my-subscriptions/check', {});
    await viewer.goto(`${ownApp.url}/my`);
  };
  await myPage();
  await expect(viewer.getByText(/^Renews on .* from your card ending in 4242\.$/)).toBeVisible();
  await show(viewer, 'my-subscription');
  await viewer.getByRole('button', { name: 'Change card' }).click();
  await viewer.getByLabel('Card number').fill('4000 0000 0000 0341');
  await viewer.getByRole('button', { name: 'Save card' }).click();
  await expect(viewer.getByText(/ending in 0341/)).toBeVisible();

  await ownApp.turnClock(2 * month);
  await myPage();
  await expect(viewer.getByText('Payment failed')).toBeVisible();
  await show(viewer, 'my-subscription-late');
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 2);
  await viewer.goto(`${ownApp.url}/my`);
  await viewer.getByRole('button', { name: 'Update your card' }).click();
  await viewer.getByLabel('Card number').fill('4242 4242 4242 4242');
  await viewer.getByRole('button', { name: 'Save card' }).click();
  await expect(viewer.getByText('Active', { exact: true })).toBeVisible();

  await page.goto(`${ownApp.url}/account/tiers`);
  await expect(page.getByText('1 subscriber · $8.99 a month for you')).toBeVisible();
  await show(page, 'tiers');
  await page.goto(`${ownApp.url}/earnings`);
  await expect(page.getByText('+$8.99')).toHaveCount(3);
  await show(page, 'earnings-subscriptions');

  await viewer.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(viewer.getByText(/^Open until .* nothing more is charged\.$/)).toBeVisible();
  await show(viewer, 'my-subscription-ending');
  await viewer.getByRole('button', { name: 'Keep it' }).click();
  await expect(viewer.getByText('Active', { exact: true })).toBeVisible();
  await viewer.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(viewer.getByText('Ending', { exact: true })).toBeVisible();
  await ownApp.turnClock(3 * month);
  await myPage();
  await expect(viewer.getByText(/^Ended on /)).toBeVisible();
  await viewer.goto(url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  // Her own trial is over by now: whoever pays has stayed in, and nobody else gets in.
  await expect(viewer.getByRole('heading', { name: 'Temporarily unavailable' })).toBeVisible();
  await phone.close();
  expect([...complaints, ...said].filter((line) => !line.includes('410 (Gone)'))).toEqual([]);
});
