import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openProvider, type Provider } from '#tests/support/money/provider.ts';
import type { FraudWarning } from './fraud-warnings.ts';
import type { Checkout, Payments } from './payments.ts';
import type { Sandbox } from './sandbox-parts.ts';

let provider: Provider;
let payments: Payments;
let sandbox: Sandbox;
let accountId: string;
const reported: string[] = [];

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
  sandbox.deliverTo(async (_hook, body) => {
    const { type, data } = JSON.parse(body);
    if (type.startsWith('radar.')) reported.push(`${type} ${data.object.id} ${data.object.actionable}`);
    return 200;
  });
});
afterAll(() => provider.close());

let orders = 0;
async function pay(card: string, amountCents = 5000): Promise<Checkout> {
  const { sessionId } = await payments.openCheckout({
    orderId: `order-${++orders}`,
    kind: 'tip',
    productName: 'Tip',
    amountCents,
    currency: 'usd',
    feeCents: Math.floor(amountCents / 10),
    accountId,
    expiresAt: new Date(provider.now() + 3_600_000),
    successUrl: 'http://localhost:3000/tip-success?session_id={CHECKOUT_SESSION_ID}',
    cancelUrl: 'http://localhost:3000/view/x',
  });
  await sandbox.pay(sessionId, { email: 'bob@example.com', card });
  return payments.findCheckout(sessionId);
}

async function warningsOf({ chargeId }: Checkout, since?: Date): Promise<FraudWarning[]> {
  const found: FraudWarning[] = [];
  for await (const page of payments.warnings(since)) found.push(...page.filter((one) => one.chargeId === chargeId));
  return found;
}

const refund = ({ paymentId = '' }: Checkout, amountCents: number) =>
  payments.refund({
    refundId: `r-${paymentId}-${amountCents}`,
    orderId: 'o',
    paymentId,
    amountCents,
    reason: 'fraudulent',
  });

it('the test card of the provider is charged, and reported by its bank a minute later, once', async () => {
  const paid = await pay('4000000000005423');
  expect(paid).toMatchObject({ state: 'paid', isDisputed: false });
  provider.pass(58_000);
  expect(await warningsOf(paid)).toEqual([]);
  provider.pass(3000);
  const [warning, ...more] = await warningsOf(paid);
  expect(more).toEqual([]);
  expect(warning).toMatchObject({ isActionable: true, fraudType: 'made_with_stolen_card' });
  expect(await payments.findWarning(warning?.warningId ?? '')).toEqual(warning);
  provider.pass(3_600_000);
  expect(await warningsOf(paid)).toHaveLength(1);
  expect(await warningsOf(paid, new Date(provider.now() - 60_000))).toEqual([]);
  await expect(sandbox.warn(paid.chargeId ?? '')).rejects.toThrow('cannot be reported');
});

it('another card is not reported unless somebody says so', async () => {
  const paid = await pay('4242424242424242');
  provider.pass(600_000);
  expect(await warningsOf(paid)).toEqual([]);
  const warningId = await sandbox.warn(paid.chargeId ?? '');
  expect((await warningsOf(paid)).map((one) => one.warningId)).toEqual([warningId]);
});

it('nothing can be done about it once all was given back, and not while a part is left', async () => {
  const paid = await pay('4242424242424242');
  const warningId = await sandbox.warn(paid.chargeId ?? '');
  await refund(paid, 2000);
  expect(await payments.findWarning(warningId)).toMatchObject({ isActionable: true });
  await refund(paid, 3000);
  expect(await payments.findWarning(warningId)).toMatchObject({ isActionable: false });
  await vi.waitFor(async () => {
    await sandbox.deliverDue();
    expect(reported.filter((one) => one.includes(warningId))).toHaveLength(2);
  });
  expect(reported.filter((one) => one.includes(warningId)).toSorted()).toEqual([
    `radar.early_fraud_warning.created ${warningId} true`,
    `radar.early_fraud_warning.updated ${warningId} false`,
  ]);
});

it('nothing can be done about it once it is disputed, before or after', async () => {
  const [before, after] = [await pay('4000000000000259'), await pay('4242424242424242')];
  expect(await payments.findWarning(await sandbox.warn(before.chargeId ?? ''))).toMatchObject({ isActionable: false });
  const warningId = await sandbox.warn(after.chargeId ?? '');
  await sandbox.dispute(after.chargeId ?? '');
  expect(await payments.findWarning(warningId)).toMatchObject({ isActionable: false });
});

it('speaks as the types of the library say, in every question and answer', () => {
  expect(provider.check.faults).toEqual([]);
  expect(provider.logged).toEqual([]);
  expect(provider.check.asked).toContain('GET /v1/radar/early_fraud_warnings');
  expect(provider.check.asked).toContain('GET /v1/radar/early_fraud_warnings/:id');
});
