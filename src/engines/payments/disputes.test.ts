import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs } from '#kit/time.ts';
import { openProvider, type Provider } from '#tests/support/money/provider.ts';
import type { Dispute, DisputeEvidence } from './disputes.ts';
import type { Checkout, Movement, Payments } from './payments.ts';
import type { Sandbox } from './sandbox-parts.ts';

let provider: Provider;
let payments: Payments;
let sandbox: Sandbox;
let accountId: string;
const now = () => provider.now();
const evidence: DisputeEvidence = {
  product_description: 'Private album',
  customer_email_address: 'bob@example.com',
  service_date: '2026-11-20',
  access_activity_log: '2026-11-20 10:00 opened, 3 photos, 312 s',
  refund_policy_disclosure: 'Shown before paying.',
  cancellation_policy_disclosure: 'Shown before paying.',
  uncategorized_text: 'Receipt 7 was delivered by email.',
};

beforeAll(async () => {
  provider = await openProvider();
  ({ payments, sandbox } = provider);
  ({ accountId } = await payments.ensureAccount({
    userId: 'mia',
    email: 'mia@example.com',
    handle: 'mia',
    country: 'US',
  }));
  const page = 'http://localhost:3000/account/payouts';
  await payments.onboardingUrl(accountId, { refreshUrl: page, returnUrl: page });
  await sandbox.answerOnboarding(accountId, true);
  // What is sent without a charge, or taken back of what was, needs money that is available.
  await sandbox.topUp(100_000);
  await sandbox.payOut(accountId, -100_000);
});
afterAll(() => provider.close());

let orders = 0;
/** Somebody pays, with a card that is disputed at once where nothing else is said. */
async function pay(amountCents: number, card = '4000000000000259'): Promise<Checkout> {
  const { sessionId } = await payments.openCheckout({
    orderId: `order-${++orders}`,
    kind: 'tip',
    productName: 'Tip',
    amountCents,
    currency: 'usd',
    feeCents: Math.floor(amountCents / 10),
    accountId,
    expiresAt: new Date(now() + 3_600_000),
    successUrl: 'http://localhost:3000/tip-success?session_id={CHECKOUT_SESSION_ID}',
    cancelUrl: 'http://localhost:3000/view/x',
  });
  await sandbox.pay(sessionId, { email: 'bob@example.com', card });
  return payments.findCheckout(sessionId);
}

async function disputeOf({ chargeId }: Checkout): Promise<Dispute> {
  for await (const page of payments.disputes(undefined))
    for (const dispute of page) if (dispute.chargeId === chargeId) return dispute;
  throw new Error('no dispute');
}

async function movementsOf({ chargeId }: Checkout): Promise<Movement[]> {
  const found: Movement[] = [];
  for await (const page of payments.movements(undefined))
    found.push(...page.filter((movement) => movement.chargeId === chargeId));
  return found.toReversed();
}

const hers = async () => {
  const { available, pending } = await payments.balance(accountId);
  return (available.get('usd') ?? 0) + (pending.get('usd') ?? 0);
};

/** Takes back what a creator has of it, as the room above does. */
async function takeBack(paid: Checkout, disputeId: string) {
  const passedOn = await payments.findPassedOn(paid.chargeId ?? '');
  if (passedOn === undefined) throw new Error('nothing was passed on');
  await payments.takeBack({
    disputeId,
    transferId: passedOn.transferId,
    amountCents: passedOn.leftCents,
    feeCents: passedOn.feeLeftCents,
  });
  return passedOn;
}

describe('a payment that is disputed', () => {
  it('is with the bank at once, and can be answered for a week', async () => {
    const paid = await pay(5000);
    expect(paid).toMatchObject({ state: 'paid', isDisputed: true, isLost: false });
    const dispute = await disputeOf(paid);
    expect(dispute).toMatchObject({ status: 'needs_response', standing: 'open', amountCents: 5000, takenCents: 5000 });
    expect(dispute).toMatchObject({ feeCents: 1500, isSubmitted: false, isUnknown: false, paymentId: paid.paymentId });
    expect((dispute.dueBy?.getTime() ?? 0) - dispute.createdAt.getTime()).toBe(7 * dayMs);
    const refund = { refundId: 'r', orderId: 'o', paymentId: paid.paymentId ?? '', amountCents: 1 };
    await expect(payments.refund({ ...refund, reason: 'duplicate' })).rejects.toMatchObject({ why: 'disputed' });
  });

  it('is answered once', async () => {
    const { disputeId } = await disputeOf(await pay(5000));
    await Promise.all([
      payments.submitEvidence(disputeId, evidence, 0),
      payments.submitEvidence(disputeId, evidence, 0),
    ]);
    expect(await payments.findDispute(disputeId)).toMatchObject({ status: 'under_review', isSubmitted: true });
    provider.pass(8 * dayMs);
    expect(await payments.findDispute(disputeId), 'in time').toMatchObject({ standing: 'open' });
  });

  it('is lost by whoever does not answer in time, to the second', async () => {
    const paid = await pay(5000);
    const { disputeId, dueBy } = await disputeOf(paid);
    provider.pass((dueBy?.getTime() ?? 0) - now() - 2000);
    expect(await payments.findDispute(disputeId)).toMatchObject({ standing: 'open' });
    provider.pass(2001);
    expect(await payments.findDispute(disputeId)).toMatchObject({ standing: 'lost', takenCents: 5000 });
    expect(await payments.findCheckout(paid.sessionId)).toMatchObject({ isDisputed: true, isLost: true });
  });

  it('is paid once it was won, and can be given back again', async () => {
    const paid = await pay(5000);
    const { disputeId } = await disputeOf(paid);
    expect([await sandbox.decideDispute(disputeId, true), await sandbox.decideDispute(disputeId, false)]).toEqual([
      true,
      false,
    ]);
    expect(await payments.findDispute(disputeId)).toMatchObject({ standing: 'won', takenCents: 0, feeCents: 1500 });
    expect(await payments.findCheckout(paid.sessionId)).toMatchObject({ isDisputed: false, isLost: false });
    const refund = { refundId: 'after-won', orderId: 'o', paymentId: paid.paymentId ?? '', amountCents: 5000 };
    await payments.refund({ ...refund, reason: 'duplicate' });
  });
});

describe('an inquiry', () => {
  it('takes nothing, and once answered becomes a chargeback that is answered again', async () => {
    const paid = await pay(5000, '4242424242424242');
    const disputeId = await sandbox.inquire(paid.chargeId ?? '');
    expect(await payments.findDispute(disputeId)).toMatchObject({
      status: 'warning_needs_response',
      standing: 'warning',
      takenCents: 0,
      feeCents: 0,
      isSubmitted: false,
    });
    expect(await payments.findCheckout(paid.sessionId)).toMatchObject({ isDisputed: false, isLost: false });
    await payments.submitEvidence(disputeId, evidence, 0);
    expect(await payments.findDispute(disputeId)).toMatchObject({ status: 'warning_under_review', isSubmitted: true });
    await sandbox.escalate(disputeId);
    await expect(sandbox.escalate(disputeId)).rejects.toThrow('is no inquiry');
    expect(await payments.findDispute(disputeId)).toMatchObject({
      status: 'needs_response',
      standing: 'open',
      takenCents: 5000,
      feeCents: 1500,
      isSubmitted: false,
    });
    await payments.submitEvidence(disputeId, evidence, 1);
    expect(await payments.findDispute(disputeId)).toMatchObject({ status: 'under_review', isSubmitted: true });
  });

  it('does not keep the payment from being given back', async () => {
    const paid = await pay(5000, '4242424242424242');
    const disputeId = await sandbox.inquire(paid.chargeId ?? '');
    const refund = { refundId: 'asked-about', orderId: 'o', paymentId: paid.paymentId ?? '', amountCents: 5000 };
    await payments.refund({ ...refund, reason: 'duplicate' });
    await expect(sandbox.escalate(disputeId)).rejects.toThrow('is no inquiry');
  });
});

describe('what a creator has of it', () => {
  it('goes back once, with the platform’s part, and comes again once', async () => {
    const before = await hers();
    const paid = await pay(5000);
    expect((await hers()) - before).toBe(4500);
    const { disputeId } = await disputeOf(paid);
    const passedOn = await takeBack(paid, disputeId);
    expect(passedOn).toMatchObject({ leftCents: 5000, feeLeftCents: 500 });
    const again = { disputeId, transferId: passedOn.transferId, amountCents: 5000, feeCents: 500 };
    await Promise.all([payments.takeBack(again), payments.takeBack(again)]);
    expect(await hers()).toBe(before);
    expect(await payments.findPassedOn(paid.chargeId ?? '')).toMatchObject({ leftCents: 0, feeLeftCents: 0 });
    const won = { disputeId, chargeId: paid.chargeId ?? '', accountId, amountCents: 4500, currency: 'usd' };
    await Promise.all([payments.giveAgain(won), payments.giveAgain(won)]);
    expect((await hers()) - before).toBe(4500);
    const moved = (await movementsOf(paid)).map(({ kind, amountCents, isGivenAgain = false }) => [
      ...[kind, amountCents, isGivenAgain],
    ]);
    expect(moved).toEqual([
      ['charge', 5000, false],
      ['transfer', -5000, false],
      ['application_fee', 500, false],
      ['adjustment', -5000, false],
      ['application_fee_refund', -500, false],
      ['transfer_refund', 5000, false],
      ['transfer', -4500, true],
    ]);
  });

  it('is what was not given back before', async () => {
    const before = await hers();
    const paid = await pay(2499, '4242424242424242');
    const refund = { refundId: 'part', orderId: 'o', paymentId: paid.paymentId ?? '', amountCents: 333 };
    await payments.refund({ ...refund, reason: 'duplicate' });
    const disputeId = await sandbox.dispute(paid.chargeId ?? '');
    expect(await payments.findDispute(disputeId)).toMatchObject({ amountCents: 2166 });
    expect(await takeBack(paid, disputeId)).toMatchObject({ leftCents: 2166, feeLeftCents: 216 });
    expect(await hers()).toBe(before);
  });
});

describe('the fee of a dispute that its creator bears', () => {
  /** A payment that was disputed, and whose creator has been paid for another one besides. */
  async function bear() {
    await pay(5000, '4242424242424242');
    const paid = await pay(5000);
    const { disputeId } = await disputeOf(paid);
    await takeBack(paid, disputeId);
    const borne = { disputeId, chargeId: paid.chargeId ?? '', accountId, amountCents: 1500, currency: 'usd' };
    return { paid, borne };
  }

  it('is taken from her account once for an attempt, and given back once', async () => {
    const { paid, borne } = await bear();
    provider.pass(3 * dayMs);
    const before = await hers();
    const [first, second] = await Promise.all([1, 2].map(() => payments.takeFee({ ...borne, refusals: 0 })));
    expect(first).toBe(second);
    expect((await hers()) - before).toBe(-1500);
    await Promise.all([payments.giveFeeBack(borne), payments.giveFeeBack(borne)]);
    expect(await hers()).toBe(before);
    const moved = (await movementsOf(paid)).filter(({ kind }) => kind === 'dispute_fee');
    expect(moved.map(({ amountCents, netCents }) => [amountCents, netCents])).toEqual([
      [1500, 1500],
      [-1500, -1500],
    ]);
    expect(moved).toEqual(moved.map((line) => ({ ...line, accountId, isOwnSale: false })));
  });

  it('is refused while there is too little in it, and taken by a later attempt', async () => {
    const { borne } = await bear();
    const hungry = { ...borne, amountCents: (await hers()) + 1 };
    await expect(payments.takeFee({ ...hungry, refusals: 0 })).rejects.toMatchObject({ why: 'insufficient' });
    expect(await payments.takeFee({ ...borne, refusals: 1 })).toMatch(/^py_/);
  });

  it('comes back to the platform with a dispute that was won, where the bank returns it', async () => {
    const { disputeId } = await disputeOf(await pay(5000));
    await sandbox.decideDispute(disputeId, true, { returnsFee: true });
    expect(await payments.findDispute(disputeId)).toMatchObject({ standing: 'won', takenCents: 0, feeCents: 0 });
  });
});

it('speaks as the types of the library say, in every question and answer', () => {
  expect(provider.check.faults).toEqual([]);
  expect(provider.logged).toEqual([]);
  for (const endpoint of ['GET /v1/disputes', 'GET /v1/disputes/:id', 'POST /v1/disputes/:id', 'POST /v1/transfers'])
    expect(provider.check.asked, endpoint).toContain(endpoint);
  expect(provider.check.asked).toContain('POST /v1/transfers/:id/reversals');
  expect(provider.check.asked).toContain('POST /v1/charges');
});
