import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { makeInvoice, type Period } from './plan-objects.ts';

/** A renewal can still be changed for so long. */
const draftSeconds = 3600;

const idOf = (value: string | { id: string } | null): string | undefined =>
  typeof value === 'string' ? value : value?.id;

export interface Bill {
  subscription: Stripe.Subscription;
  period: Period;
  /** Nothing during a trial. */
  amount: number;
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  /** It is a draft for about an hour, as every renewal is. */
  isDraft?: boolean;
  /** Nobody has to pay it. */
  isVoid?: boolean;
}

/** Writes a bill; nobody has paid it yet, unless there is nothing to pay. */
export async function writeInvoice(
  books: Books,
  { subscription, period, amount, reason, isDraft = false, isVoid = false }: Bill,
): Promise<Stripe.Invoice> {
  const { keep, now } = books;
  const isFree = amount === 0 && !isVoid && !isDraft;
  const details = { metadata: subscription.metadata, subscription: subscription.id };
  const customer = idOf(subscription.customer) ?? '';
  const { email } = await books.find<Stripe.Customer>(customer, 'customer');
  const invoice = makeInvoice({
    customer,
    customer_email: email,
    created: now,
    currency: subscription.currency,
    total: amount,
    period_start: period.start,
    period_end: period.end,
    billing_reason: reason,
    attempted: isFree,
    automatically_finalizes_at: isDraft ? now + draftSeconds : null,
    number: isDraft ? null : await numberOf(books, customer),
    parent: { quote_details: null, subscription_details: details, type: 'subscription_details' },
    status: isDraft ? 'draft' : isVoid ? 'void' : isFree ? 'paid' : 'open',
    status_transitions: {
      finalized_at: isDraft ? null : now,
      marked_uncollectible_at: null,
      voided_at: isVoid ? now : null,
      paid_at: isFree ? now : null,
    },
  });
  const published = await books.publish('invoice.created', invoice);
  // By its own field a list finds what belongs to a plan.
  await keep(invoice, { hidden: { subscription: subscription.id, told: published, ...shareOf(subscription, amount) } });
  if (isFree) await books.publish('invoice.paid', invoice);
  if (isVoid) await books.publish('invoice.voided', invoice);
  return invoice;
}

/** The next number of a customer's bills. */
export async function numberOf(books: Books, customer: string): Promise<string> {
  const count = Number((await books.hiddenOf(customer)).invoices ?? 0) + 1;
  await books.keep(await books.find<Stripe.Customer>(customer, 'customer'), { hidden: { invoices: count } });
  return `${customer.slice(-8).toUpperCase()}-${String(count).padStart(4, '0')}`;
}

/** Whose money a bill is, where a creator has a part in it; half a cent is the platform's. */
function shareOf({ transfer_data, application_fee_percent }: Stripe.Subscription, amount: number) {
  if (transfer_data === null) return {};
  const destination = idOf(transfer_data.destination);
  return { destination, fee: Math.round((amount * (application_fee_percent ?? 0)) / 100) };
}
