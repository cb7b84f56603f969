import type Stripe from 'stripe';
import { missing, Refusal, refused } from './errors.ts';
import { pageOf } from './expanding.ts';
import { payIntent } from './intents.ts';
import { numberAt, wordAt } from './params.ts';
import { type Asked, route } from './route.ts';
import type { World } from './world.ts';

const [hour, day] = [3600, 86_400];
/** When a payment that failed is tried again, in days after the one before; after the last the plan is over. */
const retryDays: readonly number[] = [3, 5, 7];

interface Bill {
  subscription: Stripe.Subscription;
  amount: number;
  reason: Stripe.Invoice.BillingReason;
  at: number;
  period: { start: number; end: number };
}

/** Writes the bill of a period. It stays a draft for an hour, but for the first one of a plan. */
export function addInvoice(world: World, { subscription, amount, reason, at, period }: Bill): Stripe.Invoice {
  const { id, metadata, customer, test_clock } = subscription;
  return world.add('invoice', 'in', {
    amount_due: amount,
    amount_remaining: amount,
    subtotal: amount,
    total: amount,
    amount_paid: 0,
    subtotal_excluding_tax: amount,
    total_excluding_tax: amount,
    billing_reason: reason,
    created: at,
    currency: 'usd',
    customer,
    test_clock,
    period_start: period.start,
    period_end: period.end,
    automatically_finalizes_at: at + hour,
    parent: {
      quote_details: null,
      type: 'subscription_details' as const,
      subscription_details: { metadata, subscription: id },
    },
    status: 'draft',
  });
}

const subscriptionOf = (world: World, { parent }: Stripe.Invoice): Stripe.Subscription =>
  world.find('subscription', String(parent?.subscription_details?.subscription));

export const isOf = ({ parent }: Stripe.Invoice, subscription: string): boolean =>
  parent?.subscription_details?.subscription === subscription;

/** Ends the draft, and asks for its money at once. */
export function finalize(world: World, invoice: Stripe.Invoice, at: number): void {
  invoice.status = 'open';
  invoice.number = invoice.id.replace('in_', 'NUM-');
  invoice.automatically_finalizes_at = null;
  invoice.status_transitions.finalized_at = at;
  invoice.effective_at = at;
  invoice.hosted_invoice_url = `https://invoice.stripe.com/i/${invoice.id}`;
  collect(world, invoice, at);
}

/** Asks the card for what a bill comes to: the plan's own card before that of its customer. */
export function collect(world: World, invoice: Stripe.Invoice, at: number, named?: string): void {
  const subscription = subscriptionOf(world, invoice);
  if (invoice.amount_due === 0) {
    settle(invoice, at);
    return;
  }
  const customer = world.find('customer', String(subscription.customer));
  const methodId = named ?? subscription.default_payment_method ?? customer.invoice_settings.default_payment_method;
  invoice.attempted = true;
  invoice.attempt_count += 1;
  if (methodId !== null && pay(world, invoice, subscription, String(methodId), at)) {
    if (['past_due', 'incomplete'].includes(subscription.status)) subscription.status = 'active';
    return;
  }
  failOnce(invoice, subscription, at);
}

function settle(invoice: Stripe.Invoice, at: number): void {
  Object.assign(invoice, { status: 'paid', amount_paid: invoice.amount_due, amount_remaining: 0 });
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = at;
}

function pay(
  world: World,
  invoice: Stripe.Invoice,
  subscription: Stripe.Subscription,
  methodId: string,
  at: number,
): boolean {
  const amount = invoice.amount_due;
  const percent = subscription.application_fee_percent;
  const destination = subscription.transfer_data?.destination;
  const addPayment = (payment_intent: string, status: 'paid' | 'open') =>
    world.add('invoice_payment', 'inpay', {
      invoice: invoice.id,
      amount_requested: amount,
      amount_paid: status === 'paid' ? amount : null,
      currency: 'usd',
      created: at,
      is_default: true,
      payment: { type: 'payment_intent', payment_intent },
      status,
      status_transitions: { canceled_at: null, paid_at: status === 'paid' ? at : null },
    });
  try {
    const intent = payIntent(world, {
      amount,
      methodId,
      customer: String(subscription.customer),
      metadata: {},
      group: undefined,
      destination: destination === undefined ? undefined : String(destination),
      applicationFee: percent === null ? undefined : Math.round((amount * percent) / 100),
    });
    addPayment(intent.id, 'paid');
    settle(invoice, at);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const intent = error.body.error.payment_intent as { id: string } | undefined;
    if (intent !== undefined) addPayment(intent.id, 'open');
    return false;
  }
}

function failOnce(invoice: Stripe.Invoice, subscription: Stripe.Subscription, at: number): void {
  const days = retryDays[invoice.attempt_count - 1];
  if (invoice.billing_reason === 'subscription_create') {
    subscription.status = 'incomplete';
    return;
  }
  subscription.status = 'past_due';
  invoice.next_payment_attempt = days === undefined ? null : at + days * day;
  if (days !== undefined) return;
  Object.assign(subscription, { status: 'canceled', ended_at: at, canceled_at: at });
}

export function voidInvoice(invoice: Stripe.Invoice, at: number): void {
  invoice.status = 'void';
  invoice.automatically_finalizes_at = null;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.voided_at = at;
}

function payNow({ world, params, id }: Asked): Stripe.Invoice {
  const invoice = world.find('invoice', id);
  if (invoice.status === 'paid') throw refused('Invoice is already paid');
  if (invoice.status !== 'open') throw refused('You can only pay an open invoice.');
  const { created } = invoice;
  collect(world, invoice, Math.max(created, clockOf(world, invoice)), wordAt(params, 'payment_method'));
  if (String(invoice.status) !== 'paid')
    throw new Refusal(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' });
  return invoice;
}

function finalizeNow({ world, id }: Asked): Stripe.Invoice {
  const invoice = world.find('invoice', id);
  if (invoice.status !== 'draft')
    throw refused("This invoice is already finalized, you can't re-finalize a non-draft invoice.");
  finalize(world, invoice, clockOf(world, invoice));
  return invoice;
}

const clockOf = (world: World, { test_clock }: Stripe.Invoice): number =>
  test_clock === null ? world.now() : world.find('test_helpers.test_clock', String(test_clock)).frozen_time;

function list({ world, params }: Asked) {
  const [subscription, status] = [wordAt(params, 'subscription'), wordAt(params, 'status')];
  const all = world
    .all('invoice')
    .filter((one) => subscription === undefined || isOf(one, subscription))
    .filter((one) => status === undefined || one.status === status);
  const [limit, after] = [numberAt(params, 'limit'), wordAt(params, 'starting_after')];
  return pageOf(all, { limit, after, url: '/v1/invoices' });
}

function listPayments({ world, params }: Asked) {
  const [invoice, intent] = [wordAt(params, 'invoice'), wordAt(params, 'payment.payment_intent')];
  if (intent !== undefined && world.findAny(intent) === undefined) throw missing('payment_intent', intent);
  const all = world
    .all('invoice_payment')
    .filter((one) => invoice === undefined || one.invoice === invoice)
    .filter((one) => intent === undefined || one.payment.payment_intent === intent);
  const [limit, after] = [numberAt(params, 'limit'), wordAt(params, 'starting_after')];
  return pageOf(all, { limit, after, url: '/v1/invoice_payments' });
}

export const invoiceRoutes = [
  route('GET /v1/invoices', list),
  route('GET /v1/invoices/:id', ({ world, id }) => world.find('invoice', id)),
  route('POST /v1/invoices/:id/finalize', finalizeNow),
  route('POST /v1/invoices/:id/pay', payNow),
  route('GET /v1/invoice_payments', listPayments),
];
