import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longerTermsOf, mostAtOnceCents, termCents } from '#features/orders/fan-rules.ts';
import { refundOwed } from '#features/returns/refunding.ts';
import { openExchangeCheck } from '#tests/support/money/exchange-check.ts';
import { countOf, type FanStage, fansToOpen, openFanStage, tapSubscribe } from '#tests/support/money/fans.ts';
import { payAt, sessionOf, tapDoor } from '#tests/support/money/selling.ts';
import { advance, listTemplates, must, readRows } from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runSuspend } from '../commands.ts';
import { findDrift } from '../reconcile.ts';
import { settleFans } from './fan-jobs.ts';

const day = 86_400_000;
const check = openExchangeCheck();
let app: TestApp;
let stage: FanStage;
let tierId: string;
let count = 0;
const offs = { off3: 10, off6: 20, off12: null };

beforeAll(async () => {
  app = await openTestApp({ workJobs: false, onExchange: check.receive });
  stage = await openFanStage(app);
  ({ tierId } = stage);
  await setTier({});
});
afterAll(async () => {
  expect(check.faults).toEqual([]);
  await app.close();
});

const setTier = (more: object) =>
  must(
    app,
    'fans.changeTier',
    { tierId, name: 'Inner circle', priceCents: 999, ...offs, ...more },
    stage.creator.browser,
  );

interface LongFan {
  browser: Browser;
  slug: string;
  linkId: string;
  email: string;
}

async function makeLongFan(months: number, amountCents: number): Promise<LongFan> {
  const { slug, id: linkId } = await stage.makeLink(fansToOpen());
  const browser = newBrowser();
  const email = `long-${++count}@example.com`;
  await tapDoor(app, slug, browser);
  const { body } = await tapSubscribe(app, slug, browser, tierId, amountCents, months);
  const sessionId = sessionOf(body.url);
  await payAt(app, sessionId, { email });
  expect(await must(app, 'viewing.checkoutStatus', { sessionId }, browser)).toMatchObject({ state: 'done', months });
  return { browser, slug, linkId, email };
}

const mine = async (browser: Browser) => (await must(app, 'viewing.subscriptions', {}, browser)).rows[0];

describe('several months at once', () => {
  it('cost what is left after what is taken off, to the cent, and never more than one may spend in a day', () => {
    const price = { priceCents: 999, off3: 10, off6: 50, off12: 0 };
    expect(longerTermsOf(price)).toEqual([
      { months: 3, priceCents: 2697 },
      { months: 6, priceCents: 2997 },
      { months: 12, priceCents: 11_988 },
    ]);
    expect([termCents({ ...price, off3: null }, 3), termCents(price, 1)]).toEqual([undefined, 999]);
    expect(termCents({ ...price, priceCents: 2500 }, 12)).toBe(mostAtOnceCents);
    expect(termCents({ ...price, priceCents: 2501 }, 12)).toBeUndefined();
  });

  it('are shown with their price at the door and on her page, and only at that price', async () => {
    const { slug } = await stage.makeLink(fansToOpen());
    const browser = newBrowser();
    const { body } = await tapDoor(app, slug, browser);
    expect(body.sale.offers[0].tiers[0]).toMatchObject({
      priceCents: 999,
      longer: [
        { months: 3, priceCents: 2697 },
        { months: 6, priceCents: 4795 },
      ],
    });
    expect(body.text).toContain('It renews until you cancel');
    for (const [cents, months] of [
      [999, 3],
      [2697, 6],
      [2697, 1],
      [11_988, 12],
    ] as const)
      expect((await tapSubscribe(app, slug, browser, tierId, cents, months)).body.code).toBe('PRICE_CHANGED');
    expect((await tapSubscribe(app, slug, browser, tierId, 999, 2)).body.code).toBe('VALIDATION');
  });

  it('are one order, which a change of mind about their number ends', async () => {
    const { slug } = await stage.makeLink(fansToOpen());
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    const [one, three, again] = [
      await tapSubscribe(app, slug, browser, tierId),
      await tapSubscribe(app, slug, browser, tierId, 2697, 3),
      await tapSubscribe(app, slug, browser, tierId, 2697, 3),
    ];
    expect(again.body.url).toBe(three.body.url);
    expect(await app.engines.sandbox?.findCheckout(sessionOf(one.body.url))).toMatchObject({ isOpen: false });
  });

  it('are paid once, divided once, and renew for as many at the same price', async () => {
    const before = await must(app, 'fans.tiers', {}, stage.creator.browser);
    const fan = await makeLongFan(3, 2697);
    const { monthlyCents } = await must(app, 'fans.tiers', {}, stage.creator.browser);
    expect(monthlyCents - before.monthlyCents).toBe(Math.round((2697 - 270) / 3));
    expect(await mine(fan.browser)).toMatchObject({
      months: 3,
      amountCents: 2697,
      state: 'active',
      newPriceCents: null,
    });
    await stage.wait(35);
    expect(await stage.monthsOf(fan)).toHaveLength(1);
    expect(await stage.isOpen(fan.slug, fan.browser)).toBe(true);
    await stage.wait(55);
    expect(countOf(await listTemplates(app, fan.email), 'fan_renews')).toBe(1);
    await stage.wait(5);
    expect(await stage.monthsOf(fan)).toMatchObject([
      { amount_cents: 2697, fee_cents: 270, receipt: true },
      { amount_cents: 2697, fee_cents: 270, receipt: true },
    ]);
    const { rows } = await must(app, 'money.listEarnings', { filter: 'subscriptions' }, stage.creator.browser);
    expect(rows[0]).toMatchObject({ months: 3, amountCents: 2427, grossCents: 2697 });
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('keep their price when it rises, until their subscriber agrees, and then renew at the new one', async () => {
    const fan = await makeLongFan(3, 2697);
    await setTier({ priceCents: 1199 });
    await stage.wait(1);
    expect(countOf(await listTemplates(app, fan.email), 'fan_price')).toBe(1);
    const { fanId, newPriceCents } = await mine(fan.browser);
    expect(newPriceCents).toBe(3237);
    expect((await app.call('viewing.agreeToPrice', { fanId, priceCents: 1199 }, fan.browser)).status).toBe(409);
    await must(app, 'viewing.agreeToPrice', { fanId, priceCents: 3237 }, fan.browser);
    await stage.wait(93);
    expect((await stage.monthsOf(fan)).map(({ amount_cents }) => amount_cents)).toEqual([2697, 3237]);
    await setTier({});
  });

  it('whose length she no longer offers go on as they are', async () => {
    const fan = await makeLongFan(3, 2697);
    await setTier({ off3: null, priceCents: 1199 });
    await stage.wait(93);
    expect((await stage.monthsOf(fan)).map(({ amount_cents }) => amount_cents)).toEqual([2697, 2697]);
    expect([
      (await mine(fan.browser)).newPriceCents,
      countOf(await listTemplates(app, fan.email), 'fan_price'),
    ]).toEqual([null, 0]);
    await setTier({});
  });

  it('that are cancelled stay open to their end, and are not paid again', async () => {
    const fan = await makeLongFan(6, 4795);
    const { fanId } = await mine(fan.browser);
    await must(app, 'viewing.cancelSubscription', { fanId }, fan.browser);
    await stage.wait(150);
    expect(await stage.isOpen(fan.slug, fan.browser)).toBe(true);
    await stage.wait(40);
    expect([await stage.isOpen(fan.slug, fan.browser), (await stage.monthsOf(fan)).length]).toEqual([false, 1]);
  });

  const backOf = async (fan: LongFan): Promise<number> => {
    const [order] = await stage.monthsOf(fan);
    const rows = await readRows<{ amount_cents: number }>(app, 'select amount_cents from refunds where order_id = $1', [
      order?.id,
    ]);
    return rows.reduce((sum, row) => sum + row.amount_cents, 0);
  };

  it('of a creator who is suspended go back for the time that is left of all of them', async () => {
    const fan = await makeLongFan(6, 4795);
    advance(app, 30 * day);
    const { email } = stage.creator;
    await runSuspend(app.engines, { email, reason: 'Test.', isEnd: false });
    await runSuspend(app.engines, { email, reason: undefined, isEnd: true });
    expect(await backOf(fan)).toBeGreaterThan((4795 * 150) / 184 - 60);
    expect(await backOf(fan)).toBeLessThan((4795 * 152) / 181 + 60);
  });

  it('of a creator who leaves go back for the time that is left, or all of them within 30 days of paying', async () => {
    await stage.wait(0);
    const old = await makeLongFan(6, 4795);
    advance(app, 1000);
    const recent = await makeLongFan(6, 4795);
    advance(app, 30 * day - 1000);
    const about = 'update users set status = $2 where id = $1';
    await readRows(app, about, [stage.creator.userId, 'deleting']);
    await settleFans(app.engines, 0);
    await refundOwed(app.engines);
    await readRows(app, about, [stage.creator.userId, 'active']);
    expect(await backOf(old)).toBeGreaterThan((4795 * 150) / 184 - 60);
    expect(await backOf(old)).toBeLessThan((4795 * 152) / 181 + 60);
    expect(await backOf(recent)).toBe(4795);
  });
});
