import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayMs, hourMs } from '#kit/time.ts';
import { openProvider, type Provider } from '#tests/support/money/provider.ts';

let provider: Provider;
let accountId: string;
beforeAll(async () => {
  provider = await openProvider();
  const owner = { userId: 'mia', email: 'mia@example.com', handle: 'mia', country: 'US' } as const;
  ({ accountId } = await provider.payments.ensureAccount(owner));
  await provider.payments.onboardingUrl(accountId, {
    refreshUrl: 'http://localhost/a',
    returnUrl: 'http://localhost/b',
  });
  await provider.sandbox.answerOnboarding(accountId, true);
});
afterAll(async () => {
  expect(provider.check.faults).toEqual([]);
  await provider.close();
});

let orders = 0;
/** @returns the charge of what was paid for custom work */
async function held(): Promise<string> {
  const { payments, sandbox } = provider;
  const urls = { successUrl: 'http://localhost:3000/ok', cancelUrl: 'http://localhost:3000/no' };
  const { sessionId } = await payments.openCheckout({
    orderId: `o-${++orders}`,
    kind: 'request',
    productName: 'Custom request',
    amountCents: 4000,
    currency: 'usd',
    ...urls,
    feeCents: 400,
    accountId,
    heldFor: `r-${orders}`,
    expiresAt: new Date(provider.now() + hourMs),
  });
  await sandbox.pay(sessionId, { email: 'bob@example.com', card: '4242424242424242' });
  return (await payments.findCheckout(sessionId)).chargeId ?? '';
}
const release = async (chargeId: string) => {
  const about = { requestId: chargeId, chargeId, accountId, amountCents: 3600, currency: 'usd' };
  return (await provider.payments.release(about)).transferId;
};
const has = async (whose?: string) => {
  const { available, pending } = await provider.payments.balance(whose);
  return [available.get('usd') ?? 0, pending.get('usd') ?? 0];
};

it('what is sent on of a charge is available when that is, and taken back from what is available alone', async () => {
  const { payments } = provider;
  const chargeId = await held();
  const transferId = await release(chargeId);
  expect([await has(accountId), await has()]).toEqual([
    [0, 3600],
    [0, 4000 - 146 - 3600],
  ]);
  const back = { refundId: 'back', transferId, amountCents: 3600 };
  await expect(payments.takeGivenBack(back)).rejects.toMatchObject({ why: 'insufficient' });
  provider.pass(3 * dayMs);
  await payments.takeGivenBack({ ...back, refusals: 1 });
  expect(await has(accountId)).toEqual([0, 0]);
  const old = await held();
  provider.pass(3 * dayMs);
  await release(old);
  expect(await has(accountId), 'its charge is').toEqual([3600, 0]);
});

it('what is sent without a charge leaves what the platform has available', async () => {
  const { payments, sandbox } = provider;
  await held();
  const [available = 0, pending = 0] = await has();
  expect(pending).toBeGreaterThan(1000);
  const about = { disputeId: 'du_1', chargeId: 'ch_1', accountId, currency: 'usd', amountCents: available + 1000 };
  for (const send of [payments.giveAgain, payments.giveFeeBack])
    await expect(send(about)).rejects.toMatchObject({ why: 'insufficient' });
  await sandbox.topUp(1000);
  await payments.giveAgain({ ...about, refusals: 1 });
  expect((await has())[0]).toBe(0);
});

it('money that the platform adds is a movement between it and its bank', async () => {
  await provider.sandbox.topUp(4321);
  for await (const [newest] of provider.payments.movements(undefined)) {
    expect(newest).toMatchObject({ kind: 'payout', netCents: 4321, accountId: undefined });
    break;
  }
});
