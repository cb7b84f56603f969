import type Stripe from 'stripe';
import * as z from 'zod';
import { makeAccount, withIncluded } from './accounts.ts';
import { type Books, daySeconds, expireSession, SandboxError } from './books.ts';
import {
  amount,
  type Call,
  type Endpoints,
  expandable,
  flag,
  metadata,
  Nothing,
  page,
  paged,
  read,
  show,
} from './calls.ts';
import { debitEndpoints } from './debiting.ts';
import { disputeEndpoints } from './disputing.ts';
import { methodEndpoints, methodParams, offeredBy } from './methods.ts';
import { makeSession } from './objects.ts';
import { createPackSession } from './pack-endpoints.ts';
import { checkDestination } from './paying.ts';
import { payoutEndpoints } from './payouts.ts';
import { createFanSession, createPlanSession, planEndpoints } from './plan-endpoints.ts';
import { refundCharge } from './refunding.ts';
import { listEvents, listObjects, platform, sumBalance } from './store.ts';
import { transferEndpoints } from './transferring.ts';
import { warningEndpoints } from './warning.ts';

const SessionParams = z.strictObject({
  ...expandable,
  ...methodParams,
  mode: z.literal('payment'),
  ui_mode: z.literal('hosted_page'),
  customer_creation: z.literal('always'),
  line_items: z
    .array(
      z.strictObject({
        price_data: z.strictObject({
          currency: z.string(),
          unit_amount: amount,
          product_data: z.strictObject({ name: z.string() }),
        }),
        quantity: amount,
      }),
    )
    .length(1),
  payment_intent_data: z.union([
    z.strictObject({
      application_fee_amount: amount.min(1).optional(),
      transfer_data: z.strictObject({ destination: z.string() }),
      metadata,
    }),
    // Kept by the platform until a transfer of the same group.
    z.strictObject({ transfer_group: z.string(), metadata }),
  ]),
  expires_at: amount.optional(),
  success_url: z.string(),
  cancel_url: z.string(),
  client_reference_id: z.string(),
  metadata,
});

const RefundParams = z.strictObject({
  ...expandable,
  payment_intent: z.string().optional(),
  charge: z.string().optional(),
  amount: amount.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  reverse_transfer: flag.optional(),
  refund_application_fee: flag.optional(),
  metadata: metadata.optional(),
});

const sessionSeconds = daySeconds;

async function createSession(books: Books, call: Call): Promise<object> {
  const params = read(SessionParams, call);
  const [item] = params.line_items;
  if (item === undefined) throw new SandboxError(400, 'parameter_missing', 'line_items is missing');
  const { currency, unit_amount, product_data } = item.price_data;
  const { payment_intent_data: data } = params;
  const total = unit_amount * item.quantity;
  if (total < 50) throw new SandboxError(400, 'amount_too_small', 'Amount must be at least $0.50 usd');
  if ('transfer_data' in data) {
    if ((data.application_fee_amount ?? 0) > total)
      throw new SandboxError(400, 'parameter_invalid', 'The application fee is greater than the amount.');
    await checkDestination(books, data.transfer_data.destination);
  }
  const session = makeSession({
    amount_subtotal: total,
    amount_total: total,
    currency,
    created: books.now,
    metadata: params.metadata,
    cancel_url: params.cancel_url,
    success_url: params.success_url,
    client_reference_id: params.client_reference_id,
    expires_at: params.expires_at ?? books.now + sessionSeconds,
    ...(await offeredBy(books, params)),
  });
  const open = { ...session, url: `${call.pages}/pay/${session.id}` };
  return books.keep(open, { hidden: { ...data, product: product_data.name } });
}

async function listSessions({ tx }: Books, call: Call): Promise<object> {
  const asked = { payment_intent: z.string(), subscription: z.string(), status: z.string() };
  const shape = z.strictObject({ ...paged, ...z.object(asked).partial().shape });
  const { limit, starting_after: after, payment_intent, subscription, status } = read(shape, call);
  const where = { payment_intent, subscription, status };
  const data = await listObjects(tx, { type: 'checkout.session', account: platform, where, after, limit });
  return page(data, limit, '/v1/checkout/sessions');
}

async function listCharges({ tx }: Books, call: Call): Promise<object> {
  const created = z.strictObject({ gte: amount }).optional();
  const shape = z.strictObject({ ...paged, created, payment_intent: z.string().optional() });
  const { limit, starting_after: after, payment_intent, created: from } = read(shape, call);
  const asked = { type: 'charge', account: platform, where: { payment_intent }, since: from?.gte, after, limit };
  return page(await listObjects(tx, asked), limit, '/v1/charges');
}

async function listRefunds({ tx }: Books, call: Call): Promise<object> {
  const shape = z.strictObject({ ...paged, payment_intent: z.string() });
  const { limit, starting_after: after, payment_intent } = read(shape, call);
  const asked = { type: 'refund', account: platform, where: { payment_intent }, after, limit };
  return page(await listObjects(tx, asked), limit, '/v1/refunds');
}

async function listLines({ tx }: Books, call: Call): Promise<object> {
  const created = z.strictObject({ gte: amount }).optional();
  const shape = z.strictObject({ ...paged, created, source: z.string().optional(), type: z.string().optional() });
  const { limit, starting_after: after, created: from, source, type } = read(shape, call);
  const asked = { type: 'balance_transaction', account: call.account, where: { source, type }, since: from?.gte };
  return page(await listObjects(tx, { ...asked, after, limit }), limit, '/v1/balance_transactions');
}

async function showEvents({ tx }: Books, call: Call): Promise<object> {
  const shape = z.strictObject({ ...paged, delivery_success: flag.optional() });
  const { limit, starting_after, delivery_success } = read(shape, call);
  return page(await listEvents(tx, delivery_success, starting_after, limit), limit, '/v1/events');
}

async function showBalance({ tx, now }: Books, call: Call): Promise<object> {
  read(Nothing, call);
  const sums = await sumBalance(tx, call.account, now);
  const parts = (pick: 'available' | 'pending') => sums.map((sum) => ({ amount: sum[pick], currency: sum.currency }));
  return { object: 'balance', available: parts('available'), livemode: false, pending: parts('pending') };
}

const AccountParams = z.strictObject({
  contact_email: z.string().optional(),
  display_name: z.string().optional(),
  dashboard: z.literal('express'),
  identity: z.strictObject({ country: z.string() }),
  defaults: z.strictObject({
    responsibilities: z.strictObject({
      fees_collector: z.literal('application'),
      losses_collector: z.literal('application'),
    }),
  }),
  configuration: z.strictObject({
    recipient: z.strictObject({
      capabilities: z.strictObject({
        stripe_balance: z.strictObject({ stripe_transfers: z.strictObject({ requested: z.literal(true) }) }),
      }),
    }),
  }),
  include: z.array(z.string()).optional(),
});

async function createAccount(books: Books, call: Call): Promise<object> {
  const params = read(AccountParams, call);
  return withIncluded(await makeAccount(books, params), params.include);
}

async function showAccount({ find }: Books, call: Call): Promise<object> {
  const { include } = read(z.strictObject({ include: z.array(z.string()).optional() }), call);
  return withIncluded(await find<Stripe.V2.Core.Account>(call.id, 'account'), include);
}

const linkSeconds = 300;

async function createAccountLink({ find, keep, now }: Books, call: Call): Promise<object> {
  const urls = z.strictObject({ refresh_url: z.string(), return_url: z.string() });
  const use_case = z.strictObject({ type: z.literal('account_onboarding'), account_onboarding: urls });
  const params = read(z.strictObject({ account: z.string(), use_case }), call);
  const account = await find<Stripe.V2.Core.Account>(params.account, 'account');
  const { return_url } = params.use_case.account_onboarding;
  await keep(account, { hidden: { return_url } });
  return {
    object: 'v2.core.account_link',
    account: account.id,
    created: new Date(now * 1000).toISOString(),
    expires_at: new Date((now + linkSeconds) * 1000).toISOString(),
    livemode: false,
    url: `${call.pages}/onboard/${account.id}`,
    use_case: params.use_case,
  };
}

async function createLoginLink({ find, now }: Books, call: Call): Promise<object> {
  read(Nothing, call);
  await find(call.id, 'account');
  return { object: 'login_link', created: now, url: `${call.pages}/account/${call.id}` };
}

/** What the sandbox answers; everything else is said not to be there, never answered emptily. */
export const endpoints: Endpoints = {
  ...planEndpoints,
  ...payoutEndpoints,
  ...disputeEndpoints,
  ...debitEndpoints,
  ...methodEndpoints,
  ...transferEndpoints,
  ...warningEndpoints,
  'POST /v1/checkout/sessions': (books, call) => {
    const { mode, ui_mode } = call.params as { mode?: string; ui_mode?: string };
    if (mode !== 'subscription')
      return ui_mode === 'embedded_page' ? createPackSession(books, call) : createSession(books, call);
    return ui_mode === 'hosted_page' ? createFanSession(books, call) : createPlanSession(books, call);
  },
  'GET /v1/checkout/sessions': listSessions,
  'GET /v1/checkout/sessions/:id': show('checkout.session'),
  'POST /v1/checkout/sessions/:id/expire': async (books, call) => {
    read(Nothing, call);
    return expireSession(books, await books.find<Stripe.Checkout.Session>(call.id, 'checkout.session'));
  },
  'GET /v1/payment_intents/:id': show('payment_intent'),
  'GET /v1/charges': listCharges,
  'GET /v1/charges/:id': show('charge'),
  'POST /v1/refunds': async (books, call) => refundCharge(books, read(RefundParams, call)),
  'GET /v1/refunds': listRefunds,
  'GET /v1/refunds/:id': show('refund'),
  'GET /v1/application_fees/:id': show('application_fee'),
  'GET /v1/balance': showBalance,
  'GET /v1/balance_transactions': listLines,
  'GET /v1/events': showEvents,
  'POST /v2/core/accounts': createAccount,
  'GET /v2/core/accounts/:id': showAccount,
  'POST /v2/core/account_links': createAccountLink,
  'POST /v1/accounts/:id/login_links': createLoginLink,
};
