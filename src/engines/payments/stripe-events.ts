import type Stripe from 'stripe';
import type { HookName } from './payments.ts';

type V1Type = Stripe.Event['type'];
type V2Type = Stripe.V2.Core.EventNotification['type'];

const ofPlatform = [
  'checkout.session.completed',
  'checkout.session.expired',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'customer.updated',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.trial_will_end',
  'invoice.created',
  'invoice.finalized',
  'invoice.finalization_failed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.marked_uncollectible',
  'invoice.voided',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.succeeded',
  'charge.failed',
  'charge.pending',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'radar.early_fraud_warning.created',
  'radar.early_fraud_warning.updated',
] as const satisfies readonly V1Type[];

/** Their charges and refunds are those of the platform, seen from the other side, which tells of them itself. */
const ofAccounts = [
  'payout.created',
  'payout.updated',
  'payout.paid',
  'payout.failed',
  'payout.canceled',
] as const satisfies readonly V1Type[];

const thin = [
  'v2.core.account.created',
  'v2.core.account.updated',
  'v2.core.account.closed',
  'v2.core.account[configuration.recipient].updated',
  'v2.core.account[configuration.recipient].capability_status_updated',
  'v2.core.account[requirements].updated',
] as const satisfies readonly V2Type[];

/** Events that are acted upon, by the hook where they arrive: those that are chosen where it is registered. */
export const eventTypes: Readonly<Record<HookName, readonly string[]>> = {
  stripe: ofPlatform,
  'stripe-connect': ofAccounts,
  'stripe-v2': thin,
};

/** What an event says of itself; `before` are the fields that it has changed. */
interface Said {
  type: string;
  objectId: string;
  before?: Stripe.Event.Data.PreviousAttributes | undefined;
}

/** Of a customer only the card that is given for everything is of interest; the rest of them is nobody's here. */
function isOfCard({ before }: Said): boolean {
  const settings = (before as { invoice_settings?: object | null } | undefined)?.invoice_settings ?? {};
  return 'default_payment_method' in settings;
}

/** Returns whether something is asked for because of an event; any other is acknowledged and left at that. */
export const isActedUpon = (hook: HookName, said: Said): boolean =>
  said.objectId !== '' && eventTypes[hook].includes(said.type) && (said.type !== 'customer.updated' || isOfCard(said));
