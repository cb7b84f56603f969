import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Tx } from '#engines/database/work.ts';
import { type Payments, PaymentsAway } from '#engines/payments/payments.ts';
import { findDrift, reconcile } from '#features/money/reconcile.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { insertRefund } from '#features/orders/refunds-store.ts';
import { tendDisputes } from '#features/returns/disputes/tending-disputes.ts';
import { runRefunds } from '#features/returns/refunding.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import { type DisputeWorld, listRefundsMade, openDisputeWorld, type Sold } from '#tests/support/money/disputing.ts';
import { advance, readRow, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

const system = { kind: 'system' } as const;
let app: TestApp;
let world: DisputeWorld;
let own: Payments;
beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  world = await openDisputeWorld(app);
  own = app.engines.payments;
});
afterAll(() => app.close());
afterEach(() => {
  app.engines.payments = own;
});

const work = <T>(run: (tx: Tx) => Promise<T>): Promise<T> => app.engines.database.work(system, run);
const lost = () => new PaymentsAway('the answer was lost');

/** A part of what was paid is wished back, and the provider makes it without reporting it. */
async function refundUnheard(sold: Sold): Promise<string> {
  const id = randomUUID();
  const now = new Date(app.engines.linkClock());
  const params = {
    id,
    orderId: sold.orderId,
    reason: 'duplicate',
    note: '',
    by: system,
    amountCents: 2000,
    now,
  } as const;
  await work((tx) => insertRefund(tx, params));
  app.engines.payments = {
    ...own,
    refund: async (refund) => {
      await own.refund(refund);
      throw lost();
    },
  };
  await runRefunds(app.engines);
  app.engines.payments = own;
  return id;
}

const made = async (sold: Sold) => (await listRefundsMade(app, sold.chargeId)).map(({ cents }) => cents);

it('what was made and nobody heard of is not made again within a day, nor once its key is forgotten', async () => {
  const [soon, late] = [await world.sell(), await world.sell()];
  await refundUnheard(soon);
  advance(app, hourMs);
  await runRefunds(app.engines);
  expect(await made(soon)).toEqual([2000]);
  const id = await refundUnheard(late);
  advance(app, dayMs + hourMs);
  await runRefunds(app.engines);
  expect(await made(late)).toEqual([2000]);
  expect(await readRow(app, 'select state from refunds where id = $1', [id])).toEqual({ state: 'succeeded' });
});

it('what may have been made is not made while the list cannot be read, and once it is read it is', async () => {
  const sold = await world.sell();
  const id = await refundUnheard(sold);
  // As if it had been lost on the way there.
  await readRows(
    app,
    `update sandbox_objects set body = body || '{"metadata":{}}' where type = 'refund' and body->>'charge' = $1`,
    [sold.chargeId],
  );
  advance(app, dayMs + hourMs);
  app.engines.payments = { ...own, findMade: () => Promise.reject(lost()) };
  await runRefunds(app.engines);
  expect(await made(sold)).toEqual([2000]);
  app.engines.payments = own;
  advance(app, dayMs);
  await runRefunds(app.engines);
  expect(await made(sold)).toEqual([2000, 2000]);
  const call = 'select refusals from provider_calls where name = $1';
  expect(await readRow(app, call, [`refund:${id}`])).toEqual({ refusals: 1 });
});

it('what was refused is asked for again, and given as soon as it can be', async () => {
  const sold = await world.sell();
  const disputeId = await world.dispute(sold);
  const { accountId } = world;
  await app.engines.sandbox?.rejectAccount(accountId);
  await world.decide(disputeId, true).catch(() => undefined);
  const given = () =>
    readRows(app, `select id from sandbox_objects where type = 'transfer' and body->'metadata'->>'dispute' = $1`, [
      disputeId,
    ]);
  expect(await given()).toEqual([]);
  await app.engines.sandbox?.answerOnboarding(accountId, true);
  advance(app, hourMs);
  await syncObject(app.engines, disputeId);
  expect(await given()).toHaveLength(1);
  await tendDisputes(app.engines);
  expect(await given()).toHaveLength(1);
  await reconcile(app.engines);
  expect(await findDrift(app.engines)).toEqual([]);
});
