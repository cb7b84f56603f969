import Stripe from 'stripe';
import { stripeScript } from '#app/payments.ts';
import type { CheckoutOrder } from '#engines/payments/payments.ts';
import { openStripe } from '#engines/payments/stripe.ts';
import { sessionParams } from '#engines/payments/stripe-params.ts';
import { type FrameReach, showFrame } from './frame-side.ts';
import { inspect } from './preflight.ts';
import { type Card, hookSecrets, NotTried, type Paid, type People, type Side } from './side.ts';
import { plansOf } from './stripe-plans-side.ts';
import { methods } from './test-methods.ts';

const idOf = (value: string | { id: string } | null | undefined): string =>
  typeof value === 'string' ? value : (value?.id ?? '');

/** Where it is reached, and what of its pages can be answered by a program. */
export interface Reach {
  name: string;
  secretKey: string;
  /** Left out for Stripe itself. */
  host?: { host: string; port: number };
  /** The account of an earlier run, which is asked nothing any more. */
  accountId?: string | undefined;
  /** Left out where no browser can show the frame. */
  frame?: FrameReach | undefined;
  /** Answers the hosted pages about an account; left out where only a person can. */
  onboard?: (accountId: string) => Promise<void>;
}

function peopleOf(raw: Stripe, { onboard, secretKey }: Reach): Omit<People, 'showFrame'> {
  async function confirm(params: Stripe.PaymentIntentCreateParams, card: Card): Promise<Paid> {
    const paying: Partial<Stripe.PaymentIntentCreateParams> = {
      payment_method: methods[card],
      allowed_payment_method_types: ['card'],
      confirm: true,
    };
    try {
      const { id, latest_charge } = await raw.paymentIntents.create({ ...params, ...paying });
      return { paymentId: id, chargeId: idOf(latest_charge) };
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeCardError)) throw error;
      return { paymentId: idOf(error.payment_intent), chargeId: error.charge ?? '' };
    }
  }
  return {
    async onboard(accountId, url) {
      if (onboard !== undefined) return onboard(accountId);
      throw new NotTried(
        `answer ${url} in a browser (Stripe offers test values on each page), then run the command again with STRIPE_PROOF_ACCOUNT=${accountId}`,
      );
    },
    async pay(order, card) {
      const { payment_intent_data: split } = sessionParams(order, {});
      const { amountCents: amount, currency } = order;
      return confirm({ amount, currency, ...(split as Partial<Stripe.PaymentIntentCreateParams>) }, card);
    },
    async payOwn({ orderId, amountCents: amount }, card) {
      return confirm({ amount, currency: 'usd', metadata: { order_id: orderId, kind: 'credits' } }, card);
    },
    async refund({ paymentId: payment_intent }, amount) {
      await raw.refunds.create({ payment_intent, amount, reverse_transfer: true, refund_application_fee: true });
    },
    payByBank: (order) => payByBank(raw, order),
    failPayout: (accountId, payOut) => failPayout(raw, accountId, payOut),
    // The bank of a test reads what is written to it.
    decide: async () => undefined,
    ...plansOf(raw),
    inspect: () => inspect(raw, secretKey),
    async fund() {
      await confirm({ amount: 20_000, currency: 'usd', metadata: { kind: 'credits' } }, 'available');
    },
  };
}

/** Pays as our checkouts would have it paid, from the bank account that Stripe has published for this. */
async function payByBank(raw: Stripe, order: CheckoutOrder): Promise<Paid> {
  const { payment_intent_data: split } = sessionParams(order, {});
  const customer = await raw.customers.create({ email: 'buyer@example.com' });
  const { id } = await raw.paymentIntents.create({
    amount: order.amountCents,
    currency: order.currency,
    customer: customer.id,
    confirm: true,
    ...(split as Partial<Stripe.PaymentIntentCreateParams>),
    payment_method: 'pm_usBankAccount_success',
    allowed_payment_method_types: ['us_bank_account'],
    mandate_data: { customer_acceptance: { type: 'offline' } },
  });
  for (let left = 60; left > 0; left -= 1) {
    const { status, latest_charge } = await raw.paymentIntents.retrieve(id);
    if (status === 'succeeded') return { paymentId: id, chargeId: idOf(latest_charge) };
    await new Promise((over) => setTimeout(over, 5000));
  }
  throw new NotTried('the bank account of a test was not charged within five minutes');
}

const bankOf = (account_number: string): Stripe.AccountCreateExternalAccountParams => ({
  default_for_currency: true,
  external_account: {
    object: 'bank_account',
    country: 'US',
    currency: 'usd',
    routing_number: '110000000',
    account_number,
  },
});

/** Changes the creator's bank account to the published one that does not exist, and back. */
async function failPayout(raw: Stripe, accountId: string, payOut: () => Promise<string>): Promise<string> {
  try {
    await raw.accounts.createExternalAccount(accountId, bankOf('000111111116'));
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    throw new NotTried(`the bank account of the account cannot be changed from here: ${error.message}`);
  }
  const id = await payOut();
  await raw.accounts.createExternalAccount(accountId, bankOf('000123456789'));
  return id;
}

/** Whatever speaks for Stripe: Stripe itself in test mode, or the stand-in. */
export function openStripeSide(reach: Reach, run: string): Side {
  const { name, secretKey, host, accountId, frame } = reach;
  const raw = new Stripe(secretKey, {
    telemetry: false,
    maxNetworkRetries: 2,
    ...(host && { ...host, protocol: 'http' as const }),
  });
  const payments = openStripe({
    realm: { provider: 'stripe', livemode: false },
    place: name,
    connect: async () => ({ secretKey, ...(host && { host }) }),
    secrets: async () => hookSecrets,
    browser: async () => ({ publishableKey: frame?.publishableKey ?? 'pk_test_proof', scriptUrl: stripeScript }),
  });
  const patience = host === undefined ? { tries: 60, pauseMs: 2000 } : { tries: 10, pauseMs: 1 };
  return {
    name,
    payments,
    people: {
      ...peopleOf(raw, reach),
      async showFrame() {
        if (frame !== undefined) return showFrame({ payments, patience, run }, frame);
        throw new NotTried('set STRIPE_PUBLISHABLE_KEY to the publishable key of the same account, in test mode');
      },
    },
    run,
    startedAt: new Date(Date.now() - 60_000),
    now: () => new Date(),
    patience,
    kept: { ...(accountId !== undefined && { accountId }) },
    close: () => payments.close(),
  };
}
