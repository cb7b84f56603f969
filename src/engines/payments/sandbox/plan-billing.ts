import type Stripe from 'stripe';
import { monthsLaterOn } from '#kit/time.ts';
import { type Books, daySeconds } from './books.ts';
import { refusalOf } from './declining.ts';
import { disputeCharge, disputedCard } from './disputing.ts';
import { makePayment } from './objects.ts';
import { isReady, takePayment } from './paying.ts';
import { makeInvoice, makeInvoicePayment, type Period } from './plan-objects.ts';
import { findDueSubscription } from './store.ts';
import { reportLater } from './warning.ts';

/** A card that is taken the first time only. */
const declinedLater = '4000000000000341';

/** A payment that failed is tried again after so many days; after the last the plan ends. */
const retryDays = [3, 5, 5];

const idOf = (value: string | { id: string } | null): string | undefined =>
  typeof value === 'string' ? value : value?.id;

/** As the provider counts time. @param anchor whose day of the month is kept */
export function monthAfter(seconds: number, months = 1, anchor = seconds): number {
  const day = new Date(anchor * 1000).getUTCDate();
  return Math.floor(monthsLaterOn(day, new Date(seconds * 1000), months).getTime() / 1000);
}

/** What one payment of it is for. */
export const monthsOf = ({ recurring }: Stripe.Price): number => recurring?.interval_count ?? 1;

const isDeclined = (card: string, isFirst: boolean): boolean =>
  refusalOf(card) !== undefined || (card === declinedLater && !isFirst);

/** The card that a plan is paid by: its own, else the one of its customer. */
export async function cardOf(books: Books, { default_payment_method, customer }: Stripe.Subscription) {
  const owner = await books.find<Stripe.Customer>(idOf(customer) ?? '', 'customer');
  return idOf(default_payment_method) ?? idOf(owner.invoice_settings.default_payment_method);
}

interface Bill {
  subscription: Stripe.Subscription;
  period: Period;
  /** Nothing during a trial. */
  amount: number;
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  /** Nobody has to pay it. */
  isVoid?: boolean;
}

/** Writes a bill; nobody has paid it yet, unless there is nothing to pay. */
export async function writeInvoice(
  books: Books,
  { subscription, period, amount, reason, isVoid = false }: Bill,
): Promise<Stripe.Invoice> {
  const { keep, now } = books;
  const isFree = amount === 0 && !isVoid;
  const details = { metadata: subscription.metadata, subscription: subscription.id };
  const customer = idOf(subscription.customer) ?? '';
  const { email } = await books.find<Stripe.Customer>(customer, 'customer');
  const serial = await books.hiddenOf(customer);
  const count = Number(serial.invoices ?? 0) + 1;
  const invoice = makeInvoice({
    ...{ customer, customer_email: email, created: now, currency: subscription.currency, total: amount },
    ...{ period_start: period.start, period_end: period.end, billing_reason: reason, attempted: isFree },
    number: `${customer.slice(-8).toUpperCase()}-${String(count).padStart(4, '0')}`,
    parent: { quote_details: null, subscription_details: details, type: 'subscription_details' },
    status: isVoid ? 'void' : isFree ? 'paid' : 'open',
    status_transitions: {
      ...{ finalized_at: now, marked_uncollectible_at: null, voided_at: isVoid ? now : null },
      paid_at: isFree ? now : null,
    },
  });
  await keep(await books.find<Stripe.Customer>(customer, 'customer'), { hidden: { invoices: count } });
  // By its own field a list finds what belongs to a plan.
  await keep(invoice, { hidden: { subscription: subscription.id, ...shareOf(subscription, amount) } });
  await books.tell('invoice.created', invoice);
  if (isFree) await books.tell('invoice.paid', invoice);
  if (isVoid) await books.tell('invoice.voided', invoice);
  return invoice;
}

/** Whose money a bill is, where a creator has a part in it; half a cent is the platform's. */
function shareOf({ transfer_data, application_fee_percent }: Stripe.Subscription, amount: number) {
  if (transfer_data === null) return {};
  const destination = idOf(transfer_data.destination);
  return { destination, fee: Math.round((amount * (application_fee_percent ?? 0)) / 100) };
}

/** What is kept beside a bill. */
interface Kept {
  payment?: string;
  link?: string;
  destination?: string;
  fee?: number;
}

/** The payment of a bill and what binds both: made at the first try, and the same at every other. */
async function paymentOf(books: Books, invoice: Stripe.Invoice, method: string) {
  const { payment, link, destination, fee } = (await books.hiddenOf(invoice.id)) as Kept;
  if (payment !== undefined && link !== undefined)
    return {
      payment: { ...(await books.find<Stripe.PaymentIntent>(payment, 'payment_intent')), payment_method: method },
      link: await books.find<Stripe.InvoicePayment>(link, 'invoice_payment'),
    };
  const about = { currency: invoice.currency, created: books.now };
  const customer = idOf(invoice.customer) ?? null;
  const share = destination === undefined ? {} : { application_fee_amount: fee ?? 0, transfer_data: { destination } };
  const made = makePayment({ ...about, ...share, amount: invoice.amount_due, customer, payment_method: method });
  const bound = makeInvoicePayment({
    ...{ ...about, amount_requested: invoice.amount_due, status: 'open', invoice: invoice.id },
    payment: { payment_intent: made.id, type: 'payment_intent' },
  });
  await books.keep(invoice, { hidden: { payment: made.id, link: bound.id } });
  await books.keep(bound);
  return { payment: made, link: bound };
}

/** Whether what is paid can go where it has to: nothing is taken for an account that can't be paid. */
async function canReach(books: Books, { transfer_data }: Stripe.PaymentIntent): Promise<boolean> {
  const destination = idOf(transfer_data?.destination ?? null);
  return destination === undefined || isReady(await books.find<Stripe.V2.Core.Account>(destination, 'account'));
}

/** Takes a bill from a card. @returns whether it was paid */
export async function payInvoice(
  books: Books,
  invoice: Stripe.Invoice,
  method: string,
  isFirst: boolean,
): Promise<boolean> {
  const { keep, now } = books;
  const { card } = await books.hiddenOf(method);
  const { payment, link } = await paymentOf(books, invoice, method);
  const attempt = { attempted: true, attempt_count: invoice.attempt_count + 1 };
  if (isDeclined(String(card), isFirst) || (!isFirst && !(await canReach(books, payment)))) {
    await books.tell('payment_intent.payment_failed', await keep(payment));
    await books.tell('invoice.payment_failed', await keep({ ...invoice, ...attempt }));
    return false;
  }
  const charge = await takePayment(books, payment, invoice.customer_email, String(card));
  const amount = payment.amount;
  const paid_at = { ...link.status_transitions, paid_at: now };
  await keep({ ...link, amount_paid: amount, status: 'paid', status_transitions: paid_at });
  const settled = await keep({
    ...{ ...invoice, ...attempt, amount_paid: amount, amount_remaining: 0, status: 'paid' as const },
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, paid_at: now },
  });
  await books.tell('invoice.paid', settled);
  if (card === disputedCard) await disputeCharge(books, charge.id);
  await reportLater(books, charge.id, String(card));
  return true;
}

/** When something happens to a plan by itself; nothing when it is over. */
const due = (at: number | null) => ({ hidden: { due_at: at } });

export async function keepDue(books: Books, subscription: Stripe.Subscription, at: number | null) {
  return books.keep(subscription, due(at));
}

export async function endSubscription(books: Books, subscription: Stripe.Subscription): Promise<Stripe.Subscription> {
  const { now } = books;
  const over = { status: 'canceled' as const, ended_at: now, canceled_at: subscription.canceled_at ?? now };
  const ended = await keepDue(books, { ...subscription, ...over }, null);
  await books.tell('customer.subscription.deleted', ended);
  return ended;
}

/** What happens by itself when its time has come, as of that time. @returns whether there was anything */
export async function bringDueOne(books: Books, at: (now: number) => Books): Promise<boolean> {
  const found = await findDueSubscription(books.tx, books.now);
  if (found === undefined) return false;
  await bringDue(at(found.dueAt), found.body as Stripe.Subscription);
  return true;
}

async function bringDue(books: Books, subscription: Stripe.Subscription): Promise<void> {
  if (subscription.status === 'past_due') return retry(books, subscription);
  const resumesAt = subscription.pause_collection?.resumes_at ?? undefined;
  if (resumesAt !== undefined && resumesAt <= books.now) return resume(books, subscription);
  const method = await cardOf(books, subscription);
  if (subscription.cancel_at_period_end || method === undefined)
    return void (await endSubscription(books, subscription));
  await beginPeriod(books, subscription, method, 'subscription_cycle');
}

/** The next months of it begin, and are paid for unless it is paused. */
export async function beginPeriod(
  books: Books,
  subscription: Stripe.Subscription,
  method: string,
  reason: Bill['reason'],
): Promise<void> {
  const [item] = subscription.items.data;
  if (item === undefined) return;
  const anchor = subscription.billing_cycle_anchor;
  const period = { start: books.now, end: monthAfter(books.now, monthsOf(item.price), anchor) };
  const amount = item.price.unit_amount ?? 0;
  const isVoid = subscription.pause_collection !== null;
  const invoice = await writeInvoice(books, { subscription, period, amount, reason, isVoid });
  const moved = { ...item, current_period_start: period.start, current_period_end: period.end };
  const next = { ...subscription, items: { ...subscription.items, data: [moved] }, latest_invoice: invoice.id };
  if (isVoid || (await payInvoice(books, invoice, method, false))) return settle(books, next);
  await wait(books, next, invoice.id, 0);
}

/** When something happens next to a plan that is paid for: a pause ends, or the next months begin. */
export function nextDueOf({ pause_collection: pause, items }: Stripe.Subscription): number | null {
  const end = items.data[0]?.current_period_end ?? null;
  const resumesAt = pause?.resumes_at ?? null;
  return resumesAt !== null && (end === null || resumesAt <= end) ? resumesAt : end;
}

async function settle(books: Books, subscription: Stripe.Subscription): Promise<void> {
  const going = { ...subscription, status: 'active' as const };
  await books.tell('customer.subscription.updated', await keepDue(books, going, nextDueOf(going)));
}

/** Bills are paid again from now on. */
async function resume(books: Books, subscription: Stripe.Subscription): Promise<void> {
  const going = { ...subscription, pause_collection: null };
  await books.tell('customer.subscription.updated', await keepDue(books, going, nextDueOf(going)));
}

/** Waits for the next try. @param failed how many retries have failed */
async function wait(books: Books, subscription: Stripe.Subscription, invoiceId: string, failed: number): Promise<void> {
  const invoice = await books.find<Stripe.Invoice>(invoiceId, 'invoice');
  const days = retryDays[failed];
  if (days === undefined) {
    const given = { ...invoice.status_transitions, marked_uncollectible_at: books.now };
    await books.keep({
      ...invoice,
      status: 'uncollectible' as const,
      next_payment_attempt: null,
      status_transitions: given,
    });
    return void (await endSubscription(books, subscription));
  }
  const at = books.now + days * daySeconds;
  await books.keep({ ...invoice, next_payment_attempt: at }, { hidden: { failed } });
  await books.tell('customer.subscription.updated', await keepDue(books, { ...subscription, status: 'past_due' }, at));
}

async function retry(books: Books, subscription: Stripe.Subscription): Promise<void> {
  const invoiceId = idOf(subscription.latest_invoice) ?? '';
  const { failed } = await books.hiddenOf(invoiceId);
  const method = await cardOf(books, subscription);
  const invoice = await books.find<Stripe.Invoice>(invoiceId, 'invoice');
  if (method !== undefined && (await payInvoice(books, invoice, method, false))) return settle(books, subscription);
  await wait(books, subscription, invoiceId, Number(failed ?? 0) + 1);
}

/** Somebody asks for a bill to be taken from a card, besides the tries that come by themselves. @returns whether it was paid */
export async function payOpen(books: Books, invoice: Stripe.Invoice, method: string): Promise<boolean> {
  if (!(await payInvoice(books, invoice, method, false))) return false;
  const subscription = idOf(invoice.parent?.subscription_details?.subscription ?? null);
  const owing = await books.find<Stripe.Subscription>(subscription ?? '', 'subscription');
  if (owing.status === 'past_due' && idOf(owing.latest_invoice) === invoice.id) await settle(books, owing);
  return true;
}
