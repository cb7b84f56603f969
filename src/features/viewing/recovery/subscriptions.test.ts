import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renewalTerms } from '#features/notices/refund-promise.ts';
import { insertFanPass } from '#features/orders/fans-store.ts';
import { newId } from '#kit/ids.ts';
import { pseudonymOf } from '#tests/support/database/viewer-rows.ts';
import {
  type FanStage,
  fansToOpen,
  makeTier,
  openFanStage,
  subscribe,
  tapSubscribe,
} from '#tests/support/money/fans.ts';
import { goodCard, payAt, sessionOf, tapDoor } from '#tests/support/money/selling.ts';
import { listTemplates, must, readRows } from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let stage: FanStage;
let tierId: string;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  stage = await openFanStage(app);
  ({ tierId } = stage);
});
afterAll(() => app.close());

const mine = async (browser: Browser) => (await must(app, 'viewing.subscriptions', {}, browser)).rows;

async function makeFan({ failsNext = false, tier = tierId } = {}) {
  const fan = await stage.makeFan({ tier, rules: fansToOpen([tier]), failsNext });
  return { ...fan, fanId: String((await mine(fan.browser))[0].fanId) };
}

/** Whoever paid with an address proves it in another browser. */
async function prove(email: string, browser = newBrowser()): Promise<Browser> {
  await must(app, 'viewing.findPurchases', { email }, newBrowser());
  const [mail] = await readRows<{ body_text: string }>(
    app,
    `select body_text from mail_outbox where recipient = $1 and template = 'purchases' order by created_at desc limit 1`,
    [email],
  );
  const [, token = ''] = /find-my-purchases#(\w{43})/.exec(mail?.body_text ?? '') ?? [];
  await must(app, 'viewing.claimPurchases', { token }, browser);
  return browser;
}

it('whose address pays for a tier already is told so before paying once more, in whichever browser has proven it', async () => {
  const fan = await makeFan();
  const { slug } = await stage.makeLink(fansToOpen());
  const other = newBrowser();
  await tapDoor(app, slug, other);
  expect((await tapSubscribe(app, slug, other, tierId)).body.url, 'nobody knows whose it is').toBeDefined();
  await prove(fan.email, other);
  const again = await tapSubscribe(app, slug, other, tierId);
  expect([again.status, again.body.message]).toEqual([409, expect.stringContaining("You're already subscribed")]);
  const tier = await makeTier(app, stage.creator, { name: 'Another', priceCents: 700 });
  expect((await tapSubscribe(app, slug, other, tier, 700)).status, 'a tier that she has all of').toBe(409);
  await must(app, 'fans.stopTier', { tierId: tier }, stage.creator.browser);
  expect(await must(app, 'viewing.openSubscription', { fanId: fan.fanId }, other)).toBeDefined();
  expect(await stage.isOpen(slug, other), 'and the way to it works').toBe(true);
});

describe('what somebody has subscribed to', () => {
  it('is listed in the browser that paid, with its price and its renewal, and nowhere else', async () => {
    const { browser, slug, fanId } = await makeFan();
    expect(await mine(browser)).toMatchObject([
      {
        fanId,
        isPass: false,
        tierName: 'Inner circle',
        amountCents: 999,
        state: 'active',
        cardLast4: '4242',
        newPriceCents: null,
        canOpen: true,
        receiptPath: expect.stringContaining('/receipt/'),
      },
    ]);
    expect(await mine(newBrowser())).toEqual([]);
    expect(await must(app, 'viewing.openSubscription', { fanId }, browser)).toEqual({ viewPath: `/view/${slug}` });
    const stranger = (await makeFan()).browser;
    for (const procedure of ['openSubscription', 'cancelSubscription', 'resumeSubscription', 'subscriptionCard'])
      expect((await app.call(`viewing.${procedure}`, { fanId }, stranger)).status).toBe(404);
    expect((await must(app, 'viewing.purchases', {}, browser)).rows, 'it is no purchase').toEqual([]);
  });

  it('is cancelled in one tap, stays open to the end of its month, and can be kept until then', async () => {
    const { browser, slug, fanId, email } = await makeFan();
    await must(app, 'viewing.cancelSubscription', { fanId }, browser);
    expect(await mine(browser)).toMatchObject([{ state: 'ending', isStopped: false, canOpen: true }]);
    expect(await listTemplates(app, email)).toContain('fan_cancelled');
    await must(app, 'viewing.resumeSubscription', { fanId }, browser);
    expect(await mine(browser)).toMatchObject([{ state: 'active' }]);
    await must(app, 'viewing.cancelSubscription', { fanId }, browser);
    await stage.wait(27);
    expect(await stage.isOpen(slug, browser)).toBe(true);
    await stage.wait(5);
    expect(await stage.isOpen(slug, browser)).toBe(false);
    expect(await mine(browser)).toMatchObject([{ state: 'ended', canOpen: false }]);
    expect((await app.call('viewing.resumeSubscription', { fanId }, browser)).status).toBe(409);
    expect((await listTemplates(app, email)).filter((name) => name === 'receipt')).toHaveLength(1);
  });

  it('whose card fails is saved by another card, at once', async () => {
    const { browser, slug, fanId, email } = await makeFan({ failsNext: true });
    await stage.wait(32);
    expect(await mine(browser)).toMatchObject([{ state: 'late', nextAttemptAt: expect.any(String), canOpen: true }]);
    const { url } = await must(app, 'viewing.subscriptionCard', { fanId }, browser);
    await app.engines.sandbox?.changeCard(sessionOf(url), goodCard);
    await must(app, 'viewing.checkSubscriptions', {}, browser);
    expect(await mine(browser)).toMatchObject([{ state: 'active', cardLast4: '4242', nextAttemptAt: null }]);
    expect(await stage.isOpen(slug, browser)).toBe(true);
    expect((await listTemplates(app, email)).filter((name) => name === 'receipt')).toHaveLength(2);
  });

  it('and is not paid for ends at once when it is cancelled', async () => {
    const { browser, slug, fanId } = await makeFan({ failsNext: true });
    await stage.wait(32);
    await must(app, 'viewing.cancelSubscription', { fanId }, browser);
    expect(await mine(browser)).toMatchObject([{ state: 'ended' }]);
    expect(await stage.isOpen(slug, browser)).toBe(false);
  });

  it('costs more only for whoever agrees, from the next month on', async () => {
    const tier = await makeTier(app, stage.creator, { name: 'Dearer' });
    const [agrees, stays] = [await makeFan({ tier }), await makeFan({ tier })];
    const input = { tierId: tier, name: 'Dearer', priceCents: 1299, benefits: '' };
    await must(app, 'fans.changeTier', input, stage.creator.browser);
    expect(await mine(agrees.browser)).toMatchObject([{ amountCents: 999, newPriceCents: 1299 }]);
    const params = { fanId: agrees.fanId, priceCents: 999 };
    expect((await app.call('viewing.agreeToPrice', params, agrees.browser)).body).toMatchObject({
      code: 'PRICE_CHANGED',
    });
    await must(app, 'viewing.agreeToPrice', { ...params, priceCents: 1299 }, agrees.browser);
    await stage.wait(32);
    const paid = await readRows(
      app,
      `select o.amount_cents::int as cents, count(*)::int as months from checkout_orders o join fan_subscriptions f on f.id = o.fan_subscription_id
      where f.tier_id = $1 group by 1 order by 1`,
      [tier],
    );
    expect(paid).toEqual([
      { cents: 999, months: 3 },
      { cents: 1299, months: 1 },
    ]);
    expect(await mine(stays.browser)).toMatchObject([{ amountCents: 999, newPriceCents: 1299 }]);
    await must(app, 'fans.stopTier', { tierId: tier }, stage.creator.browser);
  });

  it('comes along to another browser in which its address is proven', async () => {
    const { slug, email, fanId } = await makeFan();
    const other = await prove(email);
    expect(await mine(other)).toMatchObject([{ fanId, state: 'active' }]);
    expect(await stage.isOpen(slug, other)).toBe(true);
    await must(app, 'viewing.cancelSubscription', { fanId }, other);
    expect(await mine(other)).toMatchObject([{ state: 'ending' }]);
  });

  it('is shut for whom the creator blocks, who is charged no more and gets the month back', async () => {
    const { slug, browser, fanId } = await makeFan();
    const [row] = await readRows(app, 'select viewer_id from fan_subscriptions where id = $1', [fanId]);
    expect(await stage.isOpen(slug, browser)).toBe(true);
    await must(
      app,
      'tracing.blockViewer',
      { viewerId: await pseudonymOf(app, String(row?.viewer_id)) },
      stage.creator.browser,
    );
    expect(await mine(browser)).toMatchObject([{ state: 'shut', canOpen: false }]);
    await stage.wait(2);
    expect(await mine(browser)).toMatchObject([{ state: expect.stringMatching(/ended|returned/) }]);
  });
});

describe('a free pass', () => {
  it('opens what its tier has until its end, and nobody is charged', async () => {
    const { slug } = await stage.makeLink(fansToOpen([tierId]));
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    await subscribe(app, { slug, browser, tierId }, { email: 'pass@example.com' });
    const [row] = await readRows(app, `select viewer_id from fan_subscriptions order by created_at desc limit 1`);
    const { engines } = app;
    const now = new Date(engines.clock());
    const endsAt = new Date(now.getTime() + 3 * 86_400_000);
    const pass = { id: newId<'fan'>(now.getTime()), viewerId: String(row?.viewer_id), tierId, endsAt, now };
    await readRows(app, `update fan_subscriptions set ended_at = now(), status = 'canceled' where viewer_id = $1`, [
      pass.viewerId,
    ]);
    expect(await stage.isOpen(slug, browser)).toBe(false);
    expect(await engines.database.work({ kind: 'system' }, (tx) => insertFanPass(tx, pass))).toBe(true);
    expect(await stage.isOpen(slug, browser)).toBe(true);
    expect((await mine(browser))[0]).toMatchObject({ isPass: true, state: 'active', amountCents: 0 });
    await stage.wait(4);
    expect(await stage.isOpen(slug, browser)).toBe(false);
  });
});

describe("a creator's own page", () => {
  it('tells what may be subscribed to, once it is open, and takes one order of one browser', async () => {
    const [row0] = await readRows(app, 'select handle from users where id = $1', [stage.creator.userId]);
    const handle = String(row0?.handle);
    expect((await app.call('viewing.creatorTiers', { handle })).status).toBe(404);
    await must(app, 'accounts.setPublicPage', { isOn: true }, stage.creator.browser);
    const { tiers, isPayable } = await must(app, 'viewing.creatorTiers', { handle }, newBrowser());
    expect([tiers.map(({ id }: { id: string }) => id), isPayable]).toEqual([[tierId], true]);
    const browser = newBrowser();
    const params = { handle, tierId, priceCents: 999, shownTerms: renewalTerms };
    expect((await app.call('viewing.subscribe', { ...params, priceCents: 998 }, browser)).body).toMatchObject({
      code: 'PRICE_CHANGED',
    });
    const first = await must(app, 'viewing.subscribe', params, browser);
    expect(await must(app, 'viewing.subscribe', params, browser)).toEqual(first);
    const sessionId = sessionOf(first.url);
    const orders = await readRows(app, 'select terms_shown from checkout_orders where session_id = $1', [sessionId]);
    expect(orders).toEqual([{ terms_shown: renewalTerms }]);
    await payAt(app, sessionId, { email: 'visitor@example.com' });
    expect(await must(app, 'viewing.checkoutStatus', { sessionId }, browser)).toMatchObject({
      state: 'done',
      kind: 'fan_sub',
    });
    expect((await app.call('viewing.subscribe', params, browser)).body).toMatchObject({ code: 'ALREADY_PURCHASED' });
    const { slug } = await stage.makeLink(fansToOpen());
    expect(await stage.isOpen(slug, browser)).toBe(true);
    const [row] = await mine(browser);
    expect(row).toMatchObject({ state: 'active', canOpen: true });
    expect(await must(app, 'viewing.openSubscription', { fanId: row.fanId }, browser)).toEqual({
      viewPath: `/view/${slug}`,
    });
  });
});
