import type Stripe from 'stripe';
import { monthsLaterOn } from '#kit/time.ts';
import { type Books, daySeconds } from './books.ts';
import { chargeRefusalOf } from './declining.ts';
import { disputeCharge, disputedCard } from './disputing.ts';
import {
  canReach,
  draftOf,
  failToFinalize,
  finalize,
  isUndelivered,
  leaveDraft,
  postponeDraft,
  whyNotFinal,
} from './finalizing.ts';
import { makePayment } from './objects.ts';
import { takePayment } from './paying.ts';
import { makeInvoicePayment } from './plan-objects.ts';
import { findDueSubscription } from './store.ts';
import { reportLater } from './warning.ts';
import { type Bill, writeInvoice } from './writing-invoices.ts';

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

/** The card that a plan is paid by: its own, else the one of its customer. */
export async function cardOf(books: Books, { default_payment_method, customer }: Stripe.Subscription) {
  const owner = await books.find<Stripe.Customer>(idOf(customer) ?? '', 'customer');
  return idOf(default_payment_method) ?? idOf(owner.invoice_settings.default_payment_method);
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
    ...about,
    amount_requested: invoice.amount_due,
    status: 'open',
    invoice: invoice.id,
    payment: { payment_intent: made.id, type: 'payment_intent' },
  });
  await books.keep(invoice, { hidden: { payment: made.id, link: bound.id } });
  await books.keep(bound);
  return { payment: made, link: bound };
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
  if (chargeRefusalOf(String(card)) !== undefined || (!isFirst && !(await canReach(books, payment)))) {
    await books.publish('payment_intent.payment_failed', await keep(payment));
    await books.publish('invoice.payment_failed', await keep({ ...invoice, ...attempt }));
    return false;
  }
  const charge = await takePayment(books, payment, invoice.customer_email, String(card));
  const amount = payment.amount;
  const paid_at = { ...link.status_transitions, paid_at: now };
  await keep({ ...link, amount_paid: amount, status: 'paid', status_transitions: paid_at });
  const settled = await keep({
    ...invoice,
    ...attempt,
    amount_paid: amount,
    amount_remaining: 0,
    status: 'paid' as const,
    next_payment_attempt: null,
    status_transitions: { ...invoice.status_transitions, paid_at: now },
  });
  await books.publish('invoice.paid', settled);
  if (card === disputedCard) await disputeCharge(books, charge.id);
  await reportLater(books, charge.id, String(card));
  return true;
}

/** Returns when something happens to a plan by itself; nothing when it is over. */
const due = (at: number | null) => ({ hidden: { due_at: at } });

export async function keepDue(books: Books, subscription: Stripe.Subscription, at: number | null) {
  return books.keep(subscription, due(at));
}

export async function endSubscription(books: Books, subscription: Stripe.Subscription): Promise<Stripe.Subscription> {
  const { now } = books;
  const over = { status: 'canceled' as const, ended_at: now, canceled_at: subscription.canceled_at ?? now };
  await leaveDraft(books, subscription);
  const ended = await keepDue(books, { ...subscription, ...over }, null);
  await books.publish('customer.subscription.deleted', ended);
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
  const draft = await draftOf(books, subscription);
  if (draft !== undefined && (draft.automatically_finalizes_at ?? 0) <= books.now)
    return endDraft(books, subscription, draft);
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
  const isDraft = reason === 'subscription_cycle' && !isVoid;
  const invoice = await writeInvoice(books, { subscription, period, amount, reason, isDraft, isVoid });
  const moved = { ...item, current_period_start: period.start, current_period_end: period.end };
  const next = { ...subscription, items: { ...subscription.items, data: [moved] }, latest_invoice: invoice.id };
  if (isVoid || isDraft) return settle(books, next);
  await collect(books, next, invoice, method);
}

/** Takes a bill from a card for the first time; one that was declined is tried again. */
async function collect(
  books: Books,
  subscription: Stripe.Subscription,
  invoice: Stripe.Invoice,
  method: string | undefined,
): Promise<void> {
  if (method !== undefined && (await payInvoice(books, invoice, method, false))) return settle(books, subscription);
  await wait(books, subscription, invoice.id, 0);
}

/** A draft becomes a bill, and is taken from the card. */
export async function collectFinal(books: Books, subscription: Stripe.Subscription, invoice: Stripe.Invoice) {
  await collect(books, subscription, await finalize(books, invoice), await cardOf(books, subscription));
}

/** The hour of a draft is over. */
async function endDraft(books: Books, subscription: Stripe.Subscription, draft: Stripe.Invoice): Promise<void> {
  if (await isUndelivered(books, draft)) {
    await postponeDraft(books, draft);
    return void (await keepDue(books, subscription, await nextDueOf(books, subscription)));
  }
  const why = await whyNotFinal(books, subscription);
  if (why === undefined) return collectFinal(books, subscription, draft);
  await failToFinalize(books, draft, why);
  await keepDue(books, subscription, await nextDueOf(books, subscription));
}

/** Returns when something happens next to a plan that is not late: a draft becomes a bill, a pause ends, or the next months begin. */
export async function nextDueOf(books: Books, subscription: Stripe.Subscription): Promise<number | null> {
  const { pause_collection: pause, items } = subscription;
  const draft = await draftOf(books, subscription);
  const moments = [draft?.automatically_finalizes_at, pause?.resumes_at, items.data[0]?.current_period_end];
  const known = moments.filter((moment): moment is number => typeof moment === 'number');
  return known.length === 0 ? null : Math.min(...known);
}

async function settle(books: Books, subscription: Stripe.Subscription): Promise<void> {
  const going = { ...subscription, status: 'active' as const };
  await books.publish('customer.subscription.updated', await keepDue(books, going, await nextDueOf(books, going)));
}

/** Bills are paid again from now on. */
async function resume(books: Books, subscription: Stripe.Subscription): Promise<void> {
  const going = { ...subscription, pause_collection: null };
  await books.publish('customer.subscription.updated', await keepDue(books, going, await nextDueOf(books, going)));
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
  await books.publish(
    'customer.subscription.updated',
    await keepDue(books, { ...subscription, status: 'past_due' }, at),
  );
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
