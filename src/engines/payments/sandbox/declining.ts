import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { cardDetailsOf } from './card-details.ts';
import { makeCharge } from './objects.ts';

/** Why a card isn't taken, in the provider's words. */
type Refusal = Pick<Stripe.PaymentIntent.LastPaymentError, 'decline_code'> & {
  code: 'card_declined' | 'expired_card' | 'incorrect_cvc' | 'processing_error';
  message: string;
};
const refuse = (decline_code: string, message = 'Your card was declined.'): Refusal => ({
  code: 'card_declined',
  decline_code,
  message,
});

/** The provider's test cards that are always declined. */
const refusals = new Map<string, Refusal>([
  ['4000000000000002', refuse('generic_decline')],
  ['4000000000009995', refuse('insufficient_funds', 'Your card has insufficient funds.')],
  ['4000000000009987', refuse('lost_card')],
  ['4000000000009979', refuse('stolen_card')],
  ['4000000000000069', { code: 'expired_card', message: 'Your card has expired.' }],
  ['4000000000000127', { code: 'incorrect_cvc', message: "Your card's security code is incorrect." }],
  ['4000000000000119', { code: 'processing_error', message: 'An error occurred while processing your card.' }],
]);
/** Returns why a card can be neither kept nor charged. */
export const refusalOf = (card: string): Refusal | undefined => refusals.get(card);

/** The provider's test card that can be kept for a customer, while every payment with it is declined. */
const chargesFail = '4000000000000341';

/** Why nothing can be taken from a card, kept or not. */
export const chargeRefusalOf = (card: string): Refusal | undefined =>
  card === chargesFail ? refuse('generic_decline') : refusalOf(card);

/** A card is not taken: a charge that failed stays with the payment, which can be tried again. */
export async function declinePayment(
  { keep, publish, now }: Books,
  payment: Stripe.PaymentIntent,
  { number, refusal }: { number: string; refusal: Refusal },
): Promise<void> {
  const { amount, currency, metadata } = payment;
  const words = { failure_code: refusal.code, failure_message: refusal.message };
  const charge = makeCharge({
    amount,
    currency,
    metadata,
    created: now,
    payment_intent: payment.id,
    ...words,
    paid: false,
    captured: false,
    status: 'failed',
    payment_method_details: cardDetailsOf(number),
  });
  await keep(charge);
  const last_payment_error = { ...refusal, type: 'card_error' as const };
  const open = { status: 'requires_payment_method' as const, next_action: null };
  const failed = await keep({ ...payment, ...open, last_payment_error, latest_charge: charge.id });
  await publish('payment_intent.payment_failed', failed);
}
