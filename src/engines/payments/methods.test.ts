import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProvider, type Provider } from '#tests/support/money/provider.ts';
import { openSandbox } from './sandbox/sandbox.ts';
import type { Exchange } from './sandbox/server.ts';

let provider: Provider;
const asked: Exchange[] = [];

beforeAll(async () => {
  provider = await openProvider({ onExchange: (exchange) => void asked.push(exchange) });
});
afterAll(() => provider.close());

const expiresAt = new Date(Date.now() + 3_600_000);
const about = { currency: 'usd', productName: 'A thing', amountCents: 1000, expiresAt };
const urls = { successUrl: 'http://localhost:3000/done', cancelUrl: 'http://localhost:3000/' };
const plan = { ...about, trialDays: undefined, asksForCard: true, email: 'mia@example.com', customerId: undefined };
const returnUrl = 'http://localhost:3000/done';
const newPlan = (orderId: string) => ({ ...plan, orderId, returnUrl });

async function accountOf(userId: string): Promise<string> {
  const { payments, sandbox } = provider;
  const { accountId } = await payments.ensureAccount({
    userId,
    email: 'mia@example.com',
    handle: 'mia',
    country: 'US',
  });
  await payments.onboardingUrl(accountId, { refreshUrl: returnUrl, returnUrl });
  await sandbox.answerOnboarding(accountId, true);
  return accountId;
}

const sold = (orderId: string, accountId: string) => ({
  ...about,
  ...urls,
  orderId,
  kind: 'tip',
  feeCents: 100,
  accountId,
});

describe('what can be paid with', () => {
  it('is cards and wallets at each of the five checkouts, and nothing that takes days', async () => {
    const { payments } = provider;
    const accountId = await accountOf('five');
    await payments.openCheckout(sold('once', accountId));
    await payments.openCheckout({ ...sold('held', accountId), heldFor: 'request-1' });
    await payments.openCheckout({ ...sold('monthly', accountId), renews: { months: 1, feePercent: 10 } });
    await payments.openPackCheckout({
      ...about,
      orderId: 'pack',
      kind: 'credits',
      email: 'mia@example.com',
      returnUrl,
    });
    await payments.openPlanCheckout(newPlan('plan'));
    const sessions = asked.filter(({ endpoint }) => endpoint === 'POST /v1/checkout/sessions');
    const offered = sessions.map(({ body }) => (body as { payment_method_types: string[] }).payment_method_types);
    expect(offered).toEqual(Array.from({ length: 5 }, () => ['card', 'link']));
    const made = asked.filter(({ endpoint }) => endpoint === 'POST /v1/payment_method_configurations');
    expect(made).toHaveLength(1);
  });

  it('is found by its name after a restart, and not made again', async () => {
    const { payments: again } = openSandbox({
      database: provider.database,
      clock: Date.now,
      sandboxClock: provider.now,
      publicUrl: 'http://localhost:3000',
      log: { error: () => undefined },
      onExchange: (exchange) => void asked.push(exchange),
    });
    await again.openPackCheckout({ ...about, orderId: 'again', kind: 'credits', email: 'mia@example.com', returnUrl });
    const made = asked.filter(({ endpoint }) => endpoint === 'POST /v1/payment_method_configurations');
    await again.close();
    expect([made.length, asked.at(-1)?.body]).toMatchObject([1, { payment_method_types: ['card', 'link'] }]);
  });
});

describe('what is not paid by card', () => {
  const link = { email: 'bob@example.com', card: 'link' };
  it('is found by its charge and by its refund, and stands in the books', async () => {
    const { payments, sandbox } = provider;
    const { sessionId } = await payments.openCheckout(sold('by-link', await accountOf('link')));
    await sandbox.pay(sessionId, link);
    const { chargeId = '', paymentId = '', state } = await payments.findCheckout(sessionId);
    expect([state, chargeId.startsWith('py_')]).toEqual(['paid', true]);
    expect(await payments.findSessionOf(chargeId)).toBe(sessionId);
    await payments.refund({ refundId: 'r1', orderId: 'by-link', paymentId, amountCents: 1000, reason: 'duplicate' });
    const refunds = asked.filter(({ endpoint }) => endpoint === 'POST /v1/refunds');
    const [{ id } = { id: '' }] = refunds.map(({ body }) => body as { id: string });
    expect([id.startsWith('pyr_'), await payments.findSessionOf(id)]).toEqual([true, sessionId]);
    const kinds: string[] = [];
    for await (const page of payments.movements(undefined))
      kinds.push(...page.filter((one) => one.chargeId === chargeId).map(({ kind }) => kind));
    expect(kinds.toSorted()).toEqual([
      ...['application_fee', 'application_fee_refund', 'charge', 'refund', 'transfer', 'transfer_refund'],
    ]);
  });

  it('pays a plan too, which has a kind then and no number', async () => {
    const { payments, sandbox } = provider;
    const { sessionId } = await payments.openPlanCheckout(newPlan('plan-by-link'));
    await sandbox.takePlan(sessionId, 'link');
    const { subscriptionId = '' } = await payments.findPlanCheckout(sessionId);
    expect(await payments.findSubscription(subscriptionId)).toMatchObject({ card: { brand: 'link', last4: '' } });
    const [invoice] = await payments.listInvoices(subscriptionId);
    const { chargeId = '' } = await payments.findInvoicePayment(invoice?.invoiceId ?? '');
    expect([chargeId.startsWith('py_'), await payments.findSubscriptionOf(chargeId)]).toEqual([true, subscriptionId]);
    expect(provider.check.faults).toEqual([]);
  });
});
