import type { Page } from '@playwright/test';
import { formatMoney } from '#kit/text.ts';
import { expect, type JourneyApp } from './app.ts';
import { type Caller, call, makeAlbum } from './calls.ts';
import { pictureFiles } from './seeded-data.ts';
import type { Creator } from './signing-up.ts';

/** A new creator with an album behind a link that has to be paid, whose payouts are set up. */
export interface Shop {
  creator: Creator;
  /** Of the link. */
  id: string;
  slug: string;
  /** Comes to the link, and through its first door. */
  open(viewer: Page): Promise<void>;
  /** Comes to the link for the first time and pays; what follows is whatever that card does. */
  pay(viewer: Page, email: string, card?: string): Promise<void>;
  /** As `pay`, with a card that simply pays. */
  buy(viewer: Page, email: string): Promise<void>;
}

/** @param priceCents whole dollars */
export async function openShop(page: Caller, app: JourneyApp, priceCents: number): Promise<Shop> {
  const { url } = app;
  const creator = await app.newCreator(page);
  const albumId = await makeAlbum(page, url, 'Beach', pictureFiles('sea'));
  const { url: onboarding } = await call<{ url: string }>(page, url, 'POST', '/stripe-connect-onboarding', {
    country: 'US',
  });
  const answer = { form: { answer: 'complete' }, headers: { origin: url } };
  expect((await page.request.post(onboarding, answer)).ok()).toBe(true);
  await call(page, url, 'POST', '/check-payout-account', {});
  const rules = { offers: [{ id: 'pay', all: [{ kind: 'pay', priceCents }] }] };
  const params = { albumIds: [albumId], rules, isLaxConfirmed: true };
  const { id, slug } = await call<{ id: string; slug: string }>(page, url, 'POST', '/links', params);
  const open = async (viewer: Page) => {
    await viewer.goto(`${url}/view/${slug}`);
    await viewer.getByRole('button', { name: 'Open', exact: true }).click();
  };
  const pay = async (viewer: Page, email: string, card = '4242 4242 4242 4242') => {
    await open(viewer);
    await viewer.getByRole('button', { name: 'Yes' }).click();
    await viewer.getByRole('button', { name: `Pay $${priceCents / 100}`, exact: true }).click();
    await viewer.getByLabel('Email').fill(email);
    await viewer.getByLabel('Card number').fill(card);
    await viewer.getByRole('button', { name: `Pay ${formatMoney(priceCents, 'USD')}` }).click();
  };
  return {
    creator,
    id,
    slug,
    open,
    pay,
    async buy(viewer, email) {
      await pay(viewer, email);
      await expect(viewer.getByRole('heading', { name: "It's yours to view" })).toBeVisible();
    },
  };
}
