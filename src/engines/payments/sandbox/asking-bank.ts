import type Stripe from 'stripe';
import type { Books } from './books.ts';

/** The provider's test cards whose bank asks the payer first (3-D Secure). */
const askingCards = new Set(['4000000000003155', '4000002500003155']);
export const asksBank = (card: string): boolean => askingCards.has(card);

export const unconfirmed = "We couldn't confirm this with your bank.";

/** What a bank has been asked about, kept beside the checkout or the page of a card. */
export interface Asked {
  email: string;
  card: string;
}

/** Waits for what the payer answers their bank. */
export async function awaitBank(books: Books, id: string, asked: Asked): Promise<{ asksBank: true }> {
  await books.keep(await books.find(id, 'session'), { hidden: { asked, payerEmail: asked.email } });
  return { asksBank: true };
}

export const askedOf = async (books: Books, id: string): Promise<Asked | undefined> =>
  ((await books.hiddenOf(id)) as { asked?: Asked | null }).asked ?? undefined;

/** Nothing is waited for any more. */
export async function forgetBank(books: Books, id: string): Promise<void> {
  await books.keep(await books.find(id, 'session'), { hidden: { asked: null } });
}

/** A payment waits for the bank. */
export async function requireAction({ keep, publish }: Books, payment: Stripe.PaymentIntent): Promise<void> {
  const next_action = { type: 'use_stripe_sdk', use_stripe_sdk: {} };
  await publish('payment_intent.requires_action', await keep({ ...payment, status: 'requires_action', next_action }));
}

/** The bank didn't recognize the payer: another card, or the same once more, can be tried. */
export async function failAuthentication({ keep, publish }: Books, payment: Stripe.PaymentIntent): Promise<void> {
  const last_payment_error = {
    code: 'payment_intent_authentication_failure' as const,
    message: 'The provided PaymentMethod has failed authentication.',
    type: 'invalid_request_error' as const,
  };
  const failed = { ...payment, status: 'requires_payment_method' as const, next_action: null, last_payment_error };
  await publish('payment_intent.payment_failed', await keep(failed));
}
