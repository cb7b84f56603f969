import { expect, openPhone, test } from '../support/app.ts';
import { makeAlbum } from '../support/calls.ts';
import { collectComplaints } from '../support/complaints.ts';
import { pictureFiles } from '../support/seeded-data.ts';
import { show, showViewerApp } from '../support/showing.ts';
import { expectDark, expectPainted, listLinks, openStripe, tapCopy } from '../support/steps.ts';
import { setUpTwoStep } from '../support/two-step.ts';

test.setTimeout(300_000);

test('a tip opens a link, arrives at its creator, and goes back again', { tag: '@main' }, async ({
  page,
  app,
  browser,
}) => {
  const complaints = await collectComplaints(page);
  const { password } = await app.newCreator(page);
  const albumId = await makeAlbum(page, app.url, 'Beach', pictureFiles('sea', 'dunes'));
  await page.goto(`${app.url}/earnings`);
  await expect(page.getByRole('heading', { name: 'Get Paid' })).toBeVisible();
  await show(page, 'earnings-before');
  // By the keyboard alone.
  await page.getByRole('button', { name: 'Connect Stripe' }).press('Enter');
  const country = page.getByRole('combobox', { name: 'Country' });
  await expect(country).toHaveText('Germany');
  await expect(page.getByText('It cannot be changed later.')).toBeVisible();
  await show(page, 'payout-country');
  await country.press('Enter');
  await page.getByRole('option', { name: 'Germany' }).press('ArrowUp');
  await page.getByRole('option', { name: 'France' }).press('Enter');
  await expect(country).toHaveText('France');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Continue to Stripe' }).press('Enter');
  const stripe = await opened;
  await expect(stripe.getByText('Test payments, no real money')).toBeVisible();
  await show(stripe, 'sandbox-onboarding');
  await stripe.getByRole('button', { name: 'Complete everything' }).click();
  await expect(stripe.getByRole('button', { name: 'Manage Account' })).toBeVisible();
  await expect(stripe.getByText('Nothing earned yet')).toBeVisible();
  await stripe.close();
  await page.reload();
  // What is above it moves it until it is there.
  await expect(page.getByText('Nothing earned yet')).toBeVisible();
  await page.getByRole('button', { name: 'Manage Account' }).click();
  await expect(page.getByRole('dialog', { name: 'Set up two-step sign-in first' })).toBeVisible();
  await show(page, 'payout-account-two-step');
  await page.keyboard.press('Escape');
  await setUpTwoStep(page, app.url, password);
  await page.getByRole('button', { name: 'Manage Account' }).click();
  await page.getByLabel('Your password').fill(password);
  await show(page, 'payout-account-password');
  const account = await openStripe(page, 'Open account');
  await expect(account.getByRole('heading', { name: 'Your payout account' })).toBeVisible();
  await show(account, 'sandbox-account');
  await account.getByRole('link', { name: 'Back to PrivateFans' }).click();
  await expect(account.getByText('Nothing earned yet')).toBeVisible();
  await account.close();

  await page.goto(`${app.url}/albums/${albumId}/links?new=1`);
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'free' }).click();
  await show(page, 'link-price');
  await page.getByRole('group', { name: 'Tip to open' }).getByRole('radio', { name: '$10' }).check();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(sheet.getByRole('button', { name: '$10 or more as a tip' })).toBeVisible();
  await show(page, 'link-for-a-tip');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await tapCopy(page);
  await expect(page.getByText('Link copied').first()).toBeVisible();
  const [{ url } = { url: '' }] = await listLinks(page, app.url);
  await page.keyboard.press('Escape');

  const phone = await openPhone(browser);
  const viewer = await phone.newPage();
  const said = await collectComplaints(viewer);
  await viewer.goto(url);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await viewer.getByRole('button', { name: 'Yes' }).click();
  await expect(viewer.getByRole('heading', { name: '$10 or more' })).toBeVisible();
  await expect(viewer.getByText('A tip opens 2 photos. View only – no download.')).toBeVisible();
  await expectDark(viewer);
  await showViewerApp(viewer, 'door-price');
  await viewer.getByRole('button', { name: 'Other' }).click();
  await viewer.getByLabel('Your tip', { exact: true }).last().fill('3');
  await expect(viewer.getByRole('button', { name: '$10 to $100' })).toBeDisabled();
  await viewer.getByRole('button', { name: '$20', exact: true }).click();
  await viewer.getByLabel('Message (optional)').fill('For the sea');
  await viewer.getByRole('button', { name: 'Pay $20' }).dblclick();

  await expect(viewer.getByRole('heading', { name: '$20.00' })).toBeVisible();
  await showViewerApp(viewer, 'sandbox-pay');
  await viewer.getByLabel('Email').fill('bob@example.com');
  await viewer.getByLabel('Card number').fill('4000 0000 0000 0002');
  await viewer.getByRole('button', { name: 'Pay $20.00' }).click();
  await expect(viewer.getByRole('alert')).toHaveText('Your card was declined. Nothing was charged.');
  await viewer.getByLabel('Card number').fill('4242 4242 4242 4242');
  await viewer.getByRole('button', { name: 'Pay $20.00' }).click();
  await expect(viewer.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
  await expect(viewer.getByText('Receipt sent to b•••@example.com.')).toBeVisible();
  await show(viewer, 'tip-success');
  await viewer.getByRole('link', { name: 'Open album' }).click();
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await expectPainted(viewer, 2);

  await page.goto(`${app.url}/earnings`);
  await expect(page.getByText('$18.00', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('“For the sea”')).toBeVisible();
  await show(page, 'earnings');
  const { link } = await app.readEmail('bob@example.com', 'Receipt no.');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: '$20.00' })).toBeVisible();
  await show(page, 'receipt');

  await page.goto(`${app.url}/earnings`);
  await page.getByRole('button', { name: 'More about the payment of $20.00' }).click();
  await page.getByRole('menuitem', { name: 'Refund' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click();
  await expect(page.getByText('−$18.00')).toBeVisible();
  await show(page, 'earnings-refunded');
  await page.getByRole('link', { name: 'Payouts' }).click();
  await expect(page.getByRole('heading', { name: 'Payouts', exact: true })).toBeVisible();
  await show(page, 'payouts');
  await expect(viewer.getByRole('heading', { name: 'Access ended' })).toBeVisible({ timeout: 40_000 });
  await expectDark(viewer);
  await viewer.getByRole('button', { name: 'Open again' }).click();
  await expect(viewer.getByRole('heading', { name: '$10 or more' })).toBeVisible();
  await phone.close();
  // A lease that is not renewed any more is what the refund is to bring.
  expect([...complaints, ...said].filter((line) => !line.includes('410 (Gone)'))).toEqual([]);
});
