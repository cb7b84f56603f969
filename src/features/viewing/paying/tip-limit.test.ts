import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { mostTipFor } from '#features/money/rules.ts';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { must, pass } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const day = 86_400_000;
let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

it('a new buyer tips $100 at most, which the price says; after 120 days $200', async () => {
  const [first, second] = [
    await shared.makeLink(tipToOpen(500), { expiry: { kind: 'never' } }),
    await shared.makeLink(tipToOpen(500), { expiry: { kind: 'never' } }),
  ];
  const browser = newBrowser();
  expect((await tapDoor(app, first.slug, browser)).body.sale.mostCents).toBe(10_000);
  const { body: tooMuch } = await tapPay(app, first.slug, browser, 10_001);
  expect(tooMuch).toMatchObject({
    code: 'PRICE_OUT_OF_RANGE',
    message: 'Choose between $5 and $100. You can tip up to $200 from 120 days after your first payment.',
  });
  const sessionId = sessionOf((await tapPay(app, first.slug, browser, 10_000)).body.url);
  await payAt(app, sessionId);
  await must(app, 'viewing.checkoutStatus', { sessionId }, browser);
  pass(app, 119 * day);
  expect((await tapDoor(app, second.slug, browser)).body.sale.mostCents).toBe(10_000);
  pass(app, 2 * day);
  expect((await tapDoor(app, second.slug, browser)).body.sale.mostCents).toBe(20_000);
  expect((await tapPay(app, second.slug, browser, 20_001)).body.message).toBe('Choose between $5 and $200.');
  expect((await tapPay(app, second.slug, browser, 20_000)).body.url).toContain('/sandbox/pay/');
  expect((await tapPay(app, second.slug, newBrowser(), 20_000)).body.url).toBeUndefined();
});

it('the 120 days are over at their very instant', () => {
  const paidAt = new Date('2026-01-01T00:00:00Z');
  const at = (ms: number) => mostTipFor(paidAt, new Date(paidAt.getTime() + ms));
  expect([at(120 * day - 1), at(120 * day), mostTipFor(undefined, new Date())]).toEqual([10_000, 20_000, 10_000]);
});
