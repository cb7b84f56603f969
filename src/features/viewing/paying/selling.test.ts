import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcile, settleOpen } from '#features/money/reconcile.ts';
import { refundOwed } from '#features/returns/refunding.ts';
import { connectPayouts, payAt, payToOpen, post, sessionOf, tapDoor, tapPay } from '#tests/support/money/selling.ts';
import { advance, must, readRows } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
const hour = 3_600_000;

beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app);
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

const makeLink = (rules: object = payToOpen(1500), more: object = {}) => shared.makeLink(rules, more);

async function comeTo(slug: string): Promise<Browser> {
  const browser = newBrowser();
  expect((await tapDoor(app, slug, browser)).body).toMatchObject({ reason: 'NEED_OFFER' });
  return browser;
}

const buy = (slug: string, browser: Browser, amountCents = 1500) =>
  tapPay(app, slug, browser, amountCents, { offerId: 'pay' });

async function bought(slug: string, browser: Browser, amountCents = 1500): Promise<string> {
  const { status, body } = await buy(slug, browser, amountCents);
  expect([status, body]).toEqual([200, { url: expect.stringContaining('/sandbox/pay/cs_test_') }]);
  const sessionId = sessionOf(body.url);
  await pay(sessionId, 'buyer@example.com');
  return sessionId;
}

/** Somebody pays, and we know it: what a webhook tells may come a moment later. */
async function pay(sessionId: string, email: string): Promise<void> {
  await payAt(app, sessionId, { email });
  await settleOpen(app.engines, 0);
}

const isOpen = async (slug: string, browser: Browser) =>
  (await post(app, `/api/view/${slug}/open`, {}, browser)).body === undefined;
const ordersOf = (linkId: string) =>
  readRows(app, 'select kind, state, amount_cents from checkout_orders where link_id = $1 order by created_at, id', [
    linkId,
  ]);

describe('a price', () => {
  it('is said first, with what it opens, for how long, and that what comes later is in it', async () => {
    const { slug } = await makeLink({ ...payToOpen(1500), openForMs: 24 * hour });
    expect((await tapDoor(app, slug, newBrowser())).body).toMatchObject({
      title: '$15',
      text: 'One payment opens 2 photos for 24 hours after you open it, with everything that is added later. View only – no download.',
      sale: { offers: [{ id: 'pay', kind: 'pay', priceCents: 1500 }] },
    });
  });

  it('opens the link, pays the creator 90 %, and says so everywhere', async () => {
    const { slug, id } = await makeLink({ ...payToOpen(1500), openForMs: 24 * hour });
    const browser = await comeTo(slug);
    const sessionId = await bought(slug, browser);
    expect(await must(app, 'viewing.checkoutStatus', { sessionId }, browser)).toMatchObject({
      state: 'done',
      kind: 'album',
      span: '24 hours',
      viewPath: `/view/${slug}`,
    });
    expect(await isOpen(slug, browser)).toBe(true);
    expect(await isOpen(slug, await comeTo(slug))).toBe(false);
    expect(await ordersOf(id)).toEqual([{ kind: 'album', state: 'paid', amount_cents: 1500 }]);
    const list = (filter: string) => must(app, 'money.listEarnings', { filter }, shared.creator.browser);
    expect((await list('albums')).rows).toMatchObject([{ kind: 'album', amountCents: 1350, grossCents: 1500 }]);
    expect((await list('tips')).rows).toEqual([]);
    const { earnings } = await must(app, 'money.earnings', {}, shared.creator.browser);
    expect([earnings.monthlyPurchases, earnings.monthlyTips]).toEqual([1350, 0]);
    const [mail] = await readRows(app, `select body_text from mail_outbox where recipient = 'buyer@example.com'`);
    expect(String(mail?.body_text)).toMatch(/ {4}Album by .+: \$15\.00/);
    expect((await buy(slug, browser)).body).toMatchObject({ code: 'ALREADY_PURCHASED' });
  });

  it('is paid as it stands: less, more, or the price of before is refused', async () => {
    const { slug, id } = await makeLink();
    const browser = await comeTo(slug);
    for (const cents of [1499, 1501, 0]) expect((await buy(slug, browser, cents)).body.code).toBe('PRICE_CHANGED');
    await must(
      app,
      'links.update',
      { linkId: id, rules: { ageGate: false, ...payToOpen(2500) } },
      shared.creator.browser,
    );
    expect((await buy(slug, browser)).body.code).toBe('PRICE_CHANGED');
    expect(await ordersOf(id)).toEqual([]);
    await bought(slug, browser, 2500);
    expect(await isOpen(slug, browser)).toBe(true);
  });

  it('outlives the expiry of the link and a later price, and never its revocation', async () => {
    const { slug, id } = await makeLink(payToOpen(1500), { expiry: { kind: 'after', hours: 1 } });
    const browser = await comeTo(slug);
    const sessionId = await bought(slug, browser);
    // Known before the clock is turned: two hours later nobody comes back from the payment page any more.
    expect(await must(app, 'viewing.checkoutStatus', { sessionId }, browser)).toMatchObject({ state: 'done' });
    const change = { linkId: id, rules: { ageGate: false, ...payToOpen(9900) } };
    await must(app, 'links.update', change, shared.creator.browser);
    advance(app, 2 * hour);
    expect(await isOpen(slug, browser)).toBe(true);
    await must(app, 'links.revoke', { linkIds: [id] }, shared.creator.browser);
    expect((await post(app, `/api/view/${slug}/open`, {}, browser)).body).toMatchObject({ reason: 'REVOKED' });
    advance(app, 25 * hour);
    await refundOwed(app.engines);
    expect(await ordersOf(id)).toEqual([{ kind: 'album', state: 'refunded', amount_cents: 1500 }]);
  });

  it('of several albums is one sale, which opens all of them', async () => {
    const other = await addReadyAlbum(app, shared.creator.userId);
    const { slug, id } = await makeLink(payToOpen(2000), { albumIds: [shared.albumId, other] });
    const browser = await comeTo(slug);
    await bought(slug, browser, 2000);
    expect(await isOpen(slug, browser)).toBe(true);
    expect(await ordersOf(id)).toEqual([{ kind: 'bundle', state: 'paid', amount_cents: 2000 }]);
  });
});

describe('a link with a price and a tip', () => {
  it('is opened by either, and says both in one sentence', async () => {
    const { slug, id } = await makeLink(payToOpen(1500, 2000));
    const tipper = newBrowser();
    expect((await tapDoor(app, slug, tipper)).body).toMatchObject({
      title: '$15, or $20 or more as a tip',
      text: 'Either opens 2 photos, with everything that is added later. View only – no download.',
    });
    const { body } = await tapPay(app, slug, tipper, 2000);
    await pay(sessionOf(body.url), 'tipper@example.com');
    const buyer = await comeTo(slug);
    await bought(slug, buyer);
    expect([await isOpen(slug, tipper), await isOpen(slug, buyer)]).toEqual([true, true]);
    expect((await ordersOf(id)).map(({ kind }) => kind).sort()).toEqual(['album', 'tip']);
  });

  it('takes one payment of a viewer at a time: who turns from one to the other cannot pay both', async () => {
    const { slug, id } = await makeLink(payToOpen(1500, 2000));
    const browser = await comeTo(slug);
    const first = sessionOf((await buy(slug, browser)).body.url);
    const second = sessionOf((await tapPay(app, slug, browser, 2000)).body.url);
    expect(await app.engines.sandbox?.findCheckout(first)).toMatchObject({ isOpen: false });
    await pay(second, 'one@example.com');
    expect(await isOpen(slug, browser)).toBe(true);
    expect((await ordersOf(id)).filter(({ state }) => state === 'paid')).toEqual([
      { kind: 'tip', state: 'paid', amount_cents: 2000 },
    ]);
  });
});

it('the books add up to nothing and agree with the provider', async () => {
  expect(await reconcile(app.engines)).toEqual([]);
});
