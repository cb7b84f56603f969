import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDrift } from '#features/money/reconcile.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { type DisputeWorld, openDisputeWorld } from '#tests/support/money/disputing.ts';
import { takeEvents, tell, untilQuiet } from '#tests/support/money/published-events.ts';
import { tapDoor, tapPay } from '#tests/support/money/selling.ts';
import { listTemplates, must, readRow, readRows } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runRefunds } from '../refunding.ts';
import { answerDisputes } from './answering-disputes.ts';
import { tendDisputes } from './tending-disputes.ts';

let app: TestApp;
let world: DisputeWorld;
const reported: object[] = [];
beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: (about: object) => void reported.push(about) };
  app = await openTestApp({ workJobs: false, log });
  world = await openDisputeWorld(app);
});
afterAll(() => app.close());

const rowOf = (disputeId: string) =>
  readRow(
    app,
    'select standing, back_cents, back_fee_cents, settled_at is not null as settled from disputes where dispute_id = $1',
    [disputeId],
  );
const countOf = async (type: string, where: object): Promise<number> =>
  (
    await readRow<{ n: number }>(
      app,
      'select count(*)::int as n from sandbox_objects where type = $1 and body @> $2::jsonb',
      [type, JSON.stringify(where)],
    )
  ).n;

/** Returns how many of each email the creator has got. */
const mailsOf = async () => {
  const templates = await listTemplates(app, world.creator.email);
  const count = (wanted: string) => templates.filter((template) => template === wanted).length;
  return {
    dispute: count('dispute'),
    dispute_lost: count('dispute_lost'),
    dispute_won: count('dispute_won'),
  };
};

const paidLines = [
  'charge: stripe +4825, processor +175, platform_fee -500, creator -4500',
  'transfer: stripe -5000, custody +5000',
  'application_fee: stripe +500, custody -500',
];
const disputedLines = [
  'adjustment: stripe -6500, refunds +5000, dispute_fee +1500',
  'application_fee_refund: stripe -500, custody +500, platform_fee +500, creator -500',
  'transfer_refund: stripe +5000, refunds -5000, custody -5000, creator +5000',
];

describe('a payment that is disputed', () => {
  it('closes what it opened, and lost it stays closed: the creator bears the payment, the platform its cost', async () => {
    const sold = await world.sell();
    expect(await world.door(sold)).toBe('open');
    const disputeId = await world.dispute(sold);
    expect([await world.stateOf(sold), await world.door(sold)]).toEqual(['disputed', 'Access is on hold']);
    expect(await world.bookedOf(sold)).toEqual([...paidLines, ...disputedLines]);
    await world.decide(disputeId, false);
    expect([await world.stateOf(sold), await world.door(sold)]).toEqual([
      'charged_back',
      'Access ended: payment returned',
    ]);
    expect(await world.bookedOf(sold)).toEqual([...paidLines, ...disputedLines]);
    expect(await world.leftOf(sold)).toEqual({
      'asset:stripe': -1675,
      'expense:dispute_fee': 1500,
      'expense:processor': 175,
    });
    expect(await rowOf(disputeId)).toMatchObject({ standing: 'lost', settled: true });
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('opens again once it was won, and what was the creator’s of it is hers again', async () => {
    const sold = await world.sell();
    const disputeId = await world.dispute(sold);
    await world.decide(disputeId, true);
    expect([await world.stateOf(sold), await world.door(sold)]).toEqual(['paid', 'open']);
    expect(await world.bookedOf(sold)).toEqual([
      ...paidLines,
      ...disputedLines,
      'adjustment: stripe +5000, refunds -5000',
      'transfer: stripe -4500, refunds +4500, custody +4500, creator -4500',
      'dispute_won: refunds +500, platform_fee -500',
    ]);
    expect(await world.leftOf(sold)).toMatchObject({ 'liability:creator': -4500, 'income:platform_fee': -500 });
    expect(await world.leftOf(sold)).not.toHaveProperty('clearing:refunds');
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('won before anybody had heard of it moves nothing', async () => {
    const sold = await world.sell();
    const disputeId = (await app.engines.sandbox?.dispute(sold.chargeId)) ?? '';
    await world.decide(disputeId, true);
    expect(await world.bookedOf(sold)).toEqual([
      ...paidLines,
      'adjustment: stripe -6500, refunds +5000, dispute_fee +1500',
      'adjustment: stripe +5000, refunds -5000',
    ]);
    expect(await rowOf(disputeId)).toEqual({ standing: 'won', back_cents: null, back_fee_cents: null, settled: true });
  });

  it('marks who has paid, and its creator is told of each step once', async () => {
    const sold = await world.sell();
    const before = await mailsOf();
    const disputeId = await world.dispute(sold);
    await syncObject(app.engines, disputeId);
    await world.decide(disputeId, false);
    await syncObject(app.engines, disputeId);
    const { dispute, dispute_lost, dispute_won } = await mailsOf();
    expect([dispute, dispute_lost, dispute_won]).toEqual([
      before.dispute + 1,
      before.dispute_lost + 1,
      before.dispute_won,
    ]);
  });

  it('is found by who looks after disputes, when nobody tells of it, and when nobody answers', async () => {
    const sold = await world.sell();
    const disputeId = (await app.engines.sandbox?.dispute(sold.chargeId)) ?? '';
    await tendDisputes(app.engines);
    expect(await world.stateOf(sold)).toBe('disputed');
    await app.engines.sandbox?.decideDispute(disputeId, false);
    await tendDisputes(app.engines);
    expect(await world.stateOf(sold)).toBe('charged_back');
  });
});

it('a creator is shown each with what happens next, and never who has paid', async () => {
  const sold = await world.sell({ cents: 1500 });
  const read = async () => must(app, 'money.disputes', {}, world.creator.browser);
  const rowOfSold = async () =>
    (await read()).rows.find(({ orderId }: { orderId: string }) => orderId === sold.orderId);
  const disputeId = await world.dispute(sold);
  expect(await rowOfSold()).toMatchObject({
    kind: 'album',
    amountCents: 1500,
    shareCents: 1350,
    state: 'open',
    answer: 'undecided',
  });
  await answerDisputes(app.engines);
  expect(await rowOfSold()).toMatchObject({ answer: 'planned' });
  const words = { product_description: 'x', access_activity_log: 'x', uncategorized_text: 'x' };
  await app.engines.payments.submitEvidence(disputeId, { ...words, service_date: '2026-11-21' }, 0);
  await syncObject(app.engines, disputeId);
  expect(await rowOfSold()).toMatchObject({ state: 'answered' });
  await world.decide(disputeId, true);
  expect(await rowOfSold()).toMatchObject({ state: 'won' });
  expect(JSON.stringify(await read())).not.toContain('example.com');
  expect((await read()).rate).toBe('limited');
});

describe('whoever looks at what is disputed', () => {
  it('gets no more keys with the next lease, and gets them again once it was won', async () => {
    const sold = await world.sell();
    const { viewerApi, photos } = world.shared;
    const { head } = await viewerApi.tap(sold.slug, {}, sold.browser);
    const items = [{ mediaId: photos[0]?.mediaId, rendition: 'p2048' }];
    const lease = async () => {
      const { status, refusal, pictures } = await viewerApi.lease(head.visitId, items, sold.browser);
      return [status, refusal?.reason, pictures.length];
    };
    expect(await lease()).toEqual([200, undefined, 1]);
    const disputeId = await world.dispute(sold);
    expect(await lease()).toEqual([200, 'ON_HOLD', 0]);
    await world.decide(disputeId, true);
    expect(await lease()).toEqual([200, undefined, 1]);
  });

  it('is sold the same again neither meanwhile nor after it was lost', async () => {
    const sold = await world.sell({ isTip: true, cents: 1000 });
    const pay = async () => (await tapPay(app, sold.slug, sold.browser)).body.reason;
    const disputeId = await world.dispute(sold);
    expect(await pay()).toBe('ON_HOLD');
    await world.decide(disputeId, false);
    expect(await pay()).toBe('PAYMENT_RETURNED');
    const stranger = newBrowser();
    await tapDoor(app, sold.slug, stranger);
    expect((await tapPay(app, sold.slug, stranger)).status).toBe(200);
  });
});

describe('a refund', () => {
  it('is not made of a payment that is disputed, or that went back by the bank', async () => {
    const sold = await world.sell();
    const ask = async () =>
      (await app.call('money.refund', { orderId: sold.orderId }, world.creator.browser)).body.code;
    const disputeId = await world.dispute(sold);
    expect(await ask()).toBe('DISPUTED');
    await world.decide(disputeId, false);
    expect(await ask()).toBe('DISPUTED');
    expect(await countOf('refund', { charge: sold.chargeId })).toBe(0);
  });

  it('that was on its way when the bank took the money is not made: the money goes back once', async () => {
    const sold = await world.sell();
    await readRows(
      app,
      `insert into refunds (id, order_id, creator_id, amount_cents, reason, by_kind, created_at)
       select gen_random_uuid(), id, creator_id, amount_cents, 'customer_request', 'creator', now() from checkout_orders where id = $1`,
      [sold.orderId],
    );
    await app.engines.sandbox?.dispute(sold.chargeId);
    await Promise.all([runRefunds(app.engines, sold.orderId), tendDisputes(app.engines)]);
    expect(await countOf('refund', { charge: sold.chargeId })).toBe(0);
    expect(await world.stateOf(sold)).toBe('disputed');
    expect(await readRow(app, 'select state from refunds where order_id = $1', [sold.orderId])).toEqual({
      state: 'failed',
    });
    expect((await world.leftOf(sold))['liability:creator']).toBeUndefined();
  });

  it('of a part leaves the rest to the dispute', async () => {
    const sold = await world.sell({ cents: 2499 });
    const { paymentId } = await readRow<{ paymentId: string }>(
      app,
      'select payment_id as "paymentId" from checkout_orders where id = $1',
      [sold.orderId],
    );
    await app.engines.payments.refund({
      refundId: 'p',
      orderId: 'o',
      paymentId,
      amountCents: 333,
      reason: 'duplicate',
    });
    const disputeId = await world.dispute(sold);
    expect(await rowOf(disputeId)).toMatchObject({ back_cents: 2166, back_fee_cents: 216 });
    await world.decide(disputeId, true);
    expect(await world.stateOf(sold)).toBe('partially_refunded');
    expect(await world.leftOf(sold)).toMatchObject({ 'liability:creator': -1950, 'income:platform_fee': -216 });
    expect(await findDrift(app.engines)).toEqual([]);
  });
});

describe('told of several times at once', () => {
  it('a dispute is one, taken back once and given again once', async () => {
    const sold = await world.sell();
    const disputeId = (await app.engines.sandbox?.dispute(sold.chargeId)) ?? '';
    const receive = () => Promise.all(Array.from({ length: 6 }, () => syncObject(app.engines, disputeId)));
    await receive();
    expect(await countOf('transfer_reversal', { metadata: { dispute: disputeId } })).toBe(1);
    await app.engines.sandbox?.decideDispute(disputeId, true);
    await receive();
    expect(await countOf('transfer', { metadata: { dispute: disputeId } })).toBe(1);
    expect((await world.bookedOf(sold)).filter((line) => line.startsWith('dispute_won'))).toHaveLength(1);
    expect(await world.leftOf(sold)).toMatchObject({ 'liability:creator': -4500 });
  });

  it('by its webhooks, it comes to the same', async () => {
    const sold = await world.sell();
    await takeEvents(app);
    const disputeId = (await app.engines.sandbox?.dispute(sold.chargeId)) ?? '';
    const events = await takeEvents(app);
    await Promise.all([...events, ...events.toReversed()].map((event) => tell(app, event)));
    await untilQuiet(app);
    await app.engines.sandbox?.decideDispute(disputeId, true);
    const later = await takeEvents(app);
    await Promise.all([...later.toReversed(), ...events].map((event) => tell(app, event)));
    await untilQuiet(app);
    expect([await world.stateOf(sold), await countOf('transfer', { metadata: { dispute: disputeId } })]).toEqual([
      'paid',
      1,
    ]);
    expect(await world.leftOf(sold)).toMatchObject({ 'liability:creator': -4500, 'income:platform_fee': -500 });
  });

  it('nothing of it was an error', () => {
    expect(reported.filter((about) => !JSON.stringify(about).includes('orderId'))).toEqual([]);
  });
});
