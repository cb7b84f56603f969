import type Stripe from 'stripe';
import type { PackOrder, PackPayments } from './pack-payments.ts';
import type { Ask } from './stripe-ask.ts';
import type { Methods } from './stripe-methods.ts';
import { readPlanCheckout } from './stripe-plan-reading.ts';

/** Returns the checkout of something that the platform itself sells: paid once, in a frame of the provider's, and nothing of it goes to anybody else. */
const sessionParams = (order: PackOrder, methods: Methods): Stripe.Checkout.SessionCreateParams => {
  const { orderId, kind, productName, amountCents, currency, email, returnUrl, expiresAt } = order;
  const metadata = { order_id: orderId, kind };
  const price_data = { currency, unit_amount: amountCents, product_data: { name: productName } };
  return {
    mode: 'payment',
    ui_mode: 'embedded_page',
    line_items: [{ price_data, quantity: 1 }],
    ...methods,
    customer_email: email,
    payment_intent_data: { metadata },
    return_url: returnUrl,
    expires_at: Math.ceil(expiresAt.getTime() / 1000),
    client_reference_id: orderId,
    metadata,
  };
};

/** The provider's part in selling packs, by its official library. */
export const packsOf = (ask: Ask, methods: () => Promise<Methods>): PackPayments => ({
  async openPackCheckout(order) {
    const idempotencyKey = `co:${order.orderId}`;
    const params = sessionParams(order, await methods());
    return readPlanCheckout(await ask(({ checkout }) => checkout.sessions.create(params, { idempotencyKey })));
  },
});
