import { dayMs, hourMs, minuteMs } from '#kit/time.ts';

/** The money of this version. */
export const saleCurrency = 'usd';

/** Smallest payment: below it the platform's part does not pay for the card. */
export const leastCents = 500;

/** What an album or bundle usually costs, offered as buttons. */
export const pricePresetsCents = [1000, 1500, 2500, 5000] as const;

/** Largest tip of a buyer who is new. */
export const mostTipCents = 10_000;

/** The largest tip of a buyer whose first payment was so many days ago. */
export interface KnownBuyer {
  days: number;
  mostCents: number;
}

/** What a buyer may tip at most. @param firstPaidAt undefined for one who has paid nothing yet */
export const mostTipFor = (firstPaidAt: Date | undefined, now: Date, { days, mostCents }: KnownBuyer): number =>
  firstPaidAt !== undefined && now.getTime() - firstPaidAt.getTime() >= days * dayMs ? mostCents : mostTipCents;

/** What a tip is usually, offered as buttons. */
export const tipPresetsCents = [500, 1000, 2000, 5000] as const;

/** How long a checkout waits for its payer. The provider takes no less than half an hour. */
export const checkoutMs = hourMs;

/** The shortest that a checkout can be made: the provider's half hour, and a minute until it hears of it. */
export const leastCheckoutMs = 31 * minuteMs;

/** Within this time of paying, access that ends early is paid back, and always before it was opened. */
export const refundOnRevokeMs = 7 * dayMs;

/** What was sold within this time before its creator closes their account is paid back though it was opened: they take all of it away. */
export const refundOnLeavingMs = 30 * dayMs;

/** What was sold within this time before we take it down is paid back. */
export const refundOnTakedownMs = 90 * dayMs;
export const takenDownNote = 'What was paid for was taken down.';

/** How long after the day that was promised for custom work its money goes back by itself. */
export const lateRequestMs = 48 * hourMs;

export type OrderState =
  | 'pending'
  | 'paid'
  | 'partially_refunded'
  | 'refunded'
  | 'disputed'
  | 'charged_back'
  | 'expired'
  | 'failed'
  | 'canceled';

/** What the provider says of a payment, as far as an order depends on it. */
export interface PaymentFacts {
  state: 'open' | 'processing' | 'paid' | 'expired' | 'failed';
  amountCents: number;
  refundedCents: number;
  isDisputed: boolean;
  /** The dispute was lost. */
  isLost?: boolean | undefined;
}

// Drawn in docs/state-machines.md.
/** What an order is by what the provider says now; never by what it was, so no late or doubled word can turn it back. */
export function orderStateOf({ state, amountCents, refundedCents, isDisputed, isLost }: PaymentFacts): OrderState {
  if (state === 'expired' || state === 'failed') return state;
  if (state !== 'paid') return 'pending';
  if (isDisputed) return isLost ? 'charged_back' : 'disputed';
  if (refundedCents >= amountCents) return 'refunded';
  return refundedCents > 0 ? 'partially_refunded' : 'paid';
}

/** Returns whether what was bought is open. */
export const opens = (state: OrderState): boolean => state === 'paid' || state === 'partially_refunded';

/** Whether money was taken for it once. */
export const wasPaid = (state: OrderState): boolean =>
  opens(state) || state === 'refunded' || state === 'disputed' || state === 'charged_back';

/** How long it is kept which cards were declined: longer than anybody is kept from paying. */
export const failuresKeptMs = 180 * dayMs;

/** Returns whether it was ended by us, so that the provider has the last word about whether it was paid. */
export const isEndedHere = (state: OrderState): boolean => state === 'canceled' || state === 'failed';

/** Asks the provider for the refunds of one order, as soon as its transaction has committed. */
export const refundOrderQueue = 'money.refundOrder';

/** Why something is given back. */
export const refundWhys = [
  'duplicate',
  'fraudulent',
  'customer_request',
  'access_revoked',
  'not_delivered',
  'satisfaction',
  'dispute_prevention',
  'platform_decision',
] as const;
export type RefundWhy = (typeof refundWhys)[number];
/** What whoever asks for a refund reads when the provider does not make it. */
export const refundRefused = "The payment provider refused this refund. We've been told and will look into it.";
/** What exactly led to a refund that nobody asked for. */
export type RefundCause =
  | 'link_ended'
  | 'viewer_ended'
  | 'album_deleted'
  | 'creator_left'
  | 'suspended'
  | 'late_payment'
  | 'paid_after_end';
export const isRefundWhy = (text: string): text is RefundWhy => refundWhys.some((why) => why === text);
