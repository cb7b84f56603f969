import type { Page } from '@playwright/test';
import { expect, openPhone, test } from '../support/app.ts';
import { call } from '../support/calls.ts';
import { openShop, type Shop } from '../support/selling.ts';
import { show } from '../support/showing.ts';

test.setTimeout(300_000);
const aDay = 86_400 + 3600;
const disputed = '4000 0000 0000 0259';
const pays = '4242 4242 4242 4242';

test('whoever comes back from a checkout of a plan is told how it stands', async ({ page, ownApp, browser }) => {
  const { url } = ownApp;
  await ownApp.newCreator(page);
  await page.goto(`${url}/?canceled=true`);
  await expect(page.getByText('Your subscription was not activated.').first()).toBeVisible();
  await expect(page).toHaveURL(`${url}/`);
  await show(page, 'plan-canceled');
  await page.goto(`${url}/?success=true`);
  await expect(page).toHaveURL(`${url}/`);
  for (const words of ['Processing your subscription...', 'Payment Successful!'])
    await expect(page.getByText(words), 'an address alone congratulates nobody').toHaveCount(0);

  const phone = await openPhone(browser);
  const visitor = await phone.newPage();
  const params = { email: 'late@example.com', mode: 'embedded', trialCode: 'FREE7' };
  const { clientSecret } = await call<{ clientSecret: string }>(visitor, url, 'POST', '/create-trial-checkout', params);
  const back = `${url}/post-checkout?session_id=${clientSecret.split('_secret_')[0]}`;
  await visitor.goto(back);
  await expect(visitor.getByRole('heading', { name: 'Setting up your account' })).toBeVisible();
  await expect(visitor.getByRole('heading', { name: 'Still processing' })).toBeVisible({ timeout: 40_000 });
  await show(visitor, 'post-checkout-still-processing');
  await ownApp.turnClock(aDay);
  await visitor.goto(back);
  await expect(visitor.getByRole('heading', { name: 'Nothing was charged' })).toBeVisible();
  await show(visitor, 'post-checkout-failed');
  await phone.close();
});

test('whoever comes back from paying a creator is told how it stands', async ({ page, ownApp, browser }) => {
  const { url } = ownApp;
  const shop = await openShop(page, ownApp, 1500);
  const phone = await openPhone(browser);
  const viewer = await phone.newPage();
  const tipLink = await makeTipLink(page, url);

  await shop.pay(viewer, 'ida@example.com', disputed);
  await expect(viewer.getByRole('heading', { name: 'Access is on hold' })).toBeVisible();
  await show(viewer, 'purchase-on-hold');
  await payTip(viewer, tipLink, disputed);
  await expect(viewer.getByRole('heading', { name: 'Access is on hold' })).toBeVisible();
  await show(viewer, 'tip-on-hold');
  await phone.close();

  const other = await openPhone(browser);
  const second = await other.newPage();
  await shop.buy(second, 'bea@example.com');
  const bought = second.url();
  await payTip(second, tipLink, pays);
  await expect(second.getByRole('heading', { name: 'Thank you!' })).toBeVisible();
  const tipped = second.url();
  for (const amount of ['$15.00', '$10.00']) await refund(page, url, amount);
  for (const [address, name] of [
    [bought, 'purchase-returned'],
    [tipped, 'tip-returned'],
  ] as const) {
    await second.goto(address);
    await expect(second.getByRole('heading', { name: 'This payment was returned' })).toBeVisible();
    await show(second, name);
  }
  await other.close();

  const third = await openPhone(browser);
  const waiting = await third.newPage();
  const unpaid = [
    { name: 'purchase', address: `${url}/album-purchase-success?session_id=${await beginBuying(waiting, shop)}` },
    { name: 'tip', address: `${url}/tip-success?session_id=${await beginTip(waiting, tipLink)}` },
  ];
  for (const { name, address } of unpaid) {
    await waiting.goto(address);
    await expect(waiting.getByText('Checking your payment…')).toBeVisible();
    // It says so once it has asked for twenty seconds.
    const isLong = waiting.getByRole('heading', { name: 'Your bank is taking longer' });
    await expect(isLong).toBeVisible({ timeout: 40_000 });
    await show(waiting, `${name}-processing`);
  }
  await ownApp.turnClock(aDay);
  for (const { name, address } of unpaid) {
    await waiting.goto(address);
    await expect(waiting.getByRole('heading', { name: "This payment didn't go through" })).toBeVisible();
    await show(waiting, `${name}-failed`);
  }
  await third.close();
});

/** Of the same creator, behind a tip. @returns its address */
async function makeTipLink(page: Page, url: string): Promise<string> {
  const { albums } = await call<{ albums: { id: string }[] }>(page, url, 'GET', '/albums');
  const rules = { offers: [{ id: 'tip', all: [{ kind: 'tip', minCents: 1000 }] }] };
  const params = { albumIds: albums.map(({ id }) => id), rules, isLaxConfirmed: true };
  const { slug } = await call<{ slug: string }>(page, url, 'POST', '/links', params);
  return `${url}/view/${slug}`;
}

/** @returns the checkout on whose page they are */
async function sessionAt(viewer: Page): Promise<string> {
  await viewer.waitForURL(/\/sandbox\/pay\//);
  return new URL(viewer.url()).pathname.split('/').at(-1) ?? '';
}

/** Through the doors of a link, which may know this browser already. */
async function tapThrough(viewer: Page, amount: string): Promise<void> {
  const isAdult = viewer.getByRole('button', { name: 'Yes' });
  const pay = viewer.getByRole('button', { name: `Pay ${amount}`, exact: true });
  await expect(isAdult.or(pay).first()).toBeVisible();
  if (await isAdult.isVisible()) await isAdult.click();
  await pay.click();
}

async function beginTip(viewer: Page, link: string): Promise<string> {
  await viewer.goto(link);
  await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  await tapThrough(viewer, '$10');
  return sessionAt(viewer);
}

async function beginBuying(viewer: Page, shop: Shop): Promise<string> {
  await shop.open(viewer);
  await tapThrough(viewer, '$15');
  return sessionAt(viewer);
}

async function payTip(viewer: Page, link: string, card: string): Promise<void> {
  await beginTip(viewer, link);
  await viewer.getByLabel('Email').fill('tia@example.com');
  await viewer.getByLabel('Card number').fill(card);
  await viewer.getByRole('button', { name: 'Pay $10.00' }).click();
}

/** Gives back what can be given back of this amount. */
async function refund(page: Page, url: string, amount: string): Promise<void> {
  await page.goto(`${url}/earnings`);
  await page
    .getByRole('button', { name: `More about the payment of ${amount}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'Refund' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click();
  await expect(page.getByText('Refunded', { exact: true }).first()).toBeVisible();
}
