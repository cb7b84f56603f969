import { refundPromise } from '#features/notices/refund-promise.ts';
import { expect, openPhone, test } from '../support/app.ts';
import { call, makeAlbum } from '../support/calls.ts';
import { collectComplaints } from '../support/complaints.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show, showViewerApp } from '../support/showing.ts';
import { expectTermsSent } from '../support/shown-terms.ts';
import { copyLink, expectPainted } from '../support/steps.ts';

test('an album is sold from its link, by a price or by a tip, and is the buyer’s to view', async ({
  page,
  app,
  browser,
}) => {
  const complaints = await collectComplaints(page);
  await app.newCreator(page);
  const albumId = await makeAlbum(page, app.url, 'Beach', pictureFiles('sea', 'dunes'));
  await page.goto(`${app.url}/albums/${albumId}/links?new=1`);
  await page.getByRole('dialog').getByRole('button', { name: 'free' }).click();
  await expect(page.getByText('To ask for money, connect payouts first.')).toBeVisible();
  const { url: onboarding } = await call<{ url: string }>(page, app.url, 'POST', '/stripe-connect-onboarding', {
    country: 'US',
  });
  await page.goto(onboarding);
  await page.getByRole('button', { name: 'Complete everything' }).click();
  await expect(page.getByText('Nothing earned yet')).toBeVisible();

  await page.goto(`${app.url}/albums/${albumId}/links?new=1`);
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'free' }).click();
  const price = page.getByRole('group', { name: 'Pay to open' });
  await price.getByRole('radio', { name: 'Other' }).check();
  await page.getByLabel('Pay to open, $').fill('500');
  await expect(page.getByText('Choose between $5 and $100.')).toBeVisible();
  await page.getByLabel('Pay to open, $').fill('12.50');
  await page.getByRole('group', { name: 'Tip to open' }).getByRole('radio', { name: '$20' }).check();
  await show(page, 'link-price-and-tip');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(sheet.getByRole('button', { name: '$12.50, or $20 or more as a tip,' })).toBeVisible();
  await show(page, 'link-for-sale');
  const url = await copyLink(page);
  await page.goto(`${app.url}/albums/${albumId}/settings`);
  const blurred = page.getByRole('group', { name: 'Before someone pays' }).getByRole('radio', { name: '3' });
  await blurred.click();
  await expect(blurred).toBeChecked();

  const phone = await openPhone(browser);
  const viewer = await phone.newPage();
  const said = await collectComplaints(viewer);
  await viewer.goto(url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await expect(viewer.getByRole('heading', { name: '$12.50, or $20 or more as a tip' })).toBeVisible();
  await expect(viewer.getByLabel('Message (optional)')).toBeHidden();
  await expect(viewer.getByRole('img', { name: '2 blurred pictures from this album' })).toBeVisible();
  await showViewerApp(viewer, 'door-price-and-tip');
  await viewer.getByRole('button', { name: '$20 tip' }).click();
  await expect(viewer.getByLabel('Message (optional)')).toBeVisible();
  await viewer.getByRole('button', { name: '$12.50', exact: true }).click();
  await expectTermsSent(viewer, refundPromise, () => viewer.getByRole('button', { name: 'Pay $12.50' }).dblclick());
  await viewer.getByLabel('Email').fill('bea@example.com');
  await viewer.getByLabel('Card number').fill('4242 4242 4242 4242');
  await viewer.getByRole('button', { name: 'Pay $12.50' }).click();
  await expect(viewer.getByRole('heading', { name: "It's yours to view" })).toBeVisible();
  await expect(viewer.getByText('No time limit. Receipt sent to b•••@example.com.')).toBeVisible();
  await show(viewer, 'album-purchase-success');
  await viewer.getByRole('link', { name: 'Open now' }).click();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 2);

  await page.goto(`${app.url}/earnings`);
  await expect(page.getByText('$11.25', { exact: true }).first()).toBeVisible();
  expect([...complaints, ...said]).toEqual([]);
  await phone.close();
});
