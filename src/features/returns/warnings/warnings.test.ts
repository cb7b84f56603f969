import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statement } from '#engines/database/work.ts';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { findDrift, reconcile, settleOpen } from '#features/money/reconcile.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { receiptCode } from '#features/orders/receipts.ts';
import { type DisputeWorld, listRefundsMade, openDisputeWorld, type Sold } from '#tests/support/money/disputing.ts';
import { openExchangeCheck } from '#tests/support/money/exchange-check.ts';
import { takeEvents, tell, untilQuiet } from '#tests/support/money/published-events.ts';
import { payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { advance, must, readRow, readRows, signInQuickly } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runRefunds } from '../refunding.ts';
import { tendWarnings } from './tending-warnings.ts';

const check = openExchangeCheck();
let app: TestApp;
let world: DisputeWorld;

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, onExchange: check.receive, log });
  world = await openDisputeWorld(app);
});
afterAll(async () => {
  expect(check.faults).toEqual([]);
  await app.close();
});

/** Its bank reports a payment, and nobody has heard of it yet. @returns the name of the warning */
const warn = async ({ chargeId }: Pick<Sold, 'chargeId'>): Promise<string> =>
  (await app.engines.sandbox?.warn(chargeId)) ?? '';
const receive = (warningId: string) => syncObject(app.engines, warningId);
/** What we wished for, and what the provider has made of it. */
const wishedOf = ({ orderId }: Pick<Sold, 'orderId'>) =>
  readRows(app, 'select amount_cents, reason, by_kind, state from refunds where order_id = $1 order by created_at', [
    orderId,
  ]);
const madeOf = ({ chargeId }: Pick<Sold, 'chargeId'>) => listRefundsMade(app, chargeId);
const rowOf = (warningId: string) =>
  readRow<{ isReturned: boolean; isSettled: boolean }>(
    app,
    `select returned_at is not null as "isReturned", settled_at is not null as "isSettled" from fraud_warnings where warning_id = $1`,
    [warningId],
  );
const written = statement(
  'test_refund_written',
  `with done as (update refunds set state = 'succeeded' where order_id = $1)
   update checkout_orders set state = 'refunded', refunded_cents = amount_cents where id = $1`,
);
const ours = { amount_cents: 5000, reason: 'fraudulent', by_kind: 'system' };

describe('a payment that its bank reports', () => {
  it('opens nothing from the moment it is heard of, and all of it goes back with everybody’s part', async () => {
    const sold = await world.sell();
    expect(await world.door(sold)).toBe('open');
    const warningId = await warn(sold);
    expect(await receive(warningId)).toBe(true);
    expect([await wishedOf(sold), await madeOf(sold)]).toEqual([[{ ...ours, state: 'pending' }], []]);
    expect(await world.door(sold)).not.toBe('open');
    await runRefunds(app.engines);
    expect(await wishedOf(sold)).toEqual([{ ...ours, state: 'succeeded' }]);
    expect([await world.stateOf(sold), await madeOf(sold)]).toEqual([
      'refunded',
      [{ cents: 5000, reason: 'fraudulent' }],
    ]);
    const left = await world.leftOf(sold);
    expect([left['liability:creator'], left['income:platform_fee'], left['clearing:refunds']]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await rowOf(warningId)).toEqual({ isReturned: true, isSettled: false });
    await receive(warningId);
    expect(await rowOf(warningId)).toEqual({ isReturned: true, isSettled: true });
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('is told to its creator and on the receipt as that, and no other refund is', async () => {
    const [reported, other] = [await world.sell(), await world.sell()];
    await receive(await warn(reported));
    const browser = await signInQuickly(app, world.creator.userId);
    await must(app, 'money.refund', { orderId: other.orderId }, browser);
    await runRefunds(app.engines);
    const { rows } = await must(app, 'money.listEarnings', { filter: 'all' }, browser);
    const said = async ({ orderId }: Sold) => [
      ...(rows as { orderId: string; kind: string; isReported: boolean }[])
        .filter((row) => row.orderId === orderId)
        .map(({ kind, isReported }) => `${kind} ${isReported}`)
        .toSorted(),
      (await must(app, 'money.earningOrder', { orderId }, browser)).isReported,
      (await must(app, 'money.receipt', { code: receiptCode(app.engines, orderId) }, newBrowser())).why,
    ];
    expect(await said(reported)).toEqual([
      'album true',
      'refund true',
      true,
      "The card's bank reported possible fraud.",
    ]);
    expect(await said(other)).toEqual(['album false', 'refund false', false, 'The creator refunded it.']);
  });

  it('goes back for what is left of it, after a part went back', async () => {
    const sold = await world.sell({ isTip: true });
    const now = new Date(app.engines.linkClock());
    await readRows(
      app,
      `insert into refunds (id, order_id, creator_id, amount_cents, until_cents, reason, by_kind, created_at)
       select gen_random_uuid(), id, creator_id, 1234, 1234, 'satisfaction', 'staff', $2 from checkout_orders where id = $1`,
      [sold.orderId, now],
    );
    const warningId = await warn(sold);
    await expect(receive(warningId), 'until that is through').rejects.toThrow('on its way back');
    expect(await rowOf(warningId)).toEqual({ isReturned: false, isSettled: false });
    await runRefunds(app.engines);
    await tendWarnings(app.engines);
    await runRefunds(app.engines);
    expect(await wishedOf(sold)).toMatchObject([{ amount_cents: 1234 }, { ...ours, amount_cents: 3766 }]);
    expect([await world.stateOf(sold), (await madeOf(sold)).length]).toEqual(['refunded', 2]);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('goes back for what is left of it, where the operator gave a part back at the provider in the very moment', async () => {
    const sold = await world.sell();
    const warningId = await warn(sold);
    await receive(warningId);
    const { paymentId } = await readRow<{ paymentId: string }>(
      app,
      'select payment_id as "paymentId" from checkout_orders where id = $1',
      [sold.orderId],
    );
    const part = { refundId: `by-hand-${sold.orderId}`, orderId: 'o', paymentId, amountCents: 1000 };
    await app.engines.payments.refund({ ...part, reason: 'duplicate' });
    await runRefunds(app.engines);
    await tendWarnings(app.engines);
    await runRefunds(app.engines);
    await tendWarnings(app.engines);
    expect((await wishedOf(sold)).map(({ state, amount_cents }) => [state, amount_cents])).toEqual([
      ['failed', 5000],
      ['succeeded', 4000],
    ]);
    expect([await world.stateOf(sold), await rowOf(warningId)]).toEqual([
      'refunded',
      { isReturned: true, isSettled: true },
    ]);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('is not asked for again once the provider has refused it', async () => {
    const sold = await world.sell();
    const { payments } = app.engines;
    const { refund } = payments;
    payments.refund = () => Promise.reject(new PaymentRefused('other', 'This card takes no refunds.'));
    const warningId = await warn(sold);
    await receive(warningId);
    await runRefunds(app.engines);
    await tendWarnings(app.engines);
    payments.refund = refund;
    await receive(warningId);
    await runRefunds(app.engines);
    expect([await wishedOf(sold), await madeOf(sold)]).toEqual([[{ ...ours, state: 'failed' }], []]);
    expect(await rowOf(warningId)).toEqual({ isReturned: true, isSettled: true });
    expect(await world.door(sold)).toBe('open');
  });

  it('by the provider’s test card, is found without any webhook, a minute after it was paid', async () => {
    const { slug, id: linkId } = await world.shared.makeLink(tipToOpen(1000), { expiry: { kind: 'never' } });
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    await payAt(app, sessionOf((await tapPay(app, slug, browser)).body.url), {
      card: '4000000000005423',
    });
    await settleOpen(app.engines, 0);
    const stateOf = async () =>
      (await readRow<{ state: string }>(app, 'select state from checkout_orders where link_id = $1', [linkId])).state;
    await tendWarnings(app.engines);
    expect(await stateOf()).toBe('paid');
    advance(app, 61_000);
    await tendWarnings(app.engines);
    await runRefunds(app.engines);
    expect(await stateOf()).toBe('refunded');
  });
});

describe('told of several times', () => {
  it('at once, and while its creator gives it back herself, it goes back once', async () => {
    const sold = await world.sell();
    const warningId = await warn(sold);
    const browser = await signInQuickly(app, world.creator.userId);
    const refund = () => app.call('money.refund', { orderId: sold.orderId }, browser);
    const [tap] = await Promise.all([refund(), ...Array.from({ length: 6 }, () => receive(warningId)), refund()]);
    expect(tap.status).toBe(200);
    await Promise.all([runRefunds(app.engines), runRefunds(app.engines), receive(warningId)]);
    expect((await madeOf(sold)).map(({ cents }) => cents)).toEqual([5000]);
    expect(await wishedOf(sold)).toHaveLength(1);
    await receive(warningId);
    expect(await rowOf(warningId)).toMatchObject({ isSettled: true });
    await reconcile(app.engines);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('by somebody who comes in the moment in which the refund before is written down, it is wished for once', async () => {
    const sold = await world.sell();
    await readRows(
      app,
      `insert into refunds (id, order_id, creator_id, amount_cents, reason, by_kind, created_at)
       select gen_random_uuid(), id, creator_id, amount_cents, 'fraudulent', 'system', now() from checkout_orders where id = $1`,
      [sold.orderId],
    );
    const browser = await signInQuickly(app, world.creator.userId);
    const writing = app.engines.database.work({ kind: 'system' }, async (tx) => {
      await tx.query(written, [sold.orderId]);
      await wait(700);
    });
    await wait(150);
    await Promise.all([writing, app.call('money.refund', { orderId: sold.orderId }, browser)]);
    expect(await wishedOf(sold)).toHaveLength(1);
  });

  it('by its webhooks, doubled, reordered and late, it goes back once', async () => {
    const sold = await world.sell();
    await takeEvents(app);
    await warn(sold);
    const events = await takeEvents(app);
    expect(events.map(({ body }) => body.type)).toEqual(['radar.early_fraud_warning.created']);
    await Promise.all([...events, ...events].map((event) => tell(app, event)));
    await untilQuiet(app);
    await runRefunds(app.engines);
    const later = await takeEvents(app);
    expect(later.map(({ body }) => body.type)).toContain('radar.early_fraud_warning.updated');
    await Promise.all([...later.toReversed(), ...events].map((event) => tell(app, event)));
    await untilQuiet(app);
    await runRefunds(app.engines);
    expect([await world.stateOf(sold), (await madeOf(sold)).length, (await wishedOf(sold)).length]).toEqual([
      'refunded',
      1,
      1,
    ]);
  });

  it('before anything has told of its payment, it is found with that', async () => {
    const { slug, id: linkId } = await world.shared.makeLink(tipToOpen(1000), { expiry: { kind: 'never' } });
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    const sessionId = sessionOf((await tapPay(app, slug, browser)).body.url);
    await payAt(app, sessionId);
    const { chargeId = '' } = await app.engines.payments.findCheckout(sessionId);
    // Its order is known by the checkout that the provider names: nothing has told of it.
    expect(await receive(await warn({ chargeId }))).toBe(true);
    await runRefunds(app.engines);
    expect(await readRow(app, 'select state from checkout_orders where link_id = $1', [linkId])).toEqual({
      state: 'refunded',
    });
  });
});

describe('a payment that a bank has by now', () => {
  it('is left to the bank when it was disputed before', async () => {
    const sold = await world.sell();
    const disputeId = await world.dispute(sold);
    const warningId = await warn(sold);
    expect(await receive(warningId)).toBe(true);
    expect(await rowOf(warningId)).toEqual({ isReturned: false, isSettled: true });
    await world.decide(disputeId, true);
    await receive(warningId);
    await runRefunds(app.engines);
    expect([await world.stateOf(sold), await wishedOf(sold), await madeOf(sold)]).toEqual(['paid', [], []]);
  });

  it('is left to it when it was disputed in the very moment', async () => {
    const sold = await world.sell();
    await receive(await warn(sold));
    await app.engines.sandbox?.dispute(sold.chargeId);
    await runRefunds(app.engines);
    expect(await wishedOf(sold)).toEqual([{ ...ours, state: 'failed' }]);
    expect([await world.stateOf(sold), await madeOf(sold), await world.door(sold)]).toEqual([
      'disputed',
      [],
      'Access is on hold',
    ]);
  });

  it('is left to it whatever an event says: only what it is about is believed', async () => {
    const sold = await world.sell();
    await world.dispute(sold);
    await takeEvents(app);
    await warn(sold);
    const [event] = await takeEvents(app);
    if (event?.body.data === undefined) throw new Error('nothing was told');
    Object.assign(event.body.data.object, { actionable: true });
    await tell(app, event);
    await untilQuiet(app);
    await runRefunds(app.engines);
    expect([await wishedOf(sold), await madeOf(sold)]).toEqual([[], []]);
  });
});
