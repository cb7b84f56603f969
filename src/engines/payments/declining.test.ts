import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayMs } from '#kit/time.ts';
import { openProvider, type Provider } from '#tests/support/money/provider.ts';

let provider: Provider;
beforeAll(async () => {
  provider = await openProvider();
});
afterAll(() => provider.close());

const [good, chargesFail] = ['4242424242424242', '4000000000000341'];
const email = 'bob@example.com';
let orders = 0;
const openPlan = (trialDays: number | undefined) =>
  provider.payments.openPlanCheckout({
    orderId: `plan-${++orders}`,
    productName: 'Creator plan',
    amountCents: 399,
    currency: 'usd',
    email,
    customerId: undefined,
    trialDays,
    asksForCard: true,
    returnUrl: 'http://localhost:3000/done',
  });

it('a card that can be kept and never charged pays for nothing at once', async () => {
  const { payments, sandbox } = provider;
  const pages = { returnUrl: 'http://localhost:3000/done', expiresAt: new Date(provider.now() + 3_600_000) };
  const order = { orderId: 'pack', kind: 'credits', productName: 'Credits', amountCents: 500, currency: 'usd', email };
  const { sessionId } = await payments.openPackCheckout({ ...order, ...pages });
  expect(await sandbox.pay(sessionId, { email, card: chargesFail })).toEqual({ declined: 'Your card was declined.' });
  expect(await payments.findCheckout(sessionId)).toMatchObject({ state: 'open', hasFailed: true });
  const plan = await openPlan(undefined);
  expect(await sandbox.takePlan(plan.sessionId, chargesFail)).toEqual({ declined: 'Your card was declined.' });
  expect(await payments.findPlanCheckout(plan.sessionId)).toMatchObject({ state: 'open' });
});

it('it is kept for a trial and in the place of another card, and each payment fails after that', async () => {
  const { payments, sandbox } = provider;
  const [trial, paid] = [await openPlan(7), await openPlan(undefined)];
  await sandbox.takePlan(trial.sessionId, chargesFail);
  await sandbox.takePlan(paid.sessionId, good);
  const [first = '', second = ''] = await Promise.all(
    [trial, paid].map(async ({ sessionId }) => (await payments.findPlanCheckout(sessionId)).subscriptionId),
  );
  const { customerId } = await payments.findSubscription(second);
  const url = await payments.cardUrl(customerId, 'http://localhost:3000/account/billing');
  expect(await sandbox.changeCard(url.split('/').at(-1) ?? '', chargesFail)).toMatchObject({ url: expect.any(String) });
  await payments.setCard(second, (await payments.findCustomerCard(customerId)) ?? '');
  provider.pass(32 * dayMs);
  for (const id of [first, second]) {
    const { status, card } = await payments.findSubscription(id);
    expect([status, card?.last4]).toEqual([id === first ? 'canceled' : 'past_due', '0341']);
  }
});
