import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PaymentRefused, PaymentsAway } from '#engines/payments/payments.ts';
import { reconcile, settleOpen } from '#features/money/reconcile.ts';
import { connectPayouts, payAt, post, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { advance, must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { refundOwed } from '../refunding.ts';

let app: TestApp;
let shared: SharedAlbum;
let reported: unknown[];
const hour = 3_600_000;

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: (about: object) => void reported.push(about) };
  app = await openTestApp({ workJobs: false, log });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
beforeEach(() => {
  reported = [];
});
afterAll(() => app.close());

/** A link, and somebody who has paid for it. */
async function sell({ isOpened = false } = {}): Promise<{ slug: string; id: string; buyer: Browser }> {
  const { slug, id } = await shared.makeLink(tipToOpen(1000));
  const buyer = newBrowser();
  await tapDoor(app, slug, buyer);
  await payAt(app, sessionOf((await tapPay(app, slug, buyer)).body.url));
  await settleOpen(app.engines, 0);
  if (isOpened) await post(app, `/api/view/${slug}/open`, {}, buyer);
  return { slug, id, buyer };
}

const revoke = (id: string) => must(app, 'links.revoke', { linkIds: [id] }, shared.creator.browser);
const statesOf = async (linkId: string) => {
  const orders = 'select state from checkout_orders where link_id = $1';
  const refunds =
    'select r.state from refunds r join checkout_orders o on o.id = r.order_id where o.link_id = $1 order by r.created_at';
  const rows = [...(await readRows(app, orders, [linkId])), ...(await readRows(app, refunds, [linkId]))];
  return rows.map(({ state }) => state);
};

/** The provider refuses every refund meanwhile, or those that `isHit` names. */
async function whileRefused(error: Error, run: () => Promise<unknown>, isHit = (_orderId: string) => true) {
  const own = app.engines.payments;
  app.engines.payments = {
    ...own,
    refund: async (refund) => (isHit(refund.orderId) ? Promise.reject(error) : own.refund(refund)),
  };
  try {
    await run();
  } finally {
    app.engines.payments = own;
  }
}

describe('a refund that is owed for a link that ended', () => {
  it('is asked for again a day after it was refused, not sooner, until it is made', async () => {
    const { id } = await sell();
    await revoke(id);
    advance(app, 25 * hour);
    await whileRefused(new PaymentRefused('other', 'Insufficient funds'), () => refundOwed(app.engines));
    expect(reported).toHaveLength(1);
    await refundOwed(app.engines);
    expect(await statesOf(id)).toEqual(['paid', 'failed']);
    advance(app, 24 * hour);
    await refundOwed(app.engines);
    await refundOwed(app.engines);
    expect(await statesOf(id)).toEqual(['refunded', 'failed', 'succeeded']);
  });
});

it('what was opened is paid back when its link ended within a week of paying, to the millisecond', async () => {
  const [early, late] = [await sell({ isOpened: true }), await sell({ isOpened: true })];
  const age = `update checkout_orders set paid_at = $2::timestamptz - $3::bigint * interval '1 ms' where link_id = $1`;
  for (const [{ id }, ms] of [
    [early, 1],
    [late, 0],
  ] as const)
    await readRows(app, age, [id, new Date(app.engines.clock()), 7 * 24 * hour - ms]);
  for (const { id } of [early, late]) await revoke(id);
  advance(app, 25 * hour);
  await refundOwed(app.engines);
  expect([await statesOf(early.id), await statesOf(late.id)]).toEqual([['refunded', 'succeeded'], ['paid']]);
});

describe('a viewer whom the creator blocks', () => {
  /** Blocks whoever has paid for a link; `trace` has put a leak down to them. */
  async function block(linkId: string, trace?: 'traced'): Promise<string> {
    const [{ viewerId } = { viewerId: '' }] = await readRows<{ viewerId: string }>(
      app,
      'select p.id as "viewerId" from checkout_orders o join viewer_pseudonyms p using (creator_id, viewer_id) where o.link_id = $1',
      [linkId],
    );
    if (trace !== undefined)
      await readRows(
        app,
        `insert into traces (id, creator_id, is_everywhere, state, outcome, bytes, sha256, result, created_at, expires_at)
         select gen_random_uuid(), k.creator_id, true, 'done', 'traced', 1, '', jsonb_build_object('named',
           jsonb_build_object('links', jsonb_build_array(jsonb_build_object('grants', jsonb_build_array(jsonb_build_object('grantId', k.id)))))), now(), now()
         from link_viewers k where k.link_id = $1`,
        [linkId],
      );
    await must(app, 'tracing.blockViewer', { viewerId }, shared.creator.browser);
    return viewerId;
  }

  it('soon after they paid is paid back, once that cannot be undone; after a week they are not', async () => {
    const [early, late] = [await sell({ isOpened: true }), await sell({ isOpened: true })];
    await readRows(app, `update checkout_orders set paid_at = paid_at - interval '8 days' where link_id = $1`, [
      late.id,
    ]);
    for (const { id } of [early, late]) await block(id);
    await refundOwed(app.engines);
    expect(await statesOf(early.id)).toEqual(['paid']);
    advance(app, 24 * hour);
    await refundOwed(app.engines);
    expect(await statesOf(early.id)).toEqual(['refunded', 'succeeded']);
    expect(await statesOf(late.id)).toEqual(['paid']);
  });

  it('for a leak that was traced to them is not, and neither is who was let in again', async () => {
    const [leaker, forgiven] = [await sell({ isOpened: true }), await sell({ isOpened: true })];
    await block(leaker.id, 'traced');
    const viewerId = await block(forgiven.id);
    await must(app, 'tracing.unblockViewer', { viewerId }, shared.creator.browser);
    advance(app, 25 * hour);
    await refundOwed(app.engines);
    expect([await statesOf(leaker.id), await statesOf(forgiven.id)]).toEqual([['paid'], ['paid']]);
  });

  it('from one link is paid back as well', async () => {
    const { id } = await sell({ isOpened: true });
    await readRows(app, 'update link_viewers set blocked_at = $2 where link_id = $1', [
      id,
      new Date(app.engines.clock()),
    ]);
    advance(app, 25 * hour);
    await refundOwed(app.engines);
    expect(await statesOf(id)).toEqual(['refunded', 'succeeded']);
  });
});

describe('a creator who closes her account', () => {
  it('pays back what was not opened, or paid within 30 days', async () => {
    const [unopened, recent, old] = [await sell(), await sell({ isOpened: true }), await sell({ isOpened: true })];
    const month = 30 * 24 * hour;
    for (const [{ id }, ms] of [[unopened, month] as const, [old, month] as const, [recent, month - 1000] as const])
      await readRows(app, 'update checkout_orders set paid_at = $2 where link_id = $1', [
        id,
        new Date(app.engines.clock() - ms),
      ]);
    const about = 'update users set status = $2 where id = $1';
    await readRows(app, about, [shared.creator.userId, 'deleting']);
    await refundOwed(app.engines);
    await readRows(app, about, [shared.creator.userId, 'active']);
    expect(await statesOf(unopened.id)).toEqual(['refunded', 'succeeded']);
    expect(await statesOf(recent.id)).toEqual(['refunded', 'succeeded']);
    expect(await statesOf(old.id)).toEqual(['paid']);
  });
});

describe('what cannot be done now stops nothing else', () => {
  /** The provider answers of some in a way that nobody expects. @returns whom it was asked about */
  async function whileBroken<T>(isHit: (id: string) => boolean, run: () => Promise<T>): Promise<string[]> {
    const own = app.engines.payments;
    const asked: string[] = [];
    const orFail =
      <A>(find: (id: string) => Promise<A>) =>
      async (id: string) => {
        asked.push(id);
        if (isHit(id)) throw new TypeError('not what was expected');
        return find(id);
      };
    app.engines.payments = { ...own, findCheckout: orFail(own.findCheckout), findAccount: orFail(own.findAccount) };
    try {
      await run();
    } finally {
      app.engines.payments = own;
    }
    return asked;
  }

  /** Two who are paying. */
  async function beginTwo(): Promise<[string, string]> {
    const { slug } = await shared.makeLink(tipToOpen(1000));
    const begin = async () => {
      const browser = newBrowser();
      await tapDoor(app, slug, browser);
      return sessionOf((await tapPay(app, slug, browser)).body.url);
    };
    return [await begin(), await begin()];
  }

  it('a payment: the next one is asked about, and it is less and less often', async () => {
    const [bad, good] = await beginTwo();
    await payAt(app, good);
    const isBad = (id: string) => id === bad;
    expect(await whileBroken(isBad, () => settleOpen(app.engines, 0))).toEqual(expect.arrayContaining([bad, good]));
    const state = 'select state from checkout_orders where session_id = $1';
    expect(await readRows(app, state, [good])).toEqual([{ state: 'paid' }]);
    const asks: boolean[] = [];
    for (let n = 0; n < 6; n++) {
      advance(app, hour / 6);
      asks.push((await whileBroken(isBad, () => settleOpen(app.engines, 0))).includes(bad));
    }
    expect(asks).toEqual([true, false, true, false, false, false]);
    advance(app, 2 * hour);
    await settleOpen(app.engines, 0);
    expect(await readRows(app, state, [bad])).toEqual([{ state: 'expired' }]);
  });

  it('the account of a creator: the next one is asked about, and both later again', async () => {
    for (let n = 0; n < 2; n++)
      await must(app, 'money.connect', { country: 'US' }, (await shareAlbum(app, { count: 1 })).creator.browser);
    advance(app, hour);
    await whileBroken(
      () => true,
      () => settleOpen(app.engines, 0),
    );
    const postponed = 'select tries from user_stripe_accounts where next_try_at is not null';
    expect(await readRows(app, postponed)).toEqual([{ tries: 1 }, { tries: 1 }]);
  });

  it('a provider that answers nobody is not asked by everybody', async () => {
    const [one, two] = [await beginTwo(), await beginTwo()];
    const own = app.engines.payments;
    let asked = 0;
    app.engines.payments = { ...own, findCheckout: async () => Promise.reject(new PaymentsAway(++asked)) };
    await settleOpen(app.engines, 0);
    app.engines.payments = own;
    expect([asked, one.length + two.length]).toEqual([3, 4]);
    advance(app, hour);
    await settleOpen(app.engines, 0);
  });

  it('a refund: the next one is made, and it follows', async () => {
    const [first, second] = [await sell(), await sell()];
    for (const { id } of [first, second]) await revoke(id);
    advance(app, 25 * hour);
    const [{ orderId } = { orderId: '' }] = await readRows<{ orderId: string }>(
      app,
      'select id as "orderId" from checkout_orders where link_id = $1',
      [first.id],
    );
    const isFirst = (id: string) => id === orderId;
    await whileRefused(new PaymentsAway('a test'), () => refundOwed(app.engines), isFirst);
    expect(await statesOf(first.id)).toEqual(['paid', 'pending']);
    expect(await statesOf(second.id)).toEqual(['refunded', 'succeeded']);
    await refundOwed(app.engines);
    expect(await statesOf(first.id), 'it is postponed').toEqual(['paid', 'pending']);
    advance(app, hour);
    await refundOwed(app.engines);
    expect(await statesOf(first.id)).toEqual(['refunded', 'succeeded']);
  });

  it('the balance of an account that the provider does not tell: the others are compared, and it is told', async () => {
    const own = app.engines.payments;
    const refuse = (accountId?: string) =>
      accountId === undefined ? own.balance() : Promise.reject(new PaymentRefused('unknown', 'No such account'));
    app.engines.payments = { ...own, balance: refuse };
    const drift = await reconcile(app.engines);
    app.engines.payments = own;
    expect(drift).toContainEqual(expect.stringMatching(/^custody:acct_\w+: the provider does not tell$/));
    expect(await readRows(app, 'select from reconciliation_runs where finished_at is not null')).toHaveLength(1);
  });
});
