import { afterAll, beforeAll, expect, it } from 'vitest';
import { lookAtCover } from '#features/money/health.ts';
import { findDrift, reconcile } from '#features/money/reconcile.ts';
import { hourMs } from '#kit/time.ts';
import { type DisputeWorld, openDisputeWorld, type Sold } from '#tests/support/money/disputing.ts';
import { emailsTo } from '#tests/support/money/requests.ts';
import { advance, must, readRow, readRows, signInQuickly } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { settleFees } from '../bearing-fees.ts';
import { runDisputesCommand } from './disputes-command.ts';
import { tendDisputes } from './tending-disputes.ts';

const operatorEmail = 'operator@example.com';
const noOrder = { verb: undefined, id: undefined, folder: undefined, note: undefined };
let app: TestApp;
let world: DisputeWorld;
beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  Object.assign(app.engines.installation, { operatorEmail });
  world = await openDisputeWorld(app, { ownCents: 0 });
});
afterAll(() => app.close());

const hers = async () => {
  const { available, pending } = await app.engines.payments.balance(world.accountId);
  return (available.get('usd') ?? 0) + (pending.get('usd') ?? 0);
};
const shownOf = async ({ orderId }: Sold) => {
  const { rows } = await must(app, 'money.disputes', {}, await signInQuickly(app, world.creator.userId));
  return rows.find((row: { orderId: string }) => row.orderId === orderId);
};
const rowOf = (disputeId: string) =>
  readRow(
    app,
    `select again_refused_at is not null as "isRefused", retransfer_id is not null as "isGiven", settled_at is not null as "isSettled"
     from disputes where dispute_id = $1`,
    [disputeId],
  );
const reported = async (disputeId: string) =>
  (await emailsTo(app, operatorEmail)).filter((text) => text.includes(`Of ${disputeId}`)).length;
const later = async (run: () => Promise<unknown>) => {
  advance(app, 24 * hourMs);
  await run();
  await reconcile(app.engines);
};

it('what a creator is given again is owed to her, shown and tried again while the platform has too little available', async () => {
  const sold = await world.sell();
  const disputeId = await world.dispute(sold);
  await world.decide(disputeId, true);
  expect(await rowOf(disputeId)).toEqual({ isRefused: true, isGiven: false, isSettled: false });
  expect([await hers(), await world.stateOf(sold)]).toEqual([0, 'paid']);
  expect(await shownOf(sold)).toMatchObject({ state: 'won', isOwed: true, shareCents: 4500 });
  expect(await runDisputesCommand(app.engines, noOrder)).toContain('OWED to its creator');
  await reconcile(app.engines);
  expect(await lookAtCover(app.engines)).toMatchObject({ isShort: true });
  expect(await reported(disputeId)).toBe(1);
  await later(() => tendDisputes(app.engines));
  expect([await rowOf(disputeId), await reported(disputeId)]).toMatchObject([{ isGiven: false, isSettled: false }, 1]);
  expect(await findDrift(app.engines)).toEqual([]);

  await app.engines.sandbox?.topUp(10_000);
  await later(() => tendDisputes(app.engines));
  expect([await rowOf(disputeId), await hers()]).toMatchObject([{ isGiven: true, isSettled: true }, 4500]);
  expect(await shownOf(sold)).toMatchObject({ state: 'won', isOwed: false });
  expect(await findDrift(app.engines)).toEqual([]);
  expect(await app.engines.payments.findPassedOn(sold.chargeId)).toMatchObject({ leftCents: 0 });
});

it('a fee that is given back is owed to her the same', async () => {
  await world.sell();
  const sold = await world.sell();
  advance(app, 72 * hourMs);
  const disputeId = await world.dispute(sold);
  await readRows(app, 'update disputes set borne_cents = 1500 where dispute_id = $1', [disputeId]);
  await settleFees(app.engines);
  expect((await shownOf(sold)).fee).toEqual({ cents: 1500, state: 'taken' });
  const all = (await app.engines.payments.balance()).available.get('usd') ?? 0;
  await app.engines.sandbox?.topUp(-all);
  await world.decide(disputeId, true);
  await settleFees(app.engines);
  // What came back with the dispute is enough for their share, and no more.
  expect((await shownOf(sold)).fee).toEqual({ cents: 1500, state: 'returning' });
  expect(await reported(disputeId)).toBe(1);
  expect(await runDisputesCommand(app.engines, noOrder)).toContain('OWED to the creator');
  await later(() => settleFees(app.engines));
  expect(await reported(disputeId)).toBe(1);
  await app.engines.sandbox?.topUp(20_000);
  await later(() => settleFees(app.engines));
  expect((await shownOf(sold)).fee).toEqual({ cents: 1500, state: 'returned' });
  expect(await findDrift(app.engines)).toEqual([]);
});
