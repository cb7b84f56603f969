import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tendDisputes } from '#features/returns/disputes/tending-disputes.ts';
import { openExchangeCheck } from '#tests/support/money/exchange-check.ts';
import {
  countOf,
  type FanStage,
  fansToOpen,
  makeTier,
  openFanStage,
  subscribe,
  tapSubscribe,
} from '#tests/support/money/fans.ts';
import { payAt, payToOpen, post, sessionOf, tapDoor } from '#tests/support/money/selling.ts';
import { advance, listTemplates, must, readRows } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { findDrift } from '../reconcile.ts';
import { workInbox } from '../webhooks/inbox.ts';

const day = 86_400_000;
const check = openExchangeCheck();
let app: TestApp;
let stage: FanStage;
let tierId: string;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false, onExchange: check.receive });
  stage = await openFanStage(app);
  ({ tierId } = stage);
});
afterAll(async () => {
  expect(check.faults).toEqual([]);
  await app.close();
});

describe('a subscription', () => {
  it('is said as one sentence, price first, and opens what its tier has', async () => {
    const { slug, id } = await stage.makeLink(fansToOpen());
    const browser = newBrowser();
    expect((await tapDoor(app, slug, browser)).body).toMatchObject({
      reason: 'NEED_OFFER',
      title: '$9.99 a month',
      text: 'A subscription opens 1 photo. It renews monthly; cancel any time. View only – no download.',
      sale: {
        offers: [{ id: 'fans', kind: 'fan_sub', tiers: [{ id: tierId, name: 'Inner circle', priceCents: 999 }] }],
      },
    });
    await subscribe(app, { slug, browser, tierId });
    expect(await stage.isOpen(slug, browser)).toBe(true);
    expect(await stage.isOpen(slug, newBrowser())).toBe(false);
    const { slug: other } = await stage.makeLink(fansToOpen());
    expect(await stage.isOpen(other, browser), 'every link for subscribers opens').toBe(true);
    expect(await readRows(app, 'select state, fee_cents from checkout_orders where link_id = $1', [id])).toEqual([
      { state: 'paid', fee_cents: 100 },
    ]);
  });

  it('is one order however often it is tapped, and nobody has it twice', async () => {
    const { slug, id } = await stage.makeLink(fansToOpen());
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    const taps = await Promise.all(Array.from({ length: 5 }, () => tapSubscribe(app, slug, browser, tierId)));
    expect(new Set(taps.map(({ body }) => body.url)).size).toBe(1);
    const { slug: other } = await stage.makeLink(fansToOpen());
    const elsewhere = await tapSubscribe(app, other, browser, tierId);
    expect(await app.engines.sandbox?.findCheckout(sessionOf(taps[0]?.body.url))).toMatchObject({ isOpen: false });
    await payAt(app, sessionOf(elsewhere.body.url));
    expect(await stage.isOpen(slug, browser), 'paid at another link, and nobody has told').toBe(true);
    expect((await tapSubscribe(app, slug, browser, tierId)).body).toMatchObject({
      code: 'ALREADY_PURCHASED',
      message: 'You already have access.',
    });
    expect(await readRows(app, `select from checkout_orders where link_id = $1 and state = 'paid'`, [id])).toEqual([]);
  });

  it('costs what was shown, and opens only what its tier has', async () => {
    const other = await addReadyAlbum(app, stage.creator.userId);
    const small = await makeTier(app, stage.creator, { name: 'Small', priceCents: 500, albumIds: [other] });
    const { slug } = await stage.makeLink(fansToOpen());
    const browser = newBrowser();
    expect((await tapDoor(app, slug, browser)).body.sale.offers[0].tiers).toHaveLength(1);
    expect((await tapSubscribe(app, slug, browser, small, 500)).body.code).toBe('PRICE_CHANGED');
    expect((await tapSubscribe(app, slug, browser, tierId, 998)).body.code).toBe('PRICE_CHANGED');
    const { slug: onlyOther } = await stage.makeLink(fansToOpen(), { albumIds: [other] });
    expect((await tapDoor(app, onlyOther, browser)).body).toMatchObject({ title: '$5 a month or more' });
    await subscribe(app, { slug: onlyOther, browser, tierId: small, amountCents: 500 });
    expect([await stage.isOpen(onlyOther, browser), await stage.isOpen(slug, browser)]).toEqual([true, false]);
    await must(app, 'fans.stopTier', { tierId: small }, stage.creator.browser);
  });

  it('stands beside a price and a tip, and any of them opens the link', async () => {
    const offers = [...payToOpen(1500, 1000).offers, ...fansToOpen().offers];
    const { slug } = await stage.makeLink({ offers });
    const browser = newBrowser();
    expect((await tapDoor(app, slug, browser)).body).toMatchObject({
      title: '$15, $10 or more as a tip, or $9.99 a month',
      text: 'Any of them opens 1 photo, with everything that is added later. A subscription renews monthly; cancel any time. View only – no download.',
    });
    await subscribe(app, { slug, browser, tierId });
    expect(await stage.isOpen(slug, browser)).toBe(true);
  });

  it('never outlives the revocation of a link, and goes on for the others', async () => {
    const fan = await stage.makeFan();
    const { slug: other } = await stage.makeLink(fansToOpen());
    await must(app, 'links.revoke', { linkIds: [fan.linkId] }, stage.creator.browser);
    expect((await post(app, `/api/view/${fan.slug}/open`, {}, fan.browser)).body?.reason).toMatch(/REVOKED|NOT_FOUND/);
    expect(await stage.isOpen(other, fan.browser)).toBe(true);
    await stage.wait(2);
    expect(await stage.monthsOf(fan)).toMatchObject([{ state: 'paid' }]);
  });
});

describe('every month', () => {
  it('is paid by itself, with a receipt, and is divided as the provider divides it', async () => {
    const before = (await must(app, 'money.earnings', {}, stage.creator.browser)).earnings;
    const fan = await stage.makeFan();
    await stage.wait(29);
    expect(countOf(await listTemplates(app, fan.email), 'fan_renews')).toBe(1);
    await stage.wait(3);
    await stage.wait(32);
    const months = await stage.monthsOf(fan);
    expect(
      months.map(({ state, amount_cents, fee_cents, receipt }) => [state, amount_cents, fee_cents, receipt]),
    ).toEqual(Array.from({ length: 3 }, () => ['paid', 999, 100, true]));
    const templates = await listTemplates(app, fan.email);
    expect([countOf(templates, 'receipt'), countOf(templates, 'fan_renews')]).toEqual([3, 1]);
    expect(await stage.isOpen(fan.slug, fan.browser)).toBe(true);
    const { rows } = await must(app, 'money.listEarnings', { filter: 'subscriptions' }, stage.creator.browser);
    expect(rows.find(({ orderId }: { orderId: string }) => orderId === months[2]?.id)).toMatchObject({
      kind: 'fan_sub',
      amountCents: 899,
      grossCents: 999,
    });
    const { earnings } = await must(app, 'money.earnings', {}, stage.creator.browser);
    expect(earnings.lifetimeEarned - before.lifetimeEarned).toBeGreaterThanOrEqual(3 * 899);
    expect(earnings.monthlySubscriptions).toBeGreaterThanOrEqual(899);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('is told by webhooks as well, and once', async () => {
    const fan = await stage.makeFan();
    app.engines.sandbox?.deliverTo(async (hook, body, signature) => {
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature, host: 'localhost:3000' };
      const url = `/api/hooks/${hook}`;
      return (await app.fastify.inject({ method: 'POST', url, headers, payload: body })).statusCode;
    });
    advance(app, 32 * day);
    await app.engines.sandbox?.deliverDue();
    await workInbox(app.engines);
    await stage.wait(0);
    app.engines.sandbox?.deliverTo(undefined);
    expect(await stage.monthsOf(fan)).toMatchObject([{ state: 'paid' }, { state: 'paid' }]);
    expect(countOf(await listTemplates(app, fan.email), 'receipt')).toBe(2);
  });

  it('whose card is declined leaves everything open while it is tried again, and then ends', async () => {
    const fan = await stage.makeFan({ failsNext: true });
    await stage.wait(32);
    expect(await stage.rowOf(fan)).toMatchObject({ status: 'past_due', ended: false });
    expect(await stage.isOpen(fan.slug, fan.browser)).toBe(true);
    for (const days of [3, 5]) {
      await stage.wait(days);
      expect(await stage.isOpen(fan.slug, fan.browser)).toBe(true);
    }
    await stage.wait(6);
    expect(await stage.rowOf(fan)).toMatchObject({ status: 'canceled', ended: true });
    expect((await post(app, `/api/view/${fan.slug}/open`, {}, fan.browser)).body?.reason).toBe('NEED_OFFER');
    const templates = await listTemplates(app, fan.email);
    expect([countOf(templates, 'fan_payment_failed'), countOf(templates, 'fan_ended')]).toEqual([1, 1]);
    expect(await stage.monthsOf(fan)).toHaveLength(1);
  });
});

describe('money that goes back', () => {
  it('ends the subscription at once, here and at the provider', async () => {
    const fan = await stage.makeFan();
    await stage.wait(32);
    const [, second] = await stage.monthsOf(fan);
    await must(app, 'money.refund', { orderId: second?.id }, stage.creator.browser);
    expect(await stage.isOpen(fan.slug, fan.browser)).toBe(false);
    expect(await stage.monthsOf(fan)).toMatchObject([{ state: 'paid' }, { state: 'refunded' }]);
    expect(await stage.rowOf(fan)).toMatchObject({ status: 'canceled', ended: true });
    await stage.wait(40);
    expect(await stage.monthsOf(fan)).toHaveLength(2);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('of a month long ago ends nothing', async () => {
    const fan = await stage.makeFan();
    await stage.wait(32);
    const [first] = await stage.monthsOf(fan);
    await must(app, 'money.refund', { orderId: first?.id }, stage.creator.browser);
    expect(await stage.isOpen(fan.slug, fan.browser)).toBe(true);
    expect(await stage.rowOf(fan)).toMatchObject({ status: 'active' });
  });

  it('is on hold while its payment is disputed', async () => {
    const fan = await stage.makeFan();
    const setState = (state: string) =>
      readRows(app, 'update checkout_orders set state = $2 where link_id = $1', [fan.linkId, state]);
    await setState('disputed');
    expect(await stage.isOpen(fan.slug, fan.browser)).toBe(false);
    await setState('paid');
    expect(await stage.isOpen(fan.slug, fan.browser)).toBe(true);
  });

  it('ends at once when its newest month is disputed, and stays ended when that is won', async () => {
    const fan = await stage.makeFan();
    const [first] = await stage.monthsOf(fan);
    const charge = await readRows<{ id: string }>(app, 'select charge_id as id from checkout_orders where id = $1', [
      first?.id,
    ]);
    const id = (await app.engines.sandbox?.dispute(charge[0]?.id ?? '')) ?? '';
    await tendDisputes(app.engines);
    expect(await stage.rowOf(fan)).toMatchObject({ status: 'canceled', ended: true });
    expect(await stage.monthsOf(fan)).toMatchObject([{ state: 'disputed' }]);
    await app.engines.sandbox?.decideDispute(id, true);
    await tendDisputes(app.engines);
    expect(await stage.monthsOf(fan)).toMatchObject([{ state: 'paid' }]);
    expect([await stage.isOpen(fan.slug, fan.browser), (await stage.rowOf(fan))?.ended]).toEqual([false, true]);
    expect(await findDrift(app.engines)).toEqual([]);
  });
});
