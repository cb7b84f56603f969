import type Stripe from 'stripe';
import { sessionParams } from '#engines/payments/stripe-params.ts';
import type { Card, People, Taken } from './side.ts';
import { methods } from './test-methods.ts';

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000);

/** Turns a clock, and waits until all that is due by then has happened. */
async function turn(raw: Stripe, clockId: string, moment: Date): Promise<void> {
  await raw.testHelpers.testClocks.advance(clockId, { frozen_time: secondsOf(moment) });
  for (let left = 120; left > 0; left -= 1) {
    const { status } = await raw.testHelpers.testClocks.retrieve(clockId);
    if (status === 'ready') return;
    if (status === 'internal_failure') break;
    await new Promise((over) => setTimeout(over, 1000));
  }
  throw new Error(`the clock ${clockId} did not come to ${moment.toISOString()}`);
}

/** Somebody who lives by a clock of their own. */
async function openCustomer(raw: Stripe, card: Card | undefined) {
  const clock = await raw.testHelpers.testClocks.create({ frozen_time: secondsOf(new Date()) });
  const { id: customer } = await raw.customers.create({ email: 'buyer@example.com', test_clock: clock.id });
  const keep = async (wanted: Card) => (await raw.paymentMethods.attach(methods[wanted], { customer })).id;
  const method = card === undefined ? undefined : await keep(card);
  const taken = (subscriptionId: string): Taken => ({
    subscriptionId,
    passUntil: (moment) => turn(raw, clock.id, moment),
    // Which is all that the portal does: what a plan is taken from stays as it was.
    async changeCard(wanted) {
      const default_payment_method = await keep(wanted);
      await raw.customers.update(customer, { invoice_settings: { default_payment_method } });
    },
  });
  // A checkout keeps the card with the plan, not with its customer.
  return { taken, paying: { customer, ...(method !== undefined && { default_payment_method: method }) } };
}

/** Plans as our checkouts have them made, but under a clock, which no checkout can have. */
export const plansOf = (raw: Stripe): Pick<People, 'takePlan' | 'takeFanPlan'> => ({
  async takePlan({ name, trialDays, amountCents, card }) {
    const { taken, paying } = await openCustomer(raw, card);
    const month = { unit_amount: amountCents, currency: 'usd', recurring: { interval: 'month' } } as const;
    const price = await raw.prices.create({ ...month, product_data: { name: 'Creator plan' } });
    const trial_settings = { end_behavior: { missing_payment_method: 'cancel' } } as const;
    const { id } = await raw.subscriptions.create({
      ...paying,
      ...(trialDays !== undefined && { trial_period_days: trialDays, trial_settings }),
      items: [{ price: price.id }],
      metadata: { order_id: name, kind: 'platform_sub' },
    });
    return taken(id);
  },
  async takeFanPlan(order) {
    const { taken, paying } = await openCustomer(raw, 'good');
    const { subscription_data: split } = sessionParams(order, {});
    const { currency, amountCents: unit_amount, renews } = order;
    const recurring = { interval: 'month', interval_count: renews?.months ?? 1 } as const;
    const price = await raw.prices.create({
      unit_amount,
      currency,
      recurring,
      product_data: { name: 'Fan subscription' },
    });
    const { id } = await raw.subscriptions.create({
      ...paying,
      ...(split as Partial<Stripe.SubscriptionCreateParams>),
      items: [{ price: price.id }],
    });
    return taken(id);
  },
});
