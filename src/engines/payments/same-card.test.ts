import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProvider, type Provider } from '#tests/support/money/provider.ts';

let provider: Provider;
beforeAll(async () => {
  provider = await openProvider({});
});
afterAll(() => provider.close());

let orders = 0;
/** Somebody takes a plan that is paid at once. @returns what the provider calls the card of its bill */
async function payBy(card: string): Promise<string | undefined> {
  const { payments, sandbox } = provider;
  const { sessionId } = await payments.openPlanCheckout({
    orderId: `order-${++orders}`,
    productName: 'Creator plan',
    amountCents: 399,
    currency: 'usd',
    trialDays: undefined,
    asksForCard: true,
    email: `payer-${orders}@example.com`,
    customerId: undefined,
    returnUrl: 'http://localhost:3000/done',
  });
  await sandbox.takePlan(sessionId, card);
  const { subscriptionId = '' } = await payments.findPlanCheckout(sessionId);
  const [bill] = await payments.listInvoices(subscriptionId);
  return (await payments.findInvoicePayment(bill?.invoiceId ?? '')).card;
}

it('a card has one name whoever pays by it, another card has another, and a wallet tells none', async () => {
  const names = [await payBy('4242424242424242'), await payBy('4242424242424242'), await payBy('5555555555554444')];
  expect(names[0]).toMatch(/^\w[\w-]{15}$/);
  expect(names[1]).toBe(names[0]);
  expect(names[2]).not.toBe(names[0]);
  expect(await payBy('link')).toBeUndefined();
  expect(provider.check.faults).toEqual([]);
});
