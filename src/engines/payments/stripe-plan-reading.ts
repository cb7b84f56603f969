import type Stripe from 'stripe';
import type { Invoice, PlanCheckout, Subscription } from './plan-payments.ts';

const idOf = (value: string | { id: string } | null | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.id;

const momentOf = (seconds: number | null | undefined): Date | undefined =>
  seconds === null || seconds === undefined ? undefined : new Date(seconds * 1000);

/** A word that came with a newer provider ends nothing. */
function stateOf(status: Stripe.Checkout.Session['status']): PlanCheckout['state'] {
  if (status === 'complete') return 'complete';
  return status === 'expired' ? 'expired' : 'open';
}

export const readPlanCheckout = (session: Stripe.Checkout.Session): PlanCheckout => ({
  sessionId: session.id,
  orderId: session.client_reference_id ?? undefined,
  state: stateOf(session.status),
  clientSecret: session.client_secret ?? undefined,
  subscriptionId: idOf(session.subscription),
});

type Method = string | Stripe.PaymentMethod | null | undefined;

/** Returns what is paid with; what is no card is called by its kind, and has no number. */
const cardOf = (method: Method): Subscription['card'] => {
  if (method === null || method === undefined || typeof method === 'string') return undefined;
  const { card, type } = method;
  return card ? { brand: card.brand, last4: card.last4 } : { brand: type, last4: '' };
};

/** A plan's own card comes before the one that its customer gave later for everything. */
function findCard({ default_payment_method, customer }: Stripe.Subscription): Subscription['card'] {
  const isWhole = typeof customer !== 'string' && customer.deleted !== true;
  return (
    cardOf(default_payment_method) ?? (isWhole ? cardOf(customer.invoice_settings.default_payment_method) : undefined)
  );
}

/**
 * So long before the next bill is due it is collected again: a bill that comes at the very moment at which a pause ends may be one
 * of the pause or one after it.
 */
export const resumeLeadSeconds = 3600;

const secondsIn = (word: string | undefined): number | undefined =>
  word !== undefined && /^\d{1,12}$/.test(word) ? Number(word) : undefined;

/** The provider knows when a pause ends and not when it begins: that stands beside it, and counts for this pause alone. */
function readPause({
  pause_collection: pause,
  metadata,
}: Stripe.Subscription): Pick<Subscription, 'isPaused' | 'pausedFrom' | 'pausedUntil'> {
  if (pause === null) return { isPaused: false, pausedFrom: undefined, pausedUntil: undefined };
  const until = secondsIn(metadata.paused_until);
  const isOurs = until !== undefined && pause.resumes_at === until - resumeLeadSeconds;
  return {
    isPaused: true,
    pausedFrom: isOurs ? momentOf(secondsIn(metadata.paused_from)) : undefined,
    pausedUntil: momentOf(isOurs ? until : pause.resumes_at),
  };
}

/** A plan as it stands; its card has to be expanded. The dates of its period stand on its one item. */
export function readSubscription(subscription: Stripe.Subscription): Subscription {
  const [item] = subscription.items.data;
  return {
    subscriptionId: subscription.id,
    customerId: idOf(subscription.customer) ?? '',
    orderId: subscription.metadata.order_id,
    kind: subscription.metadata.kind,
    priceCents: item?.price.unit_amount ?? 0,
    feePercent: subscription.application_fee_percent ?? 0,
    status: subscription.status,
    ...readPause(subscription),
    trialEndsAt: momentOf(subscription.trial_end),
    anchoredAt: new Date(subscription.billing_cycle_anchor * 1000),
    periodStartsAt: momentOf(item?.current_period_start),
    periodEndsAt: momentOf(item?.current_period_end),
    cancelsAtPeriodEnd: subscription.cancel_at_period_end,
    endedAt: momentOf(subscription.ended_at),
    card: findCard(subscription),
    createdAt: new Date(subscription.created * 1000),
  };
}

export const subscriptionOf = ({ parent }: Stripe.Invoice): string | undefined =>
  idOf(parent?.subscription_details?.subscription);

const codeOf = (error: Stripe.Invoice['last_finalization_error']): string | undefined =>
  error === null ? undefined : (error.code ?? error.type);

export const readInvoice = (invoice: Stripe.Invoice): Invoice => ({
  invoiceId: invoice.id,
  isFirst: invoice.billing_reason === 'subscription_create',
  isOfPeriod: invoice.billing_reason?.startsWith('subscription') === true,
  number: invoice.number ?? undefined,
  status: invoice.status ?? 'draft',
  finalizationError: invoice.status === 'draft' ? codeOf(invoice.last_finalization_error) : undefined,
  amountCents: invoice.total,
  paidCents: invoice.amount_paid,
  currency: invoice.currency,
  createdAt: new Date(invoice.created * 1000),
  paidAt: momentOf(invoice.status_transitions.paid_at),
  nextAttemptAt: invoice.status === 'open' ? momentOf(invoice.next_payment_attempt) : undefined,
  pageUrl: invoice.hosted_invoice_url ?? undefined,
});
