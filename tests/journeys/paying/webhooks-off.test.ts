import { expect, openPhone, test } from '../support/app.ts';
import { call, makeAlbum } from '../support/calls.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { copyLink, expectPainted } from '../support/steps.ts';

test('without any webhook an album is paid, opened, earned and paid back', async ({ page, app, browser }) => {
  await app.deliverPaymentEvents(false);
  try {
    await app.newCreator(page);
    const albumId = await makeAlbum(page, app.url, 'Beach', pictureFiles('sea', 'dunes'));
    const { url: onboarding } = await call<{ url: string }>(page, app.url, 'POST', '/stripe-connect-onboarding', {
      country: 'US',
    });
    await page.goto(onboarding);
    await page.getByRole('button', { name: 'Complete everything' }).click();
    await expect(page.getByText('Nothing earned yet')).toBeVisible();
    await page.goto(`${app.url}/albums/${albumId}/links?new=1`);
    await page.getByRole('dialog').getByRole('button', { name: 'free' }).click();
    await page.getByRole('group', { name: 'Pay to open' }).getByRole('radio', { name: '$10' }).check();
    await page.getByRole('button', { name: 'Done' }).click();
    const url = await copyLink(page);

    const phone = await openPhone(browser);
    const viewer = await phone.newPage();
    await viewer.goto(url);
    await viewer.getByRole('button', { name: 'Open', exact: true }).click();
    await viewer.getByRole('button', { name: 'Yes' }).click();
    await viewer.getByRole('button', { name: 'Pay $10' }).click();
    await viewer.getByLabel('Email').fill('bea@example.com');
    await viewer.getByLabel('Card number').fill('4242 4242 4242 4242');
    await viewer.getByRole('button', { name: 'Pay $10' }).click();
    await expect(viewer.getByRole('heading', { name: "It's yours to view" })).toBeVisible();
    await viewer.getByRole('link', { name: 'Open now' }).click();
    await viewer.getByRole('button', { name: 'Open', exact: true }).click();
    await expectPainted(viewer, 2);

    await page.goto(`${app.url}/earnings`);
    await expect(page.getByText('$9.00', { exact: true }).first()).toBeVisible();
    await page.getByRole('button', { name: 'More about the payment of $10.00' }).click();
    await page.getByRole('menuitem', { name: /Refund/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Refund/ })
      .click();
    await expect(page.getByText('Refunded', { exact: true }).first()).toBeVisible();
    await expect(viewer.getByRole('heading', { name: 'Access ended' })).toBeVisible({ timeout: 30_000 });
    await phone.close();
  } finally {
    await app.deliverPaymentEvents(true);
  }
});
