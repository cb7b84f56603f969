import Stripe from 'stripe';
import type { Fact } from '#tests/proofs/stripe/side.ts';

/**
 * A call for each permission of a restricted key, by its name in docs/operations.md. Those that would change something are about
 * things that do not exist: Stripe looks at the permission first.
 */
const probes: Readonly<Record<string, (raw: Stripe) => Promise<unknown>>> = {
  'Checkout sessions: write': ({ checkout }) => checkout.sessions.expire('cs_test_none'),
  'Customers: write': ({ customers }) => customers.update('cus_none', {}),
  'Products: write': ({ products }) => products.update('prod_none', {}),
  'Prices: write': ({ prices }) => prices.update('price_none', {}),
  'Subscriptions: write': ({ subscriptions }) => subscriptions.update('sub_none', {}),
  'Invoices: read': ({ invoices }) => invoices.list({ limit: 1 }),
  'Payment intents: read': ({ paymentIntents }) => paymentIntents.retrieve('pi_none'),
  'Payment methods: read': ({ paymentMethods }) => paymentMethods.retrieve('pm_none'),
  'Charges: write': ({ charges }) => charges.update('ch_none', {}),
  'Refunds: write': ({ refunds }) => refunds.create({ payment_intent: 'pi_none' }),
  'Disputes: write': ({ disputes }) => disputes.update('dp_none', {}),
  'Radar, early fraud warnings: read': ({ radar }) => radar.earlyFraudWarnings.list({ limit: 1 }),
  'Transfers: write': ({ transfers }) => transfers.update('tr_none', {}),
  'Application fees: write': ({ applicationFees }) => applicationFees.createRefund('fee_none', {}),
  'Payouts: write': ({ payouts }) => payouts.update('po_none', {}),
  'Balance: read': ({ balance }) => balance.retrieve(),
  'Balance transaction sources: read': ({ balanceTransactions }) =>
    balanceTransactions.list({ limit: 1, expand: ['data.source'] }),
  'Balance settings: write': ({ balanceSettings }) => balanceSettings.update({}),
  'Connected accounts: write': ({ v2 }) => v2.core.accounts.update('acct_none', {}),
  'Account links: write': ({ v2 }) =>
    v2.core.accountLinks.create({
      account: 'acct_none',
      use_case: {
        type: 'account_onboarding',
        account_onboarding: { refresh_url: 'https://example.com' },
      },
    }),
  'Login links: write': ({ accounts }) => accounts.createLoginLink('acct_none'),
  'Customer portal: write': ({ billingPortal }) => billingPortal.sessions.create({ customer: 'cus_none' }),
  'Events: read': ({ events }) => events.list({ limit: 1 }),
};

/** @returns Stripe's sentence where the key may not; undefined where it may @throws where there is no such key */
async function findLack(raw: Stripe, probe: (raw: Stripe) => Promise<unknown>): Promise<string | undefined> {
  try {
    await probe(raw);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError) || error.statusCode === 401) throw error;
    // An account that does not exist is refused with the same number.
    if (error.statusCode === 403 && error.code !== 'account_invalid') return error.message;
  }
  return undefined;
}

async function findPortal({ billingPortal }: Stripe): Promise<string> {
  const { data } = await billingPortal.configurations.list({ is_default: true, limit: 1 });
  if (data[0] === undefined) return 'never saved';
  return data[0].features.payment_method_update.enabled ? 'cards can be changed' : 'cards cannot be changed';
}

const refusedKinds = /^(sk|rk)_live_/;

/** @throws where a key is of live mode: nothing of this is for real money */
export function refuseLive(key: string): void {
  if (refusedKinds.test(key)) throw new Error('STRIPE_SECRET_KEY is a live key: this command takes one of test mode.');
  if (!/^(sk|rk)_test_/.test(key)) throw new Error('STRIPE_SECRET_KEY is no secret or restricted key of test mode.');
}

/** Looks at all that has to be set before anything can be tried. */
export async function inspect(raw: Stripe, key: string): Promise<{ [name: string]: Fact }> {
  refuseLive(key);
  const { lastResponse } = await raw.balance.retrieve();
  const lacking: { [name: string]: Fact } = {};
  for (const [name, probe] of Object.entries(probes)) {
    const sentence = await findLack(raw, probe);
    if (sentence !== undefined) lacking[name] = sentence;
  }
  const { payments } = await raw.balanceSettings.retrieve();
  return {
    version: lastResponse.apiVersion ?? 'none',
    lacking,
    portal: await findPortal(raw),
    ownPayouts: payments.payouts?.schedule?.interval ?? 'none',
  };
}
