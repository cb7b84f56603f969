import { afterAll, beforeAll, expect, it } from 'vitest';
import { mostTipFor } from '#features/orders/rules.ts';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { advance, must } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { writeSettings } from '#tests/support/write-settings.ts';

const day = 86_400_000;
let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

it('an operator may let them tip more, and sooner', async () => {
  await writeSettings(app, { 'money.mostKnownTipCents': 30_000, 'money.knownBuyerDays': 10 });
  const [first, second] = [await shared.makeLink(tipToOpen(500)), await shared.makeLink(tipToOpen(500))];
  const browser = newBrowser();
  await tapDoor(app, first.slug, browser);
  expect((await tapPay(app, first.slug, browser, 30_001)).body.message).toBe(
    'Choose between $5 and $100. You can tip up to $300 from 10 days after your first payment.',
  );
  const sessionId = sessionOf((await tapPay(app, first.slug, browser, 1000)).body.url);
  await payAt(app, sessionId, { email: 'sooner@example.com' });
  await must(app, 'viewing.checkoutStatus', { sessionId }, browser);
  advance(app, 11 * day);
  expect((await tapDoor(app, second.slug, browser)).body.sale.mostCents).toBe(30_000);
  await writeSettings(app, { 'money.mostKnownTipCents': 20_000, 'money.knownBuyerDays': 120 });
});

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
  advance(app, 119 * day);
  expect((await tapDoor(app, second.slug, browser)).body.sale.mostCents).toBe(10_000);
  advance(app, 2 * day);
  expect((await tapDoor(app, second.slug, browser)).body.sale.mostCents).toBe(20_000);
  expect((await tapPay(app, second.slug, browser, 20_001)).body.message).toBe('Choose between $5 and $200.');
  expect((await tapPay(app, second.slug, browser, 20_000)).body.url).toContain('/sandbox/pay/');
  expect((await tapPay(app, second.slug, newBrowser(), 20_000)).body.url).toBeUndefined();
});

it('the days are over at their very instant, and are those of the settings', () => {
  const paidAt = new Date('2026-01-01T00:00:00Z');
  const known = { days: 30, mostCents: 15_000 };
  const at = (ms: number) => mostTipFor(paidAt, new Date(paidAt.getTime() + ms), known);
  expect([at(30 * day - 1), at(30 * day), mostTipFor(undefined, new Date(), known)]).toEqual([10_000, 15_000, 10_000]);
});
