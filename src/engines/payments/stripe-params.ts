import type Stripe from 'stripe';
import type { CheckoutOrder, Refund, Release } from './payments.ts';
import type { Methods } from './stripe-methods.ts';
import { groupOf } from './stripe-reading.ts';

/** What is paid once, or again and again; its money goes to the creator but for the platform's part. */
function paidParams({ orderId, kind, currency, amountCents, productName, ...order }: CheckoutOrder) {
  const metadata = { order_id: orderId, kind };
  const transfer_data = { destination: order.accountId };
  const price = { currency, unit_amount: amountCents, product_data: { name: productName } };
  const { renews, heldFor } = order;
  if (renews !== undefined) {
    const recurring = { interval: 'month', interval_count: renews.months } as const;
    return {
      mode: 'subscription',
      line_items: [{ price_data: { ...price, recurring }, quantity: 1 }],
      subscription_data: { application_fee_percent: renews.feePercent, transfer_data, metadata },
    } as const;
  }
  const once = {
    mode: 'payment',
    customer_creation: 'always',
    line_items: [{ price_data: price, quantity: 1 }],
  } as const;
  if (heldFor !== undefined)
    return { ...once, payment_intent_data: { transfer_group: groupOf(heldFor), metadata } } as const;
  // The provider takes no fee of nothing.
  const fee = order.feeCents > 0 ? { application_fee_amount: order.feeCents } : {};
  return { ...once, payment_intent_data: { ...fee, transfer_data, metadata } } as const;
}

/** Returns how a checkout is opened on a page of the provider's. */
export const sessionParams = (order: CheckoutOrder, methods: Methods): Stripe.Checkout.SessionCreateParams => {
  const metadata = { order_id: order.orderId, kind: order.kind };
  const { line_items, ...paid } = paidParams(order);
  return {
    ...paid,
    line_items: [...line_items],
    ...methods,
    ui_mode: 'hosted_page',
    expires_at: Math.ceil(order.expiresAt.getTime() / 1000),
    success_url: order.successUrl,
    cancel_url: order.cancelUrl,
    client_reference_id: order.orderId,
    metadata,
  };
};

/** A refund takes the creator's part and the platform's back in the proportion in which they were paid. */
export const refundParams = ({
  paymentId,
  amountCents,
  reason,
  orderId,
  refundId,
  isOwnSale = false,
  isHeld = false,
  isFree = false,
}: Refund): Stripe.RefundCreateParams => ({
  payment_intent: paymentId,
  amount: amountCents,
  reason,
  ...(!isOwnSale && !isHeld && { reverse_transfer: true, ...(!isFree && { refund_application_fee: true }) }),
  metadata: { order_id: orderId, refund_id: refundId },
});

/** The creator's part of what was held; it waits for the money of the charge that it comes from. */
export const releaseParams = ({
  requestId,
  chargeId,
  accountId,
  amountCents,
  currency,
}: Release): Stripe.TransferCreateParams => ({
  amount: amountCents,
  currency,
  destination: accountId,
  transfer_group: groupOf(requestId),
  source_transaction: chargeId,
  metadata: { request_id: requestId },
});
