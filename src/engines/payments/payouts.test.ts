import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayMs } from '#kit/time.ts';
import { openProvider, type Provider } from '#tests/support/money/provider.ts';
import type { Payments } from './payments.ts';
import type { Sandbox } from './sandbox-parts.ts';

let provider: Provider;
let payments: Payments;
let sandbox: Sandbox;
const now = () => provider.now();

beforeAll(async () => {
  provider = await openProvider();
  ({ payments, sandbox } = provider);
});
afterAll(() => provider.close());

/** An account on which $9 have settled. */
async function paidAccount(): Promise<string> {
  const { accountId } = await payments.ensureAccount({
    userId: 'mia',
    email: 'mia@example.com',
    handle: 'mia',
    country: 'US',
  });
  await payments.onboardingUrl(accountId, { refreshUrl: 'http://localhost/a', returnUrl: 'http://localhost/b' });
  await sandbox.answerOnboarding(accountId, true);
  const { sessionId } = await payments.openCheckout({
    orderId: 'order-1',
    kind: 'tip',
    productName: 'Tip',
    amountCents: 1000,
    currency: 'usd',
    feeCents: 100,
    accountId,
    successUrl: 'http://localhost/c',
    cancelUrl: 'http://localhost/d',
    expiresAt: new Date(now() + 3_600_000),
  });
  await sandbox.pay(sessionId, { email: 'bob@example.com', card: '4242424242424242' });
  provider.pass(3 * dayMs);
  return accountId;
}

it('a payout leaves the account once, comes to the bank in two days, and what the bank sends back is there again', async () => {
  const accountId = await paidAccount();
  const available = async () => (await payments.balance(accountId)).available.get('usd');
  await payments.stopOwnSchedule(accountId);
  const params = { payoutId: 'payout-1', accountId, amountCents: 800, currency: 'usd' };
  const made = await payments.payOut(params);
  expect(await payments.payOut(params)).toEqual(made);
  expect([made.state, await available()]).toEqual(['in_transit', 100]);
  await expect(payments.payOut({ ...params, payoutId: 'payout-2' })).rejects.toThrow('insufficient funds');
  const since = new Date(now());
  expect(await payments.findMadePayout({ payoutId: 'payout-1', accountId, since })).toEqual(made);
  expect(await payments.findMadePayout({ payoutId: 'payout-2', accountId, since })).toBeUndefined();
  provider.pass(2 * dayMs);
  expect((await payments.findPayout(accountId, made.id)).state).toBe('paid');
  await sandbox.rejectPayout(made.id);
  const { state, failure } = await payments.findPayout(accountId, made.id);
  expect([state, failure, await available()]).toEqual(['failed', 'The bank account has been closed.', 900]);
  expect(provider.check.faults).toEqual([]);
  expect(provider.logged).toEqual([]);
});
