import { afterAll, beforeAll, expect, it } from 'vitest';
import { listEmails } from '#features/notices/store.ts';
import { handOnUnanswered } from '#features/orders/asking-back.ts';
import { receiptCode } from '#features/orders/receipts.ts';
import { hourMs } from '#kit/time.ts';
import { type DisputeWorld, openDisputeWorld } from '#tests/support/money/disputing.ts';
import { advance, must, readRow, signInQuickly } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runRefundsCommand } from './refunds-command.ts';

const operatorEmail = 'operator@example.com';
let app: TestApp;
let world: DisputeWorld;

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  Object.assign(app.engines.installation, { operatorEmail });
  world = await openDisputeWorld(app);
});
afterAll(() => app.close());

const listed = () =>
  runRefundsCommand(app.engines, { verb: undefined, id: undefined, reason: undefined, note: undefined });
const waiting = async (orderId: string) => {
  const { requests } = await must(app, 'refunds.waiting', {}, await signInQuickly(app, world.creator.userId));
  return requests.find((request: { orderId: string }) => request.orderId === orderId);
};
const askedOf = (orderId: string) =>
  readRow(app, 'select state, answered_by as by from refund_requests where order_id = $1', [orderId]);
const toldOf = async (orderId: string) =>
  (await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000))).filter(
    ({ to, text }) => to === operatorEmail && text.includes(orderId),
  );

/** A buyer asks, and has gone to the bank when the creator says yes. */
async function accepted() {
  const sold = await world.sell();
  const code = receiptCode(app.engines, sold.orderId);
  await must(app, 'refunds.ask', { code, reason: 'satisfaction', text: '' }, newBrowser());
  expect(await waiting(sold.orderId)).toBeDefined();
  const disputeId = (await app.engines.sandbox?.dispute(sold.chargeId)) ?? '';
  const yes = { orderId: sold.orderId, isRefunded: true, text: '' };
  const said = await app.call('refunds.answer', yes, await signInQuickly(app, world.creator.userId));
  expect(said.body.code).toBe('DISPUTED');
  return { ...sold, disputeId };
}

it('a request whose payment is with a bank waits for nobody, and has time again once the dispute is won', async () => {
  const { orderId, disputeId } = await accepted();
  advance(app, 80 * hourMs);
  await handOnUnanswered(app.engines);
  expect([await waiting(orderId), await askedOf(orderId)]).toEqual([undefined, { state: 'creator', by: null }]);
  expect(await toldOf(orderId)).toEqual([]);
  await world.decide(disputeId, true);
  await handOnUnanswered(app.engines);
  const answerUntil = new Date(app.engines.linkClock() + 72 * hourMs).toISOString();
  expect(await waiting(orderId)).toMatchObject({ orderId, answerUntil });
  await must(
    app,
    'refunds.answer',
    { orderId, isRefunded: true, text: '' },
    await signInQuickly(app, world.creator.userId),
  );
  expect(await askedOf(orderId)).toEqual({ state: 'refunded', by: 'creator' });
});

it('a request that was handed on is listed for the operator only while it can be answered', async () => {
  const sold = await world.sell();
  const code = receiptCode(app.engines, sold.orderId);
  await must(app, 'refunds.ask', { code, reason: 'satisfaction', text: '' }, newBrowser());
  advance(app, 72 * hourMs);
  await handOnUnanswered(app.engines);
  expect(await listed()).toMatch(new RegExp(`${sold.orderId}.*WAITS FOR YOU`));
  const disputeId = await world.dispute(sold);
  expect(await listed()).not.toMatch(new RegExp(`${sold.orderId}.*WAITS FOR YOU`));
  await world.decide(disputeId, true);
  expect(await listed()).toMatch(new RegExp(`${sold.orderId}.*WAITS FOR YOU`));
});

it('a request whose payment the bank has returned is closed', async () => {
  const { orderId, disputeId } = await accepted();
  await world.decide(disputeId, false);
  expect([await world.stateOf({ orderId }), await askedOf(orderId)]).toEqual([
    'charged_back',
    { state: 'declined', by: 'system' },
  ]);
  expect(await waiting(orderId)).toBeUndefined();
});
