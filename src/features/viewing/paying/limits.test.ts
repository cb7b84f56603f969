import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settleOpen } from '#features/money/reconcile.ts';
import { judgeCardTests } from '#features/orders/card-tests.ts';
import { syncSession } from '#features/orders/sync-orders.ts';
import { fansToOpen, tapSubscribe } from '#tests/support/money/fans.ts';
import { askAtLink, takeRequests } from '#tests/support/money/requests.ts';
import {
  connectPayouts,
  payAt,
  payToOpen,
  sessionOf,
  tapDoor,
  tapPay,
  tipToOpen,
} from '#tests/support/money/selling.ts';
import { advance, must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
const day = 86_400_000;

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

/** Taps Pay on a new link. */
async function tap(browser: Browser, amountCents: number, by: SharedAlbum = shared) {
  const { slug, id } = await by.makeLink(tipToOpen(500));
  await tapDoor(app, slug, browser);
  return { ...(await tapPay(app, slug, browser, amountCents)), slug, id };
}

async function pay(browser: Browser, amountCents: number, by?: SharedAlbum) {
  const { body } = await tap(browser, amountCents, by);
  await payAt(app, sessionOf(body.url));
  await syncSession(app.engines, sessionOf(body.url));
}

describe('a buyer', () => {
  it('spends 300 dollars with one creator in a day and no more, what is being paid among it', async () => {
    const browser = newBrowser();
    await pay(browser, 10_000);
    await pay(browser, 10_000);
    expect((await tap(browser, 10_000)).status, 'not paid yet').toBe(200);
    const { status, body } = await tap(browser, 500);
    expect([status, body.code, body.message]).toEqual([429, 'BUYER_LIMIT', "You've reached today's spending limit."]);
    expect((await tap(newBrowser(), 500)).status, 'another buyer').toBe(200);
    advance(app, day);
    await settleOpen(app.engines, 0);
    expect((await tap(browser, 10_000)).status, 'the next day').toBe(200);
  });

  it('spends on months that are paid at once as on everything else', async () => {
    const dear = { name: 'Dear', priceCents: 4999, benefits: '', albumIds: [], off6: 0 };
    const { id: tierId } = await must(app, 'fans.createTier', dear, shared.creator.browser);
    const { slug } = await shared.makeLink(fansToOpen());
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    const { body } = await tapSubscribe(app, slug, browser, tierId, 29_994, 6);
    expect((await tap(browser, 500)).body.code, 'not paid yet').toBe('BUYER_LIMIT');
    await payAt(app, sessionOf(body.url), { email: 'six-months@example.com' });
    await syncSession(app.engines, sessionOf(body.url));
    expect((await tap(browser, 500)).body.code).toBe('BUYER_LIMIT');
  });

  it('spends 500 dollars in a day with several, whichever browser it is paid in', async () => {
    const second = await shareAlbum(app, { count: 1 });
    await connectPayouts(app, second.creator);
    const [one, two] = [newBrowser(), newBrowser()];
    for (let n = 0; n < 3; n++) await pay(one, 10_000);
    await pay(two, 10_000, second);
    // Both have paid with the same address.
    expect((await tap(two, 10_000, second)).status).toBe(200);
    expect((await tap(two, 500, second)).body.code).toBe('BUYER_LIMIT');
  });
});

describe('cards that are declined', () => {
  const cards = ['4000000000000002', '4000000000009995', '4000000000009987', '4000000000009979'];

  it('four different ones keep a browser from paying for a week; one again and again does not', async () => {
    const [tester, unlucky] = [newBrowser(), newBrowser()];
    const [bad, plain] = [await tap(tester, 1000), await tap(unlucky, 1000)];
    for (let n = 0; n < 5; n++) await payAt(app, sessionOf(plain.body.url), { card: cards[0] ?? '' });
    for (const card of cards.slice(0, 3)) await payAt(app, sessionOf(bad.body.url), { card });
    await settleOpen(app.engines, 0);
    expect((await tap(tester, 1000)).status, 'three are bad luck').toBe(200);
    await payAt(app, sessionOf(bad.body.url), { card: cards[3] ?? '' });
    await settleOpen(app.engines, 0);
    const refused = await tap(tester, 1000);
    expect([refused.status, refused.body.message]).toEqual([
      429,
      expect.stringContaining('Too many cards were declined'),
    ]);
    expect((await tap(unlucky, 1000)).status).toBe(200);
    const state = 'select state from checkout_orders where session_id = $1';
    expect(await readRows(app, state, [sessionOf(bad.body.url)]), 'nor can what was begun be paid').toEqual([
      { state: 'expired' },
    ]);
    advance(app, 7 * day);
    expect((await tap(tester, 1000)).status).toBe(200);
  });

  it('ten in a row on one link pause it for an hour; a payment that is made begins again', async () => {
    const { slug } = await shared.makeLink(payToOpen(1000));
    const begin = async () => {
      const browser = newBrowser();
      await tapDoor(app, slug, browser);
      return tapPay(app, slug, browser, 1000, { offerId: 'pay' });
    };
    const decline = async (times: number) => {
      const { body } = await begin();
      for (let n = 0; n < times; n++) await payAt(app, sessionOf(body.url), { card: cards[0] ?? '' });
      await syncSession(app.engines, sessionOf(body.url));
    };
    await decline(9);
    advance(app, 1000);
    const good = await begin();
    await payAt(app, sessionOf(good.body.url), { email: 'lucky@example.com' });
    await syncSession(app.engines, sessionOf(good.body.url));
    advance(app, 1000);
    await decline(9);
    expect((await begin()).status, 'nine since').toBe(200);
    await decline(1);
    expect((await begin()).body.message).toContain('Payments for this link are paused');
    advance(app, 3_600_000);
    expect((await begin()).status).toBe(200);
  });

  it("on a creator's page and for a request pause that alone, and what was begun there is ended", async () => {
    await readRows(app, `update users set handle = 'mara_cards' where id = $1`, [shared.creator.userId]);
    await must(app, 'accounts.setPublicPage', { isOn: true }, shared.creator.browser);
    const tip = async () => {
      const browser = newBrowser();
      const ask = () => app.call('viewing.tipOnPage', { handle: 'mara_cards', amountCents: 1000 }, browser);
      const first = await ask();
      return first.body.url === null ? ask() : first;
    };
    await takeRequests(app, shared.creator);
    const asked = await askAtLink(app, shared);
    await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, shared.creator.browser);
    const payRequest = () => app.call('requests.pay', { code: asked.code, amountCents: 4000 }, asked.browser);
    for (const [begin, words] of [
      [tip, 'Payments on this page are paused'],
      [payRequest, 'Payments for this request are paused'],
    ] as const) {
      const sessionId = sessionOf((await begin()).body.url);
      for (let n = 0; n < 10; n++) await payAt(app, sessionId, { card: cards[0] ?? '' });
      await syncSession(app.engines, sessionId);
      expect(await readRows(app, 'select state from checkout_orders where session_id = $1', [sessionId])).toEqual([
        { state: 'expired' },
      ]);
      const refused = await begin();
      expect([refused.status, refused.body.message]).toEqual([429, expect.stringContaining(words)]);
    }
    expect((await tap(newBrowser(), 1000)).status, 'a link sells on').toBe(200);
    advance(app, 3_600_000);
    expect((await tip()).status).toBe(200);
  });

  it('count to the moment', () => {
    const now = new Date('2026-11-27T12:00:00Z');
    const limits = { cards: 4, blockedMs: 7 * day, inRow: 10, pausedMs: 3_600_000 };
    const lastCardAt = new Date(now.getTime() - 7 * day);
    const nothing = { cards: 4, lastCardAt, inRow: 0, lastInRowAt: null };
    expect(judgeCardTests(nothing, limits, now, 'link')).toBeUndefined();
    expect(judgeCardTests(nothing, limits, new Date(now.getTime() - 1), 'link')).toEqual({
      who: 'browser',
      until: now,
    });
    const lastInRowAt = new Date(now.getTime() - 3_600_000);
    const row = { cards: 3, lastCardAt: null, inRow: 10, lastInRowAt };
    expect(judgeCardTests(row, limits, now, 'link')).toBeUndefined();
    expect(judgeCardTests(row, limits, new Date(now.getTime() - 1), 'link')).toEqual({ who: 'link', until: now });
  });
});
