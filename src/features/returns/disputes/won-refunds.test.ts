import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { syncLedger } from '#features/books/ledger-sync.ts';
import { findDrift } from '#features/money/reconcile.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { insertRefund } from '#features/orders/refunds-store.ts';
import { type DisputeWorld, openDisputeWorld, type Sold } from '#tests/support/money/disputing.ts';
import { fillAccount } from '#tests/support/money/selling.ts';
import { must, readRow, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runRefunds } from '../refunding.ts';

let app: TestApp;
let world: DisputeWorld;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openDisputeWorld(app);
  await fillAccount(app, world.accountId);
});
afterAll(() => app.close());

async function won(): Promise<Sold> {
  const sold = await world.sell();
  await world.decide(await world.dispute(sold), true);
  return sold;
}
const refund = ({ orderId }: Sold) => app.call('money.refund', { orderId }, world.creator.browser);
const reversalsOf = async ({ orderId }: Sold): Promise<number> =>
  (
    await readRow<{ n: number }>(
      app,
      `select count(*)::int as n from sandbox_objects x join refunds r on x.body->'metadata'->>'refund' = r.id::text where r.order_id = $1`,
      [orderId],
    )
  ).n;

describe('a payment whose bank was quicker than its refund', () => {
  it('is disputed instead, which is no fault of ours, and can be given back once that was won', async () => {
    const sold = await world.sell();
    const disputeId = (await app.engines.sandbox?.dispute(sold.chargeId)) ?? '';
    await refund(sold);
    expect(
      await readRow(app, 'select state, last_error from refunds where order_id = $1', [sold.orderId]),
    ).toMatchObject({
      state: 'failed',
    });
    expect([await world.stateOf(sold), await world.door(sold)]).toEqual(['disputed', 'Access is on hold']);
    await world.decide(disputeId, true);
    await must(app, 'money.refund', { orderId: sold.orderId }, world.creator.browser);
    expect(await world.stateOf(sold)).toBe('refunded');
    expect(await findDrift(app.engines)).toEqual([]);
  });
});

describe("a dispute that is won while its creator's part is being taken back", () => {
  it('gives that part again', async () => {
    const sold = await world.sell();
    const disputeId = (await app.engines.sandbox?.dispute(sold.chargeId)) ?? '';
    const { payments } = app.engines;
    const { findPassedOn } = payments;
    let isWonTold: Promise<unknown> = Promise.resolve();
    payments.findPassedOn = async (chargeId) => {
      payments.findPassedOn = findPassedOn;
      const passedOn = await findPassedOn(chargeId);
      await app.engines.sandbox?.decideDispute(disputeId, true);
      isWonTold = syncObject(app.engines, disputeId);
      await Promise.race([isWonTold, wait(500)]);
      return passedOn;
    };
    await syncObject(app.engines, disputeId);
    await isWonTold;
    expect(await world.leftOf(sold)).toMatchObject({ 'liability:creator': -4500, 'income:platform_fee': -500 });
    expect(await world.leftOf(sold)).not.toHaveProperty('clearing:refunds');
    expect(await findDrift(app.engines)).toEqual([]);
  });
});

describe('a payment whose dispute was won', () => {
  it('is given back as every other, once: by its creator, and by the platform its part', async () => {
    const sold = await won();
    const { rows } = await must(app, 'money.listEarnings', { filter: 'all' }, world.creator.browser);
    expect(rows.find(({ orderId }: { orderId: string }) => orderId === sold.orderId)).toMatchObject({
      canRefund: true,
    });
    const taps = await Promise.all([refund(sold), refund(sold)]);
    expect(taps.map(({ status }) => status)).toEqual([200, 200]);
    await runRefunds(app.engines, sold.orderId);
    await syncLedger(app.engines);
    expect([await world.stateOf(sold), await reversalsOf(sold)]).toEqual(['refunded', 1]);
    expect(await world.leftOf(sold)).toEqual({
      'asset:stripe': -1675,
      'expense:dispute_fee': 1500,
      'expense:processor': 175,
    });
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('goes back in parts, each in its proportion, to the cent', async () => {
    const sold = await won();
    for (const amountCents of [333, undefined]) {
      const now = new Date(app.engines.clock());
      const by = { kind: 'staff' } as const;
      const params = {
        id: crypto.randomUUID(),
        orderId: sold.orderId,
        reason: 'duplicate',
        note: '',
        by,
        now,
      } as const;
      await app.engines.database.work({ kind: 'system' }, (tx) => insertRefund(tx, { ...params, amountCents }));
      await runRefunds(app.engines, sold.orderId);
      await syncLedger(app.engines);
      const left = await world.leftOf(sold);
      expect(left).not.toHaveProperty('clearing:refunds');
      if (amountCents === 333) expect(left).toMatchObject({ 'liability:creator': -4200, 'income:platform_fee': -467 });
      else expect(left).not.toHaveProperty('liability:creator');
    }
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('is taken back from its creator all the same where the process ended between the two', async () => {
    const sold = await won();
    const { payments } = app.engines;
    const { takeGivenBack } = payments;
    payments.takeGivenBack = () => Promise.reject(new Error('the process ends here'));
    await refund(sold);
    payments.takeGivenBack = takeGivenBack;
    await readRows(app, "update refunds set state = 'succeeded' where order_id = $1", [sold.orderId]);
    await runRefunds(app.engines, sold.orderId);
    await syncLedger(app.engines);
    expect(await reversalsOf(sold)).toBe(1);
    expect(await world.leftOf(sold)).not.toHaveProperty('liability:creator');
  });
});
