import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '#kit/time.ts';
import { openProvider, type Provider } from '#tests/support/money/provider.ts';
import type { Payments } from './payments.ts';
import type { Sandbox } from './sandbox-parts.ts';

let provider: Provider;
let payments: Payments;
let sandbox: Sandbox;
let accountId: string;
let since: Date;

beforeAll(async () => {
  provider = await openProvider();
  ({ payments, sandbox } = provider);
  since = new Date(provider.now());
  ({ accountId } = await payments.ensureAccount({
    userId: 'u',
    email: 'mia@example.com',
    handle: 'mia',
    country: 'US',
  }));
  await payments.onboardingUrl(accountId, { refreshUrl: 'http://localhost/a', returnUrl: 'http://localhost/b' });
  await sandbox.answerOnboarding(accountId, true);
  // What is sent without a charge, or taken back of what was, needs money that is available.
  await sandbox.topUp(100_000);
  await sandbox.payOut(accountId, -100_000);
});
afterAll(async () => {
  expect(provider.check.faults).toEqual([]);
  await provider.close();
});

let orders = 0;
async function paid({ heldFor }: { heldFor?: string } = {}) {
  const urls = { successUrl: 'http://localhost:3000/ok', cancelUrl: 'http://localhost:3000/no' };
  const about = { kind: 'tip', productName: 'Tip', amountCents: 1000, feeCents: 100, currency: 'usd', accountId };
  const expiresAt = new Date(provider.now() + hourMs);
  const { sessionId } = await payments.openCheckout({
    ...about,
    ...urls,
    orderId: `o-${++orders}`,
    expiresAt,
    ...(heldFor !== undefined && { heldFor }),
  });
  await sandbox.pay(sessionId, { email: 'bob@example.com', card: '4242424242424242' });
  const { paymentId = '', chargeId = '' } = await payments.findCheckout(sessionId);
  return { paymentId, chargeId };
}

describe('an idempotency key', () => {
  it('is answered as it was the first time, with a refusal too, until a day has passed', async () => {
    const { chargeId } = await paid({ heldFor: 'r1' });
    const release = { requestId: 'r1', chargeId, accountId, amountCents: 900, currency: 'usd' };
    await sandbox.rejectAccount(accountId);
    const refused = { name: 'PaymentRefused', why: 'not_ready' };
    await expect(payments.release(release)).rejects.toMatchObject(refused);
    await sandbox.answerOnboarding(accountId, true);
    // What is sent without a charge, or taken back of what was, needs money that is available.
    await sandbox.topUp(100_000);
    await sandbox.payOut(accountId, -100_000);
    await expect(payments.release(release)).rejects.toMatchObject(refused);
    provider.pass(23 * hourMs);
    await expect(payments.release(release)).rejects.toMatchObject(refused);
    // Counted by what was refused, it is another one.
    const { transferId } = await payments.release({ ...release, refusals: 1 });
    expect(await payments.release({ ...release, refusals: 1 })).toEqual({ transferId });
  });

  it('is forgotten after a day: what was made under it is made again', async () => {
    const { paymentId } = await paid();
    const refund = { refundId: 'twice', orderId: 'o', paymentId, amountCents: 300, reason: 'duplicate' } as const;
    await payments.refund(refund);
    await payments.refund(refund);
    provider.pass(dayMs + 1000);
    await payments.refund(refund);
    await expect(payments.refund({ ...refund, refusals: 1, amountCents: 900 })).rejects.toMatchObject({ why: 'other' });
  });

  it('with other words is no refusal: what was asked for first may have been made', async () => {
    const { paymentId } = await paid();
    const refund = { refundId: 'mixed', orderId: 'o', paymentId, amountCents: 300, reason: 'duplicate' } as const;
    await payments.refund(refund);
    await expect(payments.refund({ ...refund, amountCents: 400 })).rejects.toMatchObject({
      name: 'PaymentsAway',
      why: 'mixed',
    });
  });
});

describe('what was made before', () => {
  it('is found in the lists: refunds, releases, reversals, fees and what was given again', async () => {
    const { paymentId } = await paid();
    expect(await payments.findMade({ kind: 'refund', refundId: 'found', paymentId })).toBeUndefined();
    const refund = { refundId: 'found', orderId: 'o', paymentId, amountCents: 300, reason: 'duplicate' } as const;
    await payments.refund(refund);
    expect(await payments.findMade({ kind: 'refund', refundId: 'found', paymentId })).toMatch(/^re_/);
    const { chargeId } = await paid({ heldFor: 'r2' });
    const release = { requestId: 'r2', chargeId, accountId, amountCents: 900, currency: 'usd' };
    expect(await payments.findMade({ kind: 'release', requestId: 'r2' })).toBeUndefined();
    const { transferId } = await payments.release(release);
    expect(await payments.findMade({ kind: 'release', requestId: 'r2' })).toBe(transferId);
    const of = { disputeId: 'du_1' };
    expect(await payments.findMade({ kind: 'reversal', transferId, of })).toBeUndefined();
    const reversal = await payments.takeBack({ ...of, transferId, amountCents: 100, feeCents: 0 });
    expect(await payments.findMade({ kind: 'reversal', transferId, of })).toBe(reversal);
    expect(await payments.findMade({ kind: 'reversal', transferId, of: { refundId: 'found' } })).toBeUndefined();
    const won = { disputeId: 'du_1', chargeId, accountId, amountCents: 100, currency: 'usd' };
    expect(await payments.findMade({ kind: 'given_again', ...won, since })).toBeUndefined();
    const again = await payments.giveAgain(won);
    expect(await payments.findMade({ kind: 'given_again', ...won, since })).toBe(again);
    provider.pass(3 * dayMs);
    expect(await payments.findMade({ kind: 'fee', disputeId: 'du_1', since })).toBeUndefined();
    const fee = await payments.takeFee(won);
    expect(await payments.findMade({ kind: 'fee', disputeId: 'du_1', since })).toBe(fee);
    expect(await payments.findMade({ kind: 'fee_back', ...won, since })).toBeUndefined();
    const back = await payments.giveFeeBack(won);
    expect(await payments.findMade({ kind: 'fee_back', ...won, since })).toBe(back);
  });
});
