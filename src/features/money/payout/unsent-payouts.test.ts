import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { PaymentsAway } from '#engines/payments/payments.ts';
import { syncLedger } from '#features/books/ledger-sync.ts';
import { hold } from '#features/payouts/holding.ts';
import { type DisputeWorld, openDisputeWorld } from '#tests/support/money/disputing.ts';
import { proveSeller } from '#tests/support/money/selling.ts';
import { advance, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { payCreators, payNow } from '../paying-out.ts';
import { findDrift } from '../reconcile.ts';

const day = 86_400_000;
let app: TestApp;
let world: DisputeWorld;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openDisputeWorld(app);
  await proveSeller(app, world.creator);
});
afterAll(() => app.close());

beforeEach(async () => {
  await world.sell();
  advance(app, 8 * day);
  await syncLedger(app.engines);
});
afterEach(async () => {
  expect(await findDrift(app.engines)).toEqual([]);
  await readRows(app, 'delete from payouts');
  await readRows(app, 'update payout_holds set ended_at = now(), ended_by = $1 where ended_at is null', ['staff']);
});

const statesOf = async () => (await readRows(app, 'select state from payouts')).map(({ state }) => state);
const madeOf = async () =>
  (await readRows(app, `select body->>'status' as status from sandbox_objects where type = 'payout'`)).length;

/** The provider is asked for a payout and doesn't answer; then staff hold their payouts. @param isMade it has heard it all the same */
async function holdUnanswered(isMade: boolean): Promise<void> {
  const { userId } = world.creator;
  await readRows(
    app,
    `insert into payout_holds (id, user_id, provider, livemode, code, note, by_kind, since, ended_at, ended_by)
    values (gen_random_uuid(), $1, 'sandbox', false, 'REVIEW_NEW', '', 'system', now(), now(), 'staff')`,
    [userId],
  );
  const own = app.engines.payments;
  const payOut: typeof own.payOut = async (params) => {
    if (isMade) await own.payOut(params);
    throw new PaymentsAway('no answer');
  };
  app.engines.payments = { ...own, payOut };
  await payNow(app.engines, userId).catch(() => undefined);
  app.engines.payments = own;
  expect(await statesOf()).toEqual(['created']);
  const now = new Date(app.engines.linkClock());
  const about = { userId, code: 'SANCTIONS', note: '', by: 'staff', now } as const;
  await app.engines.database.work({ kind: 'system' }, (tx) => hold(app.engines, tx, about));
  advance(app, day);
  await payCreators(app.engines);
}

it('a payout that was never made is not made once something holds it', async () => {
  await holdUnanswered(false);
  expect([await madeOf(), await statesOf()]).toEqual([0, ['canceled']]);
});

it('a payout that was made, though nobody heard it, is known as made', async () => {
  await holdUnanswered(true);
  expect([await madeOf(), await statesOf()]).toEqual([1, ['in_transit']]);
});
