import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Tx } from '#engines/database/work.ts';
import type { CallTrouble } from '#engines/payments/sandbox-parts.ts';
import { payCreators, payNow } from '#features/money/paying-out.ts';
import { settleOpen } from '#features/money/reconcile.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { insertRefund } from '#features/orders/refunds-store.ts';
import { listHolds } from '#features/payouts/holds-store.ts';
import { runRefunds } from '#features/returns/refunding.ts';
import { tendWarnings } from '#features/returns/warnings/tending-warnings.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import { type DisputeWorld, listRefundsMade, openDisputeWorld } from '#tests/support/money/disputing.ts';
import { emailsTo } from '#tests/support/money/requests.ts';
import { proveSeller } from '#tests/support/money/selling.ts';
import { advance, readRow, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { syncLedger } from './ledger-sync.ts';

const operatorEmail = 'operator@example.com';
const system = { kind: 'system' } as const;
let app: TestApp;
let world: DisputeWorld;
beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  Object.assign(app.engines.installation, { operatorEmail });
  world = await openDisputeWorld(app);
  await proveSeller(app, world.creator);
  // Their first payout was looked at.
  await readRows(
    app,
    `insert into payout_holds (id, user_id, provider, livemode, code, note, by_kind, since, ended_at, ended_by)
    values (gen_random_uuid(), $1, 'sandbox', false, 'REVIEW_NEW', '', 'system', now(), now(), 'staff')`,
    [world.creator.userId],
  );
});
afterAll(() => app.close());
afterEach(() => app.engines.sandbox?.setTrouble(undefined));

const meet = (trouble: CallTrouble | undefined) => app.engines.sandbox?.setTrouble(trouble);
const reported = async () =>
  (await emailsTo(app, operatorEmail)).filter((text) => text.includes('STRIPE_SECRET_KEY')).length;
const work = <T>(run: (tx: Tx) => Promise<T>): Promise<T> => app.engines.database.work(system, run);
async function wishBack(orderId: string): Promise<string> {
  const now = new Date(app.engines.linkClock());
  const id = randomUUID();
  await work((tx) => insertRefund(tx, { id, orderId, reason: 'duplicate', note: '', by: system, now }));
  return id;
}

describe.each([401, 403, 409] as const)('a call that meets %i is not refused', (status) => {
  it('a refund waits, its order stays as it was, and it is made once calls are taken again', async () => {
    const sold = await world.sell();
    const refundId = await wishBack(sold.orderId);
    meet({ status, endpoint: 'POST /v1/refunds' });
    await runRefunds(app.engines);
    const stateOf = () => readRow(app, 'select state from refunds where id = $1', [refundId]);
    expect(await stateOf()).toEqual({ state: 'pending' });
    expect(await world.stateOf(sold)).toBe('paid');
    meet(undefined);
    advance(app, hourMs);
    await runRefunds(app.engines);
    expect(await stateOf()).toEqual({ state: 'succeeded' });
    expect(await listRefundsMade(app, sold.chargeId)).toHaveLength(1);
  });

  it('a payout waits without a hold and without an email to its creator, and is made once', async () => {
    await world.sell();
    advance(app, 8 * dayMs);
    await syncLedger(app.engines);
    const { userId, email } = world.creator;
    const before = (await emailsTo(app, email)).length;
    meet({ status, endpoint: 'POST /v1/payouts' });
    expect(await payNow(app.engines, userId)).toBe('started');
    const states = () => readRows(app, 'select state from payouts order by created_at desc limit 1');
    expect(await states()).toEqual([{ state: 'created' }]);
    expect(await work((tx) => listHolds(tx, { userId, realm: app.engines.payments.realm }))).toEqual([]);
    expect(await emailsTo(app, email)).toHaveLength(before);
    meet(undefined);
    advance(app, hourMs);
    await payCreators(app.engines);
    expect(await states()).toEqual([{ state: 'in_transit' }]);
    advance(app, 3 * dayMs);
    await payCreators(app.engines);
  });

  it('a payment that its bank reports is not settled, and goes back later', async () => {
    const sold = await world.sell();
    const warningId = (await app.engines.sandbox?.warn(sold.chargeId)) ?? '';
    meet({ status, endpoint: 'POST /v1/refunds' });
    await syncObject(app.engines, warningId).catch(() => undefined);
    await runRefunds(app.engines);
    advance(app, hourMs);
    await tendWarnings(app.engines);
    const settled = 'select settled_at is not null as "isSettled" from fraud_warnings where warning_id = $1';
    expect(await readRow(app, settled, [warningId])).toEqual({ isSettled: false });
    meet(undefined);
    advance(app, hourMs);
    await runRefunds(app.engines);
    await tendWarnings(app.engines);
    expect(await readRow(app, settled, [warningId])).toEqual({ isSettled: true });
    expect(await listRefundsMade(app, sold.chargeId)).toEqual([{ cents: 5000, reason: 'fraudulent' }]);
  });
});

it('the operator reads once in half a day that the key is refused, and nothing of a call that was busy', async () => {
  advance(app, dayMs);
  const before = await reported();
  meet({ status: 409 });
  await world.sell().catch(() => undefined);
  await settleOpen(app.engines, 0).catch(() => undefined);
  expect(await reported()).toBe(before);
  meet(undefined);
  const sold = await world.sell();
  await wishBack(sold.orderId);
  meet({ status: 401 });
  await runRefunds(app.engines);
  expect(await reported()).toBe(before + 1);
  advance(app, hourMs);
  await runRefunds(app.engines);
  expect(await reported()).toBe(before + 1);
});

it('an account that was closed is refused alone: its payout fails, and the others go on', async () => {
  advance(app, 8 * dayMs);
  await world.sell();
  advance(app, 8 * dayMs);
  await syncLedger(app.engines);
  const { userId } = world.creator;
  const { sandbox, payments } = app.engines;
  await sandbox?.closeAccount(world.accountId);
  await expect(payments.balance(world.accountId)).rejects.toMatchObject({ name: 'PaymentRefused', why: 'closed' });
  await expect(payNow(app.engines, userId)).rejects.toMatchObject({ why: 'closed' });
  expect((await payments.balance()).available.size).toBeGreaterThan(0);
});
