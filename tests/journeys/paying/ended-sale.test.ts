import { expect, openPhone, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { openShop } from '../support/selling.ts';
import { show, showViewerApp } from '../support/showing.ts';

test('a link is revoked while people pay for it: who has not paid is told so, who paid after that has their money back', async ({
  page,
  ownApp,
  browser,
}) => {
  const { url } = ownApp;
  // Nobody is told of what is paid before somebody asks.
  await ownApp.deliverPaymentEvents(false);
  const { id, open, pay } = await openShop(page, ownApp, 1500);
  const [slowPhone, latePhone] = [await openPhone(browser), await openPhone(browser)];
  const [slow, late] = [await slowPhone.newPage(), await latePhone.newPage()];
  await open(slow);
  await slow.getByRole('button', { name: 'Yes' }).click();
  await slow.getByRole('button', { name: 'Pay $15', exact: true }).click();
  await expect(slow.getByLabel('Card number')).toBeVisible();
  const sessionId = new URL(slow.url()).pathname.split('/').at(-1);

  // The link is revoked before this is paid: an hour later, by the clock of money.
  await ownApp.turnClock(3600);
  await late.route(/checkout-?status/i, (route) => route.abort());
  await pay(late, 'bea@example.com');
  await late.waitForURL(/album-purchase-success/);
  await ownApp.turnClock(0);
  await call(page, url, 'POST', '/links/revoke', { linkIds: [id] });

  await expect(async () => {
    await slow.reload();
    await expect(slow.getByRole('heading', { name: 'This payment is over' })).toBeVisible({ timeout: 3000 });
  }).toPass();
  await expect(async () => {
    await slow.goto(`${url}/album-purchase-success?session_id=${sessionId}`);
    await expect(slow.getByRole('heading', { name: 'No longer for sale' })).toBeVisible({ timeout: 3000 });
    await expect(slow.getByText('The creator has ended access to this link. Nothing was charged.')).toBeVisible();
  }).toPass();
  await show(slow, 'ended-before-paying');

  await late.unroute(/checkout-?status/i);
  await late.reload();
  await expect(late.getByRole('heading', { name: 'Your payment goes back to you' })).toBeVisible();
  await expect(late.getByText('all of it, $15.00, goes back to your card')).toBeVisible();
  await expect(late.getByRole('link', { name: 'Open now' })).toBeHidden();
  await show(late, 'paid-after-end');
  await open(late);
  await expect(late.getByText('Your payment of $15.00 arrived when this was not for sale')).toBeVisible();
  await showViewerApp(late, 'door-paid-after-end');
  const { link } = await ownApp.readEmail('bea@example.com', 'Your payment arrived after that');
  await expect(async () => {
    await late.goto(link);
    await expect(late.getByText('$15.00 refunded')).toBeVisible({ timeout: 3000 });
  }).toPass();
  await slowPhone.close();
  await latePhone.close();
});
