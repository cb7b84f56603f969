import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilSynced } from '#features/books/ledger-sync.ts';
import { reconcile, settleOpen } from '#features/money/reconcile.ts';
import { refundOwed } from '#features/returns/refunding.ts';
import {
  badCard,
  connectPayouts,
  payAt,
  post,
  sessionOf,
  tapDoor,
  tapPay,
  tipToOpen,
} from '#tests/support/money/selling.ts';
import { advance, must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
let accountId: string;
const hour = 3_600_000;

beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app);
  accountId = await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

const makeLink = (rules: object = {}, more: object = {}) => shared.makeLink({ ...tipToOpen(1000), ...rules }, more);

/** A viewer who stands before the price. */
async function comeTo(slug: string): Promise<Browser> {
  const browser = newBrowser();
  const { body } = await tapDoor(app, slug, browser);
  expect(body).toMatchObject({ reason: 'NEED_OFFER' });
  return browser;
}

async function orderOn(slug: string, browser: Browser, amountCents = 1000): Promise<string> {
  const { status, body } = await tapPay(app, slug, browser, amountCents);
  expect([status, body]).toEqual([200, { url: expect.stringContaining('/sandbox/pay/cs_test_') }]);
  return sessionOf(body.url);
}

const isOpen = async (slug: string, browser: Browser) =>
  (await post(app, `/api/view/${slug}/open`, {}, browser)).body === undefined;
const statusOf = (sessionId: string, browser: Browser = newBrowser()) =>
  must(app, 'viewing.checkoutStatus', { sessionId }, browser);
const ordersOf = (linkId: string) =>
  readRows(
    app,
    'select state, amount_cents from checkout_orders where link_id = $1 order by amount_cents, created_at, id',
    [linkId],
  );
const mailsTo = (email: string) =>
  readRows(app, 'select template from mail_outbox where recipient = $1 order by created_at', [email]);

describe('a price', () => {
  it('is said before any form, with what it opens and for how long', async () => {
    const { slug } = await makeLink({ openForMs: 24 * hour });
    const { status, body } = await tapDoor(app, slug, newBrowser());
    expect(status).toBe(200);
    expect(body).toMatchObject({
      title: '$10 or more',
      text: 'A tip opens 2 photos for 24 hours after you open it. View only – no download.',
      sale: { offers: [{ id: 'tip', minCents: 1000, presetsCents: [1000, 2000, 5000] }], photos: 2, isSandbox: true },
    });
  });

  it('is not asked where the creator cannot be paid any more, and nothing is sold', async () => {
    const other = await shareAlbum(app, { count: 1 });
    const account = await connectPayouts(app, other.creator);
    const { slug } = await other.makeLink(tipToOpen(500));
    const browser = await comeTo(slug);
    await app.engines.sandbox?.answerOnboarding(account, false);
    await must(app, 'money.checkAccount', {}, other.creator.browser);
    const door = await post(app, `/api/view/${slug}/open`, {}, browser);
    expect(door.body).toMatchObject({ title: 'Not accepting payments right now' });
    expect(door.body.sale).toBeUndefined();
    expect((await tapPay(app, slug, browser, 500)).body).toMatchObject({ title: 'Not accepting payments right now' });
  });

  it('cannot be paid with too little, too much, by another offer, or without a cookie', async () => {
    const { slug } = await makeLink();
    const browser = await comeTo(slug);
    expect((await tapPay(app, slug, browser, 999)).body).toMatchObject({
      code: 'PRICE_OUT_OF_RANGE',
      message: 'Choose between $10 and $100.',
    });
    expect((await tapPay(app, slug, browser, 10_001)).status).toBe(422);
    expect((await tapPay(app, slug, browser, 1000, { offerId: 'free' })).status).toBe(422);
    expect((await tapPay(app, slug, newBrowser())).body).toMatchObject({ reason: 'NEED_COOKIE' });
    expect((await tapPay(app, 'AAAAAAAAAAAAAAAAAAAAAA', browser)).body).toMatchObject({ reason: 'NOT_FOUND' });
  });
});

describe('a tip that opens a link', () => {
  it('opens it before any event has come, and pays the creator 90 %', async () => {
    app.engines.sandbox?.deliverTo(async () => 500);
    const { slug, id } = await makeLink();
    const browser = await comeTo(slug);
    const sessionId = await orderOn(slug, browser);
    expect(await statusOf(sessionId, browser)).toMatchObject({ state: 'processing' });
    expect(await payAt(app, sessionId, { email: 'Early@Example.com' })).toEqual({
      url: `http://localhost:3000/tip-success?session_id=${sessionId}`,
    });
    expect(await statusOf(sessionId, browser)).toMatchObject({
      state: 'done',
      amountCents: 1000,
      email: 'e•••@example.com',
      viewPath: `/view/${slug}`,
    });
    expect((await statusOf(sessionId)).viewPath, 'a reference alone opens nothing').toBeUndefined();
    expect(await isOpen(slug, browser)).toBe(true);
    expect(await isOpen(slug, await comeTo(slug))).toBe(false);
    expect(await ordersOf(id)).toEqual([{ state: 'paid', amount_cents: 1000 }]);
    await untilSynced(app.engines);
    const { rows } = await must(app, 'money.listEarnings', {}, shared.creator.browser);
    expect(rows[0]).toMatchObject({ kind: 'tip', amountCents: 900, grossCents: 1000, link: { id }, canRefund: true });
    expect(await readRow(app, 'select earnings_cents from magic_links where id = $1', [id])).toEqual({
      earnings_cents: 900,
    });
    expect(await mailsTo('early@example.com')).toEqual([{ template: 'receipt' }]);
  });

  it('opens at the door without a look at the page that says so, and without any event', async () => {
    const { slug } = await makeLink();
    const browser = await comeTo(slug);
    await payAt(app, await orderOn(slug, browser), { email: 'door@example.com' });
    expect(await isOpen(slug, browser)).toBe(true);
  });

  it('is one order, one receipt and one mail however often it is tapped, looked at and told', async () => {
    const { slug, id } = await makeLink();
    const browser = await comeTo(slug);
    const taps = await Promise.all([1, 2, 3, 4].map(() => tapPay(app, slug, { ...browser })));
    const sessions = new Set(taps.map(({ body }) => sessionOf(body.url)));
    expect([...sessions]).toHaveLength(1);
    const [sessionId = ''] = sessions;
    await Promise.all([1, 2, 3].map(() => payAt(app, sessionId, { email: 'often@example.com' })));
    await Promise.all([1, 2, 3, 4].map(() => statusOf(sessionId, browser)));
    await settleOpen(app.engines, 0);
    expect(await ordersOf(id)).toEqual([{ state: 'paid', amount_cents: 1000 }]);
    expect(await mailsTo('often@example.com')).toEqual([{ template: 'receipt' }]);
    expect((await tapPay(app, slug, browser)).body).toMatchObject({ code: 'ALREADY_PURCHASED' });
  });

  it('may be changed while it is not paid: the first amount can be paid no more', async () => {
    const { slug, id } = await makeLink();
    const browser = await comeTo(slug);
    const first = await orderOn(slug, browser, 1000);
    const second = await orderOn(slug, browser, 2000);
    expect(second).not.toBe(first);
    expect(await app.engines.sandbox?.findCheckout(first)).toMatchObject({ isOpen: false });
    await payAt(app, second, { email: 'changed@example.com' });
    expect(await isOpen(slug, browser)).toBe(true);
    expect(await ordersOf(id)).toEqual([
      { state: 'expired', amount_cents: 1000 },
      { state: 'paid', amount_cents: 2000 },
    ]);
  });

  it('that is declined charges nothing and can be tried again; one that is left expires', async () => {
    const { slug, id } = await makeLink();
    const browser = await comeTo(slug);
    const sessionId = await orderOn(slug, browser);
    expect(await payAt(app, sessionId, { card: badCard })).toEqual({ declined: 'Your card was declined.' });
    expect(await isOpen(slug, browser)).toBe(false);
    expect(await orderOn(slug, browser)).toBe(sessionId);
    advance(app, 2 * hour);
    await settleOpen(app.engines);
    expect(await ordersOf(id)).toEqual([{ state: 'expired', amount_cents: 1000 }]);
    expect(await statusOf(sessionId, browser)).toMatchObject({ state: 'failed' });
    const again = await orderOn(slug, browser);
    await payAt(app, again, { email: 'late@example.com' });
    expect(await isOpen(slug, browser)).toBe(true);
  });

  it('outlives the expiry of the link and a later change of its rules, and never its revocation', async () => {
    const { slug, id } = await makeLink({}, { expiry: { kind: 'after', hours: 1 } });
    const browser = await comeTo(slug);
    await payAt(app, await orderOn(slug, browser), { email: 'keeps@example.com' });
    const change = { linkId: id, rules: { ageGate: false, ...tipToOpen(5000) } };
    await must(app, 'links.update', change, shared.creator.browser);
    expect(await isOpen(slug, browser)).toBe(true);
    advance(app, 2 * hour);
    expect(await isOpen(slug, browser)).toBe(true);
    await must(app, 'links.revoke', { linkIds: [id] }, shared.creator.browser);
    expect((await post(app, `/api/view/${slug}/open`, {}, browser)).body).toMatchObject({ reason: 'REVOKED' });
    expect((await tapPay(app, slug, browser)).body).toMatchObject({ reason: 'REVOKED' });
  });
});

describe('a link of few places', () => {
  it('keeps one for whoever is paying, and gives it back when they do not', async () => {
    const { slug, id } = await makeLink({ bindFirstViewer: true });
    const [first, second] = [await comeTo(slug), await comeTo(slug)];
    const [one, two] = await Promise.all([tapPay(app, slug, first), tapPay(app, slug, second)]);
    const [winner, loser] = 'url' in one.body ? [first, second] : [second, first];
    expect([one.body, two.body].filter((body) => 'url' in body)).toHaveLength(1);
    expect((await post(app, `/api/view/${slug}/open`, {}, loser)).body).toMatchObject({ reason: 'NOT_FOUND' });
    advance(app, 2 * hour);
    await settleOpen(app.engines);
    const sessionId = await orderOn(slug, loser);
    await payAt(app, sessionId, { email: 'place@example.com' });
    expect(await isOpen(slug, loser)).toBe(true);
    expect(await isOpen(slug, winner)).toBe(false);
    expect(await readRow(app, 'select places_taken from magic_links where id = $1', [id])).toEqual({ places_taken: 1 });
    expect(await readRows(app, 'select from place_reservations where link_id = $1', [id])).toEqual([]);
  });
});

describe('a refund', () => {
  it('by the creator closes the link at once, comes back to the cent, and is made once', async () => {
    const { slug, id } = await makeLink();
    const browser = await comeTo(slug);
    await payAt(app, await orderOn(slug, browser, 1999), { email: 'back@example.com' });
    expect(await isOpen(slug, browser)).toBe(true);
    const earned = async () => (await must(app, 'money.earnings', {}, shared.creator.browser)).earnings.totalEarned;
    await untilSynced(app.engines);
    const before = await earned();
    const { rows } = await must(app, 'money.listEarnings', { filter: 'tips' }, shared.creator.browser);
    const orderId = rows.find((row: { link: { id: string } }) => row.link.id === id)?.orderId;
    const other = await shareAlbum(app, { count: 1 });
    expect((await app.call('money.refund', { orderId }, other.creator.browser)).status).toBe(404);
    const asked = await Promise.all([1, 2].map(() => app.call('money.refund', { orderId }, shared.creator.browser)));
    expect(asked.map(({ status }) => status)).toEqual([200, 200]);
    expect(await ordersOf(id)).toEqual([{ state: 'refunded', amount_cents: 1999 }]);
    expect(before - (await earned())).toBe(1800);
    expect(await isOpen(slug, browser)).toBe(false);
    const refunds = await readRows(app, 'select state from refunds where order_id = $1', [orderId]);
    expect(refunds).toEqual([{ state: 'succeeded' }]);
    const { rows: lines } = await must(app, 'money.listEarnings', { filter: 'refunds' }, shared.creator.browser);
    expect(lines[0]).toMatchObject({ kind: 'refund', orderId, amountCents: -1800, grossCents: 1999 });
  });

  it('follows by itself when the creator ends a link before it was opened, once that cannot be undone', async () => {
    const { slug, id } = await makeLink();
    const browser = await comeTo(slug);
    const sessionId = await orderOn(slug, browser);
    await payAt(app, sessionId, { email: 'ended@example.com' });
    await statusOf(sessionId, browser);
    await must(app, 'links.revoke', { linkIds: [id] }, shared.creator.browser);
    await refundOwed(app.engines);
    expect(await ordersOf(id), 'it may still be undone').toEqual([{ state: 'paid', amount_cents: 1000 }]);
    advance(app, 25 * hour);
    await refundOwed(app.engines);
    expect(await ordersOf(id)).toEqual([{ state: 'refunded', amount_cents: 1000 }]);
  });

  it('is not owed for what was opened and paid long before it ended', async () => {
    const { slug, id } = await makeLink();
    const browser = await comeTo(slug);
    await payAt(app, await orderOn(slug, browser), { email: 'old@example.com' });
    expect(await isOpen(slug, browser)).toBe(true);
    advance(app, 8 * 24 * hour);
    await must(app, 'links.revoke', { linkIds: [id] }, shared.creator.browser);
    advance(app, 25 * hour);
    await refundOwed(app.engines);
    expect(await ordersOf(id)).toEqual([{ state: 'paid', amount_cents: 1000 }]);
  });
});

describe('a receipt', () => {
  it('is shown to whoever has its code, and a made-up one is nobody’s', async () => {
    const { slug } = await makeLink();
    const browser = await comeTo(slug);
    const sessionId = await orderOn(slug, browser);
    await payAt(app, sessionId, { email: 'receipt@example.com' });
    const { receiptPath } = await statusOf(sessionId, browser);
    const code = String(receiptPath).replace('/receipt/', '');
    expect(await must(app, 'money.receipt', { code }, newBrowser())).toMatchObject({
      amountCents: 1000,
      email: 'r•••@example.com',
      refundedCents: 0,
    });
    const forged = `${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`;
    expect((await app.call('money.receipt', { code: forged })).status).toBe(404);
    expect((await app.call('viewing.checkoutStatus', { sessionId: 'cs_test_nobody' })).body).toMatchObject({
      state: 'unknown',
    });
  });
});

it('the books add up to nothing and agree with the provider', async () => {
  expect(await reconcile(app.engines)).toEqual([]);
  expect(accountId).toMatch(/^acct_/);
});
