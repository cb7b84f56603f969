import type Stripe from 'stripe';
import * as z from 'zod';
import { type Books, daySeconds, SandboxError } from './books.ts';
import { amount, type Call, type Endpoints, expandable, flag, metadata, page, paged, read, show } from './calls.ts';
import { invoiceEndpoints } from './invoice-endpoints.ts';
import { methodParams, offeredBy } from './methods.ts';
import { makeSession, newObjectId } from './objects.ts';
import { checkDestination } from './paying.ts';
import { beginPeriod, cardOf, endSubscription, keepDue, nextDueOf } from './plan-billing.ts';
import { makePortal, makePrice } from './plan-objects.ts';
import { listObjects, platform } from './store.ts';

const word = (text: string) => z.literal(text);

export const PlanSessionParams = z.strictObject({
  ...expandable,
  ...methodParams,
  mode: word('subscription'),
  ui_mode: word('embedded_page'),
  line_items: z.array(z.strictObject({ price: z.string(), quantity: amount })).length(1),
  customer: z.string().optional(),
  customer_email: z.string().optional(),
  payment_method_collection: z.enum(['always', 'if_required']),
  subscription_data: z.strictObject({
    trial_period_days: amount.optional(),
    trial_settings: z
      .strictObject({ end_behavior: z.strictObject({ missing_payment_method: word('cancel') }) })
      .optional(),
    metadata,
  }),
  return_url: z.string(),
  client_reference_id: z.string(),
  metadata,
});

/** How a plan is taken, kept beside its checkout. */
export interface PlanTerms {
  price: Stripe.Price;
  trialDays: number | null;
  asksForCard: boolean;
  metadata: Record<string, string>;
  /** Of what a fan pays a creator every month. */
  share?: { application_fee_percent: number; transfer_data: { amount_percent: null; destination: string } };
}

const Recurring = z.strictObject({ interval: word('month'), interval_count: amount.min(1).max(36) });
const usual = { interval: 'month', meter: null, trial_period_days: null, usage_type: 'licensed' } as const;

const FanSessionParams = z.strictObject({
  ...expandable,
  ...methodParams,
  mode: word('subscription'),
  ui_mode: word('hosted_page'),
  line_items: z
    .array(
      z.strictObject({
        price_data: z.strictObject({
          currency: z.string(),
          unit_amount: amount,
          product_data: z.strictObject({ name: z.string() }),
          recurring: Recurring,
        }),
        quantity: amount,
      }),
    )
    .length(1),
  subscription_data: z.strictObject({
    application_fee_percent: z.coerce.number().min(0).max(100),
    transfer_data: z.strictObject({ destination: z.string() }),
    metadata,
  }),
  expires_at: amount.optional(),
  success_url: z.string(),
  cancel_url: z.string(),
  client_reference_id: z.string(),
  metadata,
});

/** What is paid to a creator every month, on a page of the provider's. */
export async function createFanSession(books: Books, call: Call): Promise<object> {
  const params = read(FanSessionParams, call);
  const [item] = params.line_items;
  if (item === undefined) throw new SandboxError(400, 'parameter_missing', 'line_items is missing');
  const { currency, unit_amount, product_data, recurring } = item.price_data;
  const { metadata, application_fee_percent, transfer_data } = params.subscription_data;
  await checkDestination(books, transfer_data.destination);
  const price = await books.keep(
    makePrice({ created: books.now, currency, unit_amount, recurring: { ...usual, ...recurring } }),
  );
  const session = makeSession({
    mode: 'subscription',
    created: books.now,
    currency,
    metadata: params.metadata,
    customer_creation: null,
    amount_subtotal: unit_amount,
    amount_total: unit_amount,
    payment_method_collection: 'always',
    cancel_url: params.cancel_url,
    success_url: params.success_url,
    client_reference_id: params.client_reference_id,
    expires_at: params.expires_at ?? books.now + daySeconds,
    ...(await offeredBy(books, params)),
  });
  const share = { application_fee_percent, transfer_data: { amount_percent: null, ...transfer_data } };
  const terms: PlanTerms = { price, trialDays: null, asksForCard: true, metadata, share };
  const open = { ...session, url: `${call.pages}/pay/${session.id}` };
  return books.keep(open, { hidden: { ...terms, product: product_data.name } });
}

export async function createPlanSession(books: Books, call: Call): Promise<object> {
  const params = read(PlanSessionParams, call);
  const { subscription_data: data, customer, customer_email } = params;
  const price = await books.find<Stripe.Price>(params.line_items[0]?.price ?? '', 'price');
  const trialDays = data.trial_period_days ?? null;
  if (trialDays !== null && trialDays < 1)
    throw new SandboxError(400, 'parameter_invalid_integer', 'The trial has to be at least a day long.');
  const asksForCard = params.payment_method_collection === 'always' || trialDays === null;
  const total = trialDays === null ? price.unit_amount : 0;
  const session = makeSession({
    mode: 'subscription',
    ui_mode: 'embedded_page',
    created: books.now,
    currency: price.currency,
    amount_subtotal: total,
    amount_total: total,
    metadata: params.metadata,
    customer_creation: null,
    customer: customer ?? null,
    customer_email: customer_email ?? null,
    payment_method_collection: params.payment_method_collection,
    client_reference_id: params.client_reference_id,
    return_url: params.return_url,
    expires_at: books.now + daySeconds,
    ...(await offeredBy(books, params)),
  });
  const open = { ...session, client_secret: `${session.id}_secret_${newObjectId('x').slice(2)}` };
  const terms: PlanTerms = { price, trialDays, asksForCard, metadata: data.metadata };
  return books.keep(open, { hidden: { ...terms, product: 'Creator plan' } });
}

const PriceParams = z.strictObject({
  ...expandable,
  currency: z.string(),
  unit_amount: amount,
  recurring: z.strictObject({ interval: word('month') }),
  lookup_key: z.string(),
  product_data: z.strictObject({ name: z.string() }),
});

async function listPrices({ tx }: Books, call: Call): Promise<object> {
  const shape = z.strictObject({ ...paged, active: flag.optional(), lookup_keys: z.array(z.string()).length(1) });
  const { limit, starting_after: after, lookup_keys } = read(shape, call);
  const where = { lookup_key: lookup_keys[0] };
  return page(await listObjects(tx, { type: 'price', account: platform, where, after, limit }), limit, '/v1/prices');
}

const findSubscription = ({ find }: Books, id: string) => find<Stripe.Subscription>(id, 'subscription');

const Ended = z.literal('').transform(() => null);

const UpdateParams = z.strictObject({
  ...expandable,
  cancel_at_period_end: flag.optional(),
  default_payment_method: z.string().optional(),
  items: z
    .array(
      z.strictObject({
        id: z.string(),
        price_data: z.strictObject({
          currency: z.string(),
          product: z.string(),
          unit_amount: amount,
          recurring: Recurring,
        }),
      }),
    )
    .length(1)
    .optional(),
  proration_behavior: word('none').optional(),
  // Nothing takes it back.
  pause_collection: z.union([z.strictObject({ behavior: word('void'), resumes_at: amount }), Ended]).optional(),
  billing_cycle_anchor: z.strictObject({ type: word('now') }).optional(),
  metadata: metadata.optional(),
});

type Update = z.infer<typeof UpdateParams>;

async function updateSubscription(books: Books, call: Call): Promise<object> {
  const params = read(UpdateParams, call);
  const { cancel_at_period_end, items, billing_cycle_anchor, default_payment_method: method } = params;
  const known = await findSubscription(books, call.id);
  if (known.status === 'canceled')
    throw new SandboxError(
      400,
      'resource_invalid_state',
      'A canceled subscription can only update its cancellation_details.',
    );
  const isMoved = params.pause_collection !== undefined || billing_cycle_anchor !== undefined;
  if (isMoved && known.status !== 'active')
    throw new SandboxError(501, 'sandbox_unsupported', 'Only what is paid for is paused here, or begins again.');
  const ending = cancel_at_period_end === undefined ? {} : endingOf(books, cancel_at_period_end);
  const priced = items?.[0] === undefined ? {} : await pricedAt(books, known, items[0]);
  const carded = method === undefined ? {} : await cardedBy(books, known, method);
  const updated = await books.keep({ ...known, ...ending, ...priced, ...carded, ...notedOf(known, params) });
  if (!isMoved) {
    await books.publish('customer.subscription.updated', updated);
    return updated;
  }
  const paused = { ...updated, ...pauseOf(books, params.pause_collection, updated) };
  const payer = billing_cycle_anchor && (await cardOf(books, paused));
  if (payer !== undefined)
    await beginPeriod(books, { ...paused, billing_cycle_anchor: books.now }, payer, 'subscription_update');
  else
    await books.publish('customer.subscription.updated', await keepDue(books, paused, await nextDueOf(books, paused)));
  return findSubscription(books, call.id);
}

/** A card is used by the customer whose it is. */
async function cardedBy(books: Books, { customer }: Stripe.Subscription, id: string) {
  const card = await books.find<Stripe.PaymentMethod>(id, 'payment_method');
  const isTheirs = card.customer === customer;
  if (isTheirs) return { default_payment_method: id };
  throw new SandboxError(400, 'resource_missing', `The customer does not have a payment method with the ID ${id}.`);
}

/** What is noted beside it; an empty word takes a note away. */
function notedOf(known: Stripe.Subscription, { metadata: noted }: Update): Pick<Stripe.Subscription, 'metadata'> {
  const all = Object.entries({ ...known.metadata, ...noted });
  return { metadata: Object.fromEntries(all.filter(([, word]) => word !== '')) };
}

function pauseOf(
  { now }: Books,
  pause: Update['pause_collection'],
  known: Stripe.Subscription,
): Pick<Stripe.Subscription, 'pause_collection'> {
  if (pause === undefined) return { pause_collection: known.pause_collection };
  if (pause === null) return { pause_collection: null };
  if (pause.resumes_at > now) return { pause_collection: pause };
  throw new SandboxError(400, 'parameter_invalid_integer', '`resumes_at` must be in the future.');
}

const endingOf = ({ now }: Books, cancel_at_period_end: boolean) => ({
  cancel_at_period_end,
  canceled_at: cancel_at_period_end ? now : null,
});

type RequestedItem = NonNullable<z.infer<typeof UpdateParams>['items']>[number];

/** The same from the next period on at another price. */
async function pricedAt(books: Books, { items }: Stripe.Subscription, { id, price_data }: RequestedItem) {
  const { currency, product, unit_amount, recurring } = price_data;
  const [item] = items.data;
  if (item?.id !== id) throw new SandboxError(404, 'resource_missing', `No such subscription item: '${id}'`);
  const price = await books.keep(
    makePrice({ created: books.now, currency, product, unit_amount, recurring: { ...usual, ...recurring } }),
  );
  return { items: { ...items, data: [{ ...item, price }] } };
}

/** Those that are over are left out. */
async function listSubscriptions({ tx }: Books, call: Call): Promise<object> {
  const { limit, starting_after: after, customer } = read(z.strictObject({ ...paged, customer: z.string() }), call);
  const asked = { type: 'subscription', account: platform, where: { customer }, after, limit: 1000 };
  const live = ((await listObjects(tx, asked)) as Stripe.Subscription[]).filter(({ status }) => status !== 'canceled');
  return page(live.slice(0, limit + 1), limit, '/v1/subscriptions');
}

/** What the sandbox answers about plans. */
export const planEndpoints: Endpoints = {
  ...invoiceEndpoints,
  'GET /v1/prices': listPrices,
  'POST /v1/prices': async (books, call) => {
    const { currency, unit_amount, lookup_key } = read(PriceParams, call);
    return books.keep(makePrice({ created: books.now, currency, unit_amount, lookup_key }));
  },
  'GET /v1/customers/:id': show('customer'),
  'GET /v1/subscriptions': listSubscriptions,
  'GET /v1/subscriptions/:id': show('subscription'),
  'POST /v1/subscriptions/:id': updateSubscription,
  'DELETE /v1/subscriptions/:id': async (books, call) => {
    read(z.strictObject(expandable), call);
    const known = await findSubscription(books, call.id);
    if (known.status !== 'canceled') return endSubscription(books, known);
    throw new SandboxError(404, 'resource_missing', `No such subscription: '${call.id}'`);
  },
  'POST /v1/billing_portal/sessions': async (books, call) => {
    const flow_data = z.strictObject({ type: word('payment_method_update') });
    const params = read(
      z.strictObject({ ...expandable, customer: z.string(), return_url: z.string(), flow_data }),
      call,
    );
    await books.find(params.customer, 'customer');
    const portal = makePortal({ customer: params.customer, created: books.now, return_url: params.return_url });
    return books.keep({ ...portal, url: `${call.pages}/card/${portal.id}` });
  },
};
