import type { Page } from '@playwright/test';
import { expect, openPhone, test } from '../support/app.ts';
import { call, makeAlbum } from '../support/calls.ts';
import { collectComplaints } from '../support/complaints.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show, showViewerApp } from '../support/showing.ts';
import { connectStripe, expectPainted } from '../support/steps.ts';

test('what was paid for on a phone opens in another browser by a mailed link, once', { tag: '@main' }, async ({
  page,
  app,
  browser,
}) => {
  await app.newCreator(page);
  const albumId = await makeAlbum(page, app.url, 'Beach', pictureFiles('sea'));
  await page.goto(`${app.url}/earnings`);
  await connectStripe(page);
  const rules = { offers: [{ id: 'pay', all: [{ kind: 'pay', priceCents: 1500 }] }] };
  const params = { albumIds: [albumId], rules, isLaxConfirmed: true };
  const { slug } = await call<{ slug: string }>(page, app.url, 'POST', '/links', params);
  const openDoor = async (viewer: Page) => {
    await viewer.goto(`${app.url}/view/${slug}`);
    await viewer.getByRole('button', { name: 'Open', exact: true }).click();
    await viewer.getByRole('button', { name: 'Yes' }).click();
  };

  const phone = await openPhone(browser);
  const payer = await phone.newPage();
  await openDoor(payer);
  await payer.getByRole('button', { name: 'Pay $15' }).click();
  const email = `payer-${process.pid}@example.com`;
  await payer.getByLabel('Email').fill(email);
  await payer.getByLabel('Card number').fill('4242 4242 4242 4242');
  await payer.getByRole('button', { name: 'Pay $15.00' }).click();
  await expect(payer.getByRole('heading', { name: "It's yours to view" })).toBeVisible();
  await show(payer, 'album-purchase-success');
  await payer.getByRole('link', { name: 'My purchases' }).click();
  await expect(payer.getByRole('listitem')).toHaveCount(1);
  await phone.close();

  const elsewhere = await browser.newContext();
  const viewer = await elsewhere.newPage();
  const complaints = await collectComplaints(viewer);
  await openDoor(viewer);
  const alreadyPaid = viewer.getByRole('link', { name: 'Already paid? Get your link by email' });
  await expect(alreadyPaid).toBeVisible();
  await showViewerApp(viewer, 'door-already-paid');
  await alreadyPaid.click();
  await viewer.getByLabel('Email').fill(email);
  await show(viewer, 'find-my-purchases');
  await viewer.getByRole('button', { name: 'Send me a link' }).click();
  await expect(viewer.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await show(viewer, 'find-my-purchases-sent');
  const { link } = await app.readEmail(email, 'It works once');
  await viewer.goto('about:blank');
  await viewer.goto(link);
  await expect(viewer).toHaveURL(`${app.url}/find-my-purchases`);
  await show(viewer, 'find-my-purchases-mailed');
  await viewer.getByRole('button', { name: 'Show my purchases' }).click();
  await expect(viewer.getByRole('heading', { name: 'My purchases' })).toBeVisible();
  await show(viewer, 'my-purchases');
  await viewer.getByRole('button', { name: 'Open' }).click();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  const yes = viewer.getByRole('button', { name: 'Yes' });
  await expect(yes.or(viewer.locator('canvas').first())).toBeVisible();
  if (await yes.isVisible()) await yes.click();
  await expectPainted(viewer, 1);
  expect(complaints).toEqual([]);
  await elsewhere.close();

  const third = await browser.newContext();
  const late = await third.newPage();
  await late.goto(link);
  await late.getByRole('button', { name: 'Show my purchases' }).click();
  await expect(late.getByRole('heading', { name: "This link doesn't work" })).toBeVisible();
  await show(late, 'find-my-purchases-over');
  await late.goto(`${app.url}/my`);
  await expect(late.getByText('Nothing bought in this browser')).toBeVisible();
  await show(late, 'my-purchases-none');
  await third.close();
});
