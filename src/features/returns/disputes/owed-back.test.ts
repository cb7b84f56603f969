import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { findDrift, reconcile } from '#features/money/reconcile.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { dayMs } from '#kit/time.ts';
import { type Asked, askAtLink, emailsTo, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts } from '#tests/support/money/selling.ts';
import { advance, must, readRow } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runRefunds } from '../refunding.ts';
import { runRefundsCommand } from '../refunds/refunds-command.ts';
import { runDisputesCommand } from './disputes-command.ts';
import { tendDisputes } from './tending-disputes.ts';

const operatorEmail = 'operator@example.com';
const noOrder = { verb: undefined, id: undefined, folder: undefined, note: undefined };
let app: TestApp;
let shared: SharedAlbum;
let accountId: string;

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  app.engines.sandbox?.deliverTo(undefined);
  Object.assign(app.engines.installation, { operatorEmail });
  shared = await shareAlbum(app, { count: 1 });
  accountId = await connectPayouts(app, shared.creator);
  await takeRequests(app, shared.creator);
});
afterAll(() => app.close());
beforeEach(() => emptyAccount());

const atAccount = async () => {
  const { available, pending } = await app.engines.payments.balance(accountId);
  return (available.get('usd') ?? 0) + (pending.get('usd') ?? 0);
};
/** All that they have is paid out. */
async function emptyAccount(): Promise<void> {
  advance(app, 3 * dayMs);
  const cents = await atAccount();
  if (cents > 0) await app.engines.sandbox?.payOut(accountId, cents);
  await reconcile(app.engines);
}

/** Custom work that was paid, delivered and released. */
async function released(): Promise<Asked & { chargeId: string; orderId: string }> {
  const asked = await askAtLink(app, shared);
  await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, shared.creator.browser);
  await payFor(app, asked);
  await must(app, 'requests.deliver', { requestId: asked.id, albumId: shared.albumId }, shared.creator.browser);
  await must(app, 'requests.say', { code: asked.code, what: 'accept' }, asked.browser);
  const columns = 'charge_id as "chargeId", id as "orderId"';
  const order = await readRow<{ chargeId: string; orderId: string }>(
    app,
    `select ${columns} from checkout_orders where request_id = $1`,
    [asked.id],
  );
  return { ...asked, ...order };
}
async function dispute({ chargeId }: { chargeId: string }): Promise<string> {
  const disputeId = (await app.engines.sandbox?.dispute(chargeId)) ?? '';
  await syncObject(app.engines, disputeId);
  return disputeId;
}
const decide = async (disputeId: string, isWon: boolean) => {
  await app.engines.sandbox?.decideDispute(disputeId, isWon);
  await syncObject(app.engines, disputeId);
};
const rowOf = (disputeId: string) =>
  readRow<{ isOwed: boolean; isSettled: boolean; back: number }>(
    app,
    `select back_refused_at is not null and reversal_id is null as "isOwed", settled_at is not null as "isSettled", back_cents as back
     from disputes where dispute_id = $1`,
    [disputeId],
  );
const shownTo = async (what: 'disputes' | 'payouts') => must(app, `money.${what}`, {}, shared.creator.browser);
const tried = async (run: () => Promise<unknown>) => {
  advance(app, 3 * dayMs);
  await run();
  await reconcile(app.engines);
};

it('what was paid out before a dispute is owed, shown, kept from what she earns, and taken as soon as it is there', async () => {
  const sold = await released();
  await emptyAccount();
  const disputeId = await dispute(sold);
  expect(await readRow(app, 'select state from checkout_orders where id = $1', [sold.orderId])).toEqual({
    state: 'disputed',
  });
  expect([await rowOf(disputeId), await atAccount()]).toEqual([{ isOwed: true, isSettled: false, back: 3600 }, 0]);
  expect((await shownTo('disputes')).rows[0]).toMatchObject({ isOwed: true, shareCents: 3600 });
  expect(await shownTo('payouts')).toMatchObject({ dueCents: 3600 });
  expect(await runDisputesCommand(app.engines, noOrder)).toContain('OWED by its creator');
  const reported = async () => (await emailsTo(app, operatorEmail)).filter((text) => text.includes(`Of ${disputeId}`));
  expect(await reported()).toHaveLength(1);
  await decide(disputeId, false);
  await tried(() => tendDisputes(app.engines));
  expect([await rowOf(disputeId), (await reported()).length]).toMatchObject([{ isOwed: true, isSettled: false }, 1]);
  expect(await findDrift(app.engines)).toEqual([]);
  const next = await released();
  await tried(() => tendDisputes(app.engines));
  expect([await rowOf(disputeId), await atAccount()]).toMatchObject([{ isOwed: false, isSettled: true }, 0]);
  expect(await shownTo('payouts')).toMatchObject({ dueCents: 0 });
  expect(await findDrift(app.engines)).toEqual([]);
  expect(next.orderId).not.toBe(sold.orderId);
});

it('what is owed of a dispute that is won is owed no more, and nothing has moved', async () => {
  const sold = await released();
  await emptyAccount();
  const disputeId = await dispute(sold);
  expect(await rowOf(disputeId)).toMatchObject({ isOwed: true });
  await decide(disputeId, true);
  await reconcile(app.engines);
  expect([await rowOf(disputeId), await atAccount()]).toMatchObject([{ isSettled: true, back: 0 }, 0]);
  expect(await shownTo('payouts')).toMatchObject({ dueCents: 0 });
  expect(await findDrift(app.engines)).toEqual([]);
});

it('what was paid out before a refund is owed, and the buyer has it all the same', async () => {
  const sold = await released();
  await emptyAccount();
  const warningId = (await app.engines.sandbox?.warn(sold.chargeId)) ?? '';
  await syncObject(app.engines, warningId).catch(() => undefined);
  await runRefunds(app.engines);
  expect(await readRow(app, 'select state from checkout_orders where id = $1', [sold.orderId])).toEqual({
    state: 'refunded',
  });
  expect(await shownTo('payouts')).toMatchObject({ dueCents: 3600 });
  const listed = { verb: undefined, id: undefined, reason: undefined, note: undefined };
  expect(await runRefundsCommand(app.engines, listed)).toMatch(new RegExp(`${sold.orderId}.*OWED`));
  expect((await emailsTo(app, operatorEmail)).filter((text) => text.includes(`order ${sold.orderId}`))).not.toEqual([]);
  await released();
  await tried(() => runRefunds(app.engines));
  expect([(await shownTo('payouts')).dueCents, await atAccount()]).toEqual([0, 0]);
  expect(await findDrift(app.engines)).toEqual([]);
});
