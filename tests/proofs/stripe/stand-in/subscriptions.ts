import type Stripe from 'stripe';
import { absentParam, refused } from './errors.ts';
import { pageOf } from './expanding.ts';
import { readSplit } from './intents.ts';
import { addInvoice, finalize, isOf, voidInvoice } from './invoices.ts';
import { branchAt, listAt, needWord, numberAt, type Params, wordAt, wordsAt } from './params.ts';
import { addPrice } from './prices.ts';
import { type Asked, route } from './route.ts';
import type { World } from './world.ts';

const day = 86_400;

/** So many months after a day; one that a month does not have becomes its last. */
export function monthsAfter(anchor: number, months: number): number {
  const at = new Date(anchor * 1000);
  const wanted = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months);
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(wanted, last));
  return at.getTime() / 1000;
}

/** The next end of a period after a moment, counted from the anchor so that the 31st stays the 31st. */
function nextEnd(anchor: number, after: number, months: number): number {
  for (let count = months; ; count += months) {
    const end = monthsAfter(anchor, count);
    if (end > after) return end;
  }
}

const itemOf = ({ items }: Stripe.Subscription): Stripe.SubscriptionItem => {
  const [item] = items.data;
  if (item === undefined) throw new Error('a subscription without an item');
  return item;
};

const monthsOf = (subscription: Stripe.Subscription): number =>
  itemOf(subscription).price.recurring?.interval_count ?? 1;

const amountOf = (subscription: Stripe.Subscription): number => itemOf(subscription).price.unit_amount ?? 0;

function setPeriod(subscription: Stripe.Subscription, start: number, end: number): void {
  Object.assign(itemOf(subscription), { current_period_start: start, current_period_end: end });
}

function priceOf(world: World, item: Params): Stripe.Price {
  const id = wordAt(item, 'price');
  const data = branchAt(item, 'price_data');
  if (id === undefined && data === undefined) throw absentParam('items[0][price]');
  return id === undefined ? addPrice(world, data ?? {}) : world.find('price', id, 'items[0][price]');
}

const nowOf = (world: World, clock: string | null): number =>
  clock === null ? world.now() : world.find('test_helpers.test_clock', clock).frozen_time;

function addItem(world: World, subscription: Stripe.Subscription, price: Stripe.Price): void {
  const item = world.add('subscription_item', 'si', { price, subscription: subscription.id, quantity: 1 });
  subscription.items = { ...subscription.items, data: [item] };
}

function makeSubscription({ world, params }: Asked): Stripe.Subscription {
  const customer = world.find('customer', needWord(params, 'customer'), 'customer');
  const clock = customer.test_clock === null || customer.test_clock === undefined ? null : String(customer.test_clock);
  const [first] = listAt(params, 'items');
  if (typeof first !== 'object') throw absentParam('items');
  const price = priceOf(world, first);
  const { destination } = readSplit(world, params, price.unit_amount ?? 0);
  const [at, trialDays] = [nowOf(world, clock), numberAt(params, 'trial_period_days')];
  const trialEnd = trialDays === undefined ? null : at + trialDays * day;
  const missing = wordAt(params, 'trial_settings.end_behavior.missing_payment_method');
  const subscription = world.add('subscription', 'sub', {
    customer: customer.id,
    currency: 'usd',
    created: at,
    start_date: at,
    test_clock: clock,
    metadata: wordsAt(params, 'metadata'),
    trial_end: trialEnd,
    trial_start: trialEnd === null ? null : at,
    billing_cycle_anchor: trialEnd ?? at,
    status: trialEnd === null ? 'active' : 'trialing',
    application_fee_percent: numberAt(params, 'application_fee_percent') ?? null,
    default_payment_method: wordAt(params, 'default_payment_method') ?? null,
    transfer_data: destination === undefined ? null : { amount_percent: null, destination },
    trial_settings:
      missing === undefined
        ? null
        : ({ end_behavior: { billing_cycle_anchor: null, missing_payment_method: missing } } as never),
  });
  addItem(world, subscription, price);
  setPeriod(subscription, at, trialEnd ?? nextEnd(at, at, monthsOf(subscription)));
  bill(world, subscription, { at, reason: 'subscription_create', isAtOnce: true, isFree: trialEnd !== null });
  return subscription;
}

/** Writes the bill of the period that has just begun. */
function bill(
  world: World,
  subscription: Stripe.Subscription,
  more: { at: number; reason: Stripe.Invoice.BillingReason; isAtOnce: boolean; isFree?: boolean },
): void {
  const { at, reason, isAtOnce, isFree = false } = more;
  const { current_period_start: start, current_period_end: end } = itemOf(subscription);
  const amount = isFree ? 0 : amountOf(subscription);
  const invoice = addInvoice(world, { subscription, amount, reason, at, period: { start, end } });
  subscription.latest_invoice = invoice.id;
  if (subscription.pause_collection?.behavior === 'void') voidInvoice(invoice, at);
  if (invoice.status === 'draft' && isAtOnce) finalize(world, invoice, at);
}

const over = (subscription: Stripe.Subscription, at: number) =>
  Object.assign(subscription, { status: 'canceled', ended_at: at, canceled_at: subscription.canceled_at ?? at });

/** Goes from one period to the next. */
export function rollOver(world: World, subscription: Stripe.Subscription, at: number): void {
  const customer = world.find('customer', String(subscription.customer));
  const hasCard = (subscription.default_payment_method ?? customer.invoice_settings.default_payment_method) !== null;
  const isDropped =
    subscription.status === 'trialing' &&
    !hasCard &&
    subscription.trial_settings?.end_behavior.missing_payment_method === 'cancel';
  if (subscription.cancel_at_period_end || isDropped) {
    over(subscription, at);
    return;
  }
  if (subscription.status === 'trialing') subscription.status = 'active';
  setPeriod(subscription, at, nextEnd(subscription.billing_cycle_anchor, at, monthsOf(subscription)));
  bill(world, subscription, { at, reason: 'subscription_cycle', isAtOnce: false });
}

/** Returns when the next period begins; undefined for a plan that is over. */
export const nextPeriodOf = (subscription: Stripe.Subscription): number | undefined =>
  ['trialing', 'active', 'past_due'].includes(subscription.status)
    ? itemOf(subscription).current_period_end
    : undefined;

function updateSubscription({ world, params, id }: Asked): Stripe.Subscription {
  const subscription = world.find('subscription', id);
  if (subscription.status === 'canceled') throw refused('A canceled subscription can only update its metadata.');
  const at = nowOf(world, subscription.test_clock === null ? null : String(subscription.test_clock));
  const words = branchAt(params, 'metadata') ?? {};
  for (const [name, word] of Object.entries(words)) setWord(subscription.metadata, name, String(word));
  setPause(subscription, params);
  const ending = wordAt(params, 'cancel_at_period_end');
  if (ending !== undefined) subscription.cancel_at_period_end = ending === 'true';
  const method = wordAt(params, 'default_payment_method');
  if (method !== undefined) subscription.default_payment_method = method === '' ? null : method;
  const [item] = listAt(params, 'items');
  if (typeof item === 'object') itemOf(subscription).price = priceOf(world, item);
  const anchor = wordAt(params, 'billing_cycle_anchor') ?? wordAt(params, 'billing_cycle_anchor.type');
  if (anchor !== 'now') return subscription;
  subscription.billing_cycle_anchor = at;
  setPeriod(subscription, at, nextEnd(at, at, monthsOf(subscription)));
  bill(world, subscription, { at, reason: 'subscription_update', isAtOnce: true });
  return subscription;
}

function setWord(metadata: Stripe.Metadata, name: string, word: string): void {
  if (word === '') delete metadata[name];
  if (word !== '') metadata[name] = word;
}

function setPause(subscription: Stripe.Subscription, params: Params): void {
  const behavior = wordAt(params, 'pause_collection.behavior');
  if (wordAt(params, 'pause_collection') === '') subscription.pause_collection = null;
  if (behavior === undefined) return;
  const resumes_at = numberAt(params, 'pause_collection.resumes_at') ?? null;
  subscription.pause_collection = { behavior: behavior as 'void', resumes_at };
}

function cancel({ world, id }: Asked): Stripe.Subscription {
  const subscription = world.find('subscription', id);
  if (subscription.status === 'canceled') throw refused(`No such subscription: '${id}'`, 'resource_missing');
  const at = nowOf(world, subscription.test_clock === null ? null : String(subscription.test_clock));
  for (const invoice of world.all('invoice'))
    if (isOf(invoice, id) && invoice.status === 'draft') invoice.auto_advance = false;
  return over(subscription, at);
}

function list({ world, params }: Asked) {
  const customer = wordAt(params, 'customer');
  // What is over is left out unless somebody asks for it.
  const all = world
    .all('subscription')
    .filter((one) => (customer === undefined || one.customer === customer) && one.status !== 'canceled');
  const [limit, after] = [numberAt(params, 'limit'), wordAt(params, 'starting_after')];
  return pageOf(all, { limit, after, url: '/v1/subscriptions' });
}

export const subscriptionRoutes = [
  route('POST /v1/subscriptions', makeSubscription),
  route('GET /v1/subscriptions', list),
  route('GET /v1/subscriptions/:id', ({ world, id }) => world.find('subscription', id)),
  route('POST /v1/subscriptions/:id', updateSubscription),
  route('DELETE /v1/subscriptions/:id', cancel),
];
