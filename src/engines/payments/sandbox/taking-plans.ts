import type Stripe from 'stripe';
import type { TakenCard } from '../sandbox-parts.ts';
import { type Asked, asksBank, awaitBank } from './asking-bank.ts';
import { type Books, daySeconds } from './books.ts';
import { chargeRefusalOf, refusalOf } from './declining.ts';
import { link, makeLink } from './methods.ts';
import { detailsOf } from './paying.ts';
import { keepDue, monthAfter, monthsOf, payInvoice } from './plan-billing.ts';
import type { PlanTerms } from './plan-endpoints.ts';
import { makeCard, makeCustomer, makeItem, makeSubscription } from './plan-objects.ts';
import { writeInvoice } from './writing-invoices.ts';

/** A card of a customer; its number is kept beside it, to know how it behaves. */
async function keepCard(books: Books, customer: string, card: string): Promise<string> {
  const about = { created: books.now, customer };
  const kept = card === link ? makeLink(about) : makeCard({ ...about, number: card });
  await books.keep(kept, { hidden: { card } });
  return kept.id;
}

async function customerOf(
  books: Books,
  { customer, customer_email: email }: Pick<Stripe.Checkout.Session, 'customer' | 'customer_email'>,
): Promise<Stripe.Customer> {
  if (typeof customer === 'string') return books.find<Stripe.Customer>(customer, 'customer');
  const made = await books.keep(makeCustomer({ created: books.now, email }));
  await books.publish('customer.created', made);
  return made;
}

/** Somebody pays every month from now on, on the sandbox's page. */
export const subscribe = (books: Books, session: Stripe.Checkout.Session, payer: Asked, isConfirmed: boolean) =>
  takePlan(books, { ...session, customer_email: payer.email }, payer, isConfirmed);

/** Somebody takes a plan in the sandbox's frame. @param payer left out where no card is asked for */
export async function takePlan(
  books: Books,
  session: Stripe.Checkout.Session,
  payer: Asked | undefined,
  isConfirmed = false,
): Promise<{ declined: string } | { asksBank: true } | { session: Stripe.Checkout.Session }> {
  if (session.status !== 'open') return { session };
  const terms = (await books.hiddenOf(session.id)) as unknown as PlanTerms;
  // A trial keeps the card; what is paid at once is taken from it.
  const refusal = payer && (terms.trialDays === null ? chargeRefusalOf : refusalOf)(payer.card);
  if (refusal !== undefined) return { declined: refusal.message };
  if (payer !== undefined && asksBank(payer.card) && !isConfirmed) return awaitBank(books, session.id, payer);
  const customer = await customerOf(books, session);
  const method = payer === undefined ? null : await keepCard(books, customer.id, payer.card);
  const subscription = await openSubscription(books, { customer: customer.id, method, terms });
  const complete = await books.keep({
    ...session,
    customer: customer.id,
    subscription: subscription.id,
    status: 'complete' as const,
    client_secret: null,
    url: null,
    invoice: subscription.latest_invoice,
    customer_details: detailsOf(customer.email),
    payment_status: terms.trialDays === null ? ('paid' as const) : ('no_payment_required' as const),
  });
  await books.publish('checkout.session.completed', complete);
  return { session: complete };
}

interface Opening {
  customer: string;
  method: string | null;
  terms: PlanTerms;
}

async function openSubscription(books: Books, { customer, method, terms }: Opening): Promise<Stripe.Subscription> {
  const { price, trialDays, metadata, share } = terms;
  const { now } = books;
  const trialEnd = trialDays === null ? null : now + trialDays * daySeconds;
  const period = { start: now, end: trialEnd ?? monthAfter(now, monthsOf(price)) };
  const bare = makeSubscription({
    customer,
    created: now,
    start_date: now,
    billing_cycle_anchor: trialEnd ?? now,
    metadata,
    currency: price.currency,
    default_payment_method: method,
    status: trialEnd === null ? 'active' : 'trialing',
    trial_start: trialEnd === null ? null : now,
    trial_end: trialEnd,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'cancel' } },
    ...share,
  });
  const items = { ...bare.items, data: [makeItem(bare.id, price, period)] };
  const amount = trialEnd === null ? (price.unit_amount ?? 0) : 0;
  const made = { ...bare, items };
  const invoice = await writeInvoice(books, { subscription: made, period, amount, reason: 'subscription_create' });
  if (amount > 0 && method !== null) await payInvoice(books, invoice, method, true);
  const kept = await keepDue(books, { ...made, latest_invoice: invoice.id }, period.end);
  await books.publish('customer.subscription.created', kept);
  return kept;
}

/** Another card for a customer. What they pay already goes on by its own card, until that is changed too. */
export async function changeCard(
  books: Books,
  portalId: string,
  card: string,
  isConfirmed = false,
): Promise<TakenCard> {
  const portal = await books.find<Stripe.BillingPortal.Session>(portalId, 'billing_portal.session');
  const refusal = refusalOf(card);
  if (refusal !== undefined) return { declined: refusal.message };
  if (asksBank(card) && !isConfirmed) return awaitBank(books, portalId, { email: '', card });
  const method = await keepCard(books, portal.customer, card);
  const owner = await books.find<Stripe.Customer>(portal.customer, 'customer');
  const invoice_settings = { ...owner.invoice_settings, default_payment_method: method };
  const { default_payment_method } = owner.invoice_settings;
  const changed = await books.keep({ ...owner, invoice_settings });
  await books.publish('customer.updated', changed, { invoice_settings: { default_payment_method } });
  return { url: portal.return_url ?? '/' };
}
