import type Stripe from 'stripe';
import type { CardPayments, PaidByCard } from './card-payments.ts';
import type { Ask } from './stripe-ask.ts';

const atOnce = 100;

const idOf = (value: string | { id: string } | null | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.id;

const readPaidByCard = (subscription: Stripe.Subscription): PaidByCard => ({
  subscriptionId: subscription.id,
  cardId: idOf(subscription.default_payment_method),
  isResting: subscription.pause_collection !== null || subscription.cancel_at_period_end,
});

/** The card of a customer and of what they pay, by the provider's official library. */
export const cardsBy = (ask: Ask): CardPayments => ({
  async findCustomerCard(customerId) {
    const customer = await ask(({ customers }) => customers.retrieve(customerId));
    return customer.deleted ? undefined : idOf(customer.invoice_settings.default_payment_method);
  },
  async listPaidByCard(customer) {
    const found: PaidByCard[] = [];
    let after: string | undefined;
    for (;;) {
      const paging = { limit: atOnce, ...(after !== undefined && { starting_after: after }) };
      // What is over is left out.
      const { data, has_more } = await ask(({ subscriptions }) => subscriptions.list({ customer, ...paging }));
      found.push(...data.map(readPaidByCard));
      after = data.at(-1)?.id;
      if (!has_more || after === undefined) return found;
    }
  },
  async setCard(id, default_payment_method) {
    await ask(({ subscriptions }) => subscriptions.update(id, { default_payment_method }));
  },
  async listOwed(subscription) {
    const { data } = await ask(({ invoices }) => invoices.list({ subscription, status: 'open', limit: atOnce }));
    return data.map(({ id }) => id);
  },
  async payOwed(id, payment_method) {
    const idempotencyKey = `card:${id}:${payment_method}`;
    await ask(({ invoices }) => invoices.pay(id, { payment_method }, { idempotencyKey }));
  },
});
