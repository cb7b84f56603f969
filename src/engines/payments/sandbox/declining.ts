import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { makeCharge } from './objects.ts';

/** The provider's test cards that are declined. */
export const declinedCards: readonly string[] = [
  '4000000000000002',
  '4000000000009995',
  '4000000000009987',
  '4000000000009979',
  '4000000000000069',
  '4000000000000127',
  '4000000000000119',
];

const fingerprintOf = (card: string) => createHash('sha256').update(card).digest('base64url').slice(0, 16);

const detailsOf = (number: string): Stripe.Charge.PaymentMethodDetails => ({
  type: 'card',
  card: {
    amount_authorized: null,
    authorization_code: null,
    brand: 'visa',
    checks: null,
    country: 'US',
    electronic_commerce_indicator: null,
    exp_month: 12,
    exp_year: 2040,
    fingerprint: fingerprintOf(number),
    funding: 'credit',
    installments: null,
    last4: number.slice(-4),
    mandate: null,
    network: 'visa',
    network_transaction_id: null,
    regulated_status: null,
    three_d_secure: null,
    transaction_link_id: null,
    wallet: null,
  },
});

/** A card is not taken: a charge that failed stays with the payment, which can be tried again. */
export async function declinePayment(
  { keep, tell, now }: Books,
  payment: Stripe.PaymentIntent,
  number: string,
): Promise<void> {
  const { amount, currency, metadata } = payment;
  const words = { failure_code: 'card_declined', failure_message: 'Your card was declined.' };
  const charge = makeCharge({
    ...{ amount, currency, metadata, created: now, payment_intent: payment.id, ...words },
    ...{ paid: false, captured: false, status: 'failed', payment_method_details: detailsOf(number) },
  });
  await keep(charge);
  const error = { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' };
  const last_payment_error = { ...error, type: 'card_error' as const };
  const failed = await keep({ ...payment, last_payment_error, latest_charge: charge.id });
  await tell('payment_intent.payment_failed', failed);
}
