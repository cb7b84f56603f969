import type { PayoutCountry } from '#kit/payout-countries.ts';
import type { CardPayments } from './card-payments.ts';
import type { DisputePayments } from './disputes.ts';
import type { WarningPayments } from './fraud-warnings.ts';
import type { MadeBefore, Tried } from './made-before.ts';
import type { PackPayments } from './pack-payments.ts';
import type { PayoutPayments } from './payouts.ts';
import type { PaymentState, PlanPayments } from './plan-payments.ts';

/** Of the provider's API, as its installed library speaks it: webhooks have to be registered with the same. */
export const apiVersion = '2026-10-28.endive';

/** Which money it is: rows of one realm never meet those of another. */
export interface Realm {
  provider: 'sandbox' | 'stripe';
  livemode: boolean;
}

/** A payment to be asked for. Amounts are integer minor units of the currency. */
export interface CheckoutOrder {
  orderId: string;
  kind: string;
  /** What the payer reads on the provider's page; neutral, never an album's title. */
  productName: string;
  amountCents: number;
  currency: string;
  /** The platform's part. */
  feeCents: number;
  /** Paid again and again until it is ended, each time for so many months and with this part for the platform; left out, it is paid once. */
  renews?: { months: number; feePercent: number } | undefined;
  /** The creator's account, which gets the rest. */
  accountId: string;
  /** Kept by the platform until it is released: the request that it is for. Left out, the creator gets their part at once. */
  heldFor?: string | undefined;
  successUrl: string;
  cancelUrl: string;
  expiresAt: Date;
}

/** What the provider says of a checkout now. */
export interface Checkout extends PaymentState {
  sessionId: string;
  orderId: string | undefined;
  /** What it was opened for, as it was named then. */
  kind: string | undefined;
  /** `failed`: its bank was asked, and said no after the payer had left. */
  state: 'open' | 'processing' | 'paid' | 'expired' | 'failed';
  /** Where the payer goes; undefined when it is over. */
  url: string | undefined;
  email: string | undefined;
  amountCents: number;
  currency: string;
  /** What came of it and is paid every month; undefined for what is paid once. */
  subscriptionId: string | undefined;
  /** A card was declined since it was opened; it may have been paid with another one. */
  hasFailed: boolean;
}

/** A card that was declined. */
export interface CardFailure {
  chargeId: string;
  /** The provider's hash of the card, the same for the same card; undefined for what is none. */
  card: string | undefined;
  at: Date;
}

export type RefundReason = 'duplicate' | 'fraudulent' | 'requested_by_customer';

export interface Refund extends Tried {
  /** Made once, however often it is asked for: the key is our own row's. */
  refundId: string;
  orderId: string;
  paymentId: string;
  amountCents: number;
  reason: RefundReason;
  /** Of what the platform itself sold: nobody else has a part in it to give back. */
  isOwnSale?: boolean;
  /** No part of it has gone to a creator, so nothing is taken back from one. */
  isHeld?: boolean | undefined;
  /** The platform has kept nothing of it: there is no fee to give back. */
  isFree?: boolean | undefined;
}

/** A creator's part of what was held. */
export interface Release extends Tried {
  /** Made once, however often it is asked for. */
  requestId: string;
  chargeId: string;
  accountId: string;
  amountCents: number;
  currency: string;
}

export interface PayoutAccount {
  accountId: string;
  /** It can be paid, and paid out: nothing that is overdue is missing. */
  isReady: boolean;
  isClosed: boolean;
  /** What the provider asks for by now, in words for its holder; of an account that is ready what it will need before long. */
  missing: readonly string[];
}

/** Whose account is to be made. */
export interface AccountOwner {
  userId: string;
  email: string;
  handle: string;
  /** Where its bank and its owner are: never changed once the account is made. */
  country: PayoutCountry;
}

/** One line of the provider's own books. Its id is posted once. */
export interface Movement {
  id: string;
  kind:
    | 'charge'
    | 'transfer'
    | 'application_fee'
    | 'refund'
    | 'transfer_refund'
    | 'application_fee_refund'
    | 'adjustment'
    /** The fee of a dispute that a creator bears, taken from their account; below zero where it is given back. */
    | 'dispute_fee'
    | 'payout'
    | 'stripe_fee'
    | 'other';
  amountCents: number;
  feeCents: number;
  netCents: number;
  currency: string;
  at: Date;
  availableAt: Date;
  /** The payment that it belongs to, when it belongs to one. */
  chargeId: string | undefined;
  /** The creator's account that it moves money of. */
  accountId: string | undefined;
  /** Of a charge: the platform's part. */
  feeShareCents: number;
  /** Of a charge, and of a refund of the platform's own: what was paid for, as the order was named when its checkout was opened. */
  sold?: string | undefined;
  /** Of a charge or a refund: what the platform itself sold, of which nothing goes to a creator. */
  isOwnSale: boolean;
  /** Of a charge that is held, and of what becomes of it: the request that it is for. */
  heldFor?: string | undefined;
  /** Of a transfer: what a creator is given again of a payment whose dispute was won. */
  isGivenAgain?: boolean | undefined;
}

/** Where events of the provider arrive: its own, those of connected accounts, and the thin ones of accounts. */
export const hookNames = ['stripe', 'stripe-connect', 'stripe-v2'] as const;
export type HookName = (typeof hookNames)[number];

/** What an event is believed about: what it was about, never what it says. */
export interface HookEvent {
  eventId: string;
  type: string;
  objectId: string;
  accountId: string | undefined;
  livemode: boolean;
  createdAt: Date;
  /** Something is asked for because of it; any other is acknowledged, and nothing more. */
  isActedUpon: boolean;
}

export interface Amounts {
  /** By currency, minor units. */
  available: ReadonlyMap<string, number>;
  pending: ReadonlyMap<string, number>;
}

/** Takes, divides and returns money. Everything here may throw `PaymentsAway` or `PaymentRefused`. */
export interface Payments
  extends PlanPayments,
    PackPayments,
    PayoutPayments,
    DisputePayments,
    WarningPayments,
    MadeBefore,
    CardPayments {
  realm: Realm;
  /** Which money it is, in words for the log. */
  place: string;
  /** Nothing can be sold here. */
  isOff: boolean;
  /** Hooks that can be verified; the others do not exist. */
  hooks: readonly HookName[];
  /** Opens a checkout; asking again for the same order answers with the same one. */
  openCheckout(order: CheckoutOrder): Promise<Checkout>;
  findCheckout(sessionId: string): Promise<Checkout>;
  /** Ends an open checkout. One that is over already is left alone. */
  expireCheckout(sessionId: string): Promise<void>;
  /** Returns which checkout a payment, charge, refund or subscription belongs to; undefined for none of ours. */
  findSessionOf(objectId: string): Promise<string | undefined>;
  /** Cards that were declined for a payment. */
  listFailures(paymentId: string): Promise<CardFailure[]>;
  refund(refund: Refund): Promise<void>;
  /** Sends a creator their part of what was held. @returns the provider's name of it */
  release(release: Release): Promise<{ transferId: string }>;
  /** Makes the account of a creator once in each country. @returns it, with the country that it is in */
  ensureAccount(owner: AccountOwner): Promise<PayoutAccount & { country: string }>;
  findAccount(accountId: string): Promise<PayoutAccount>;
  /** Returns where the creator answers what is missing. */
  onboardingUrl(accountId: string, back: { refreshUrl: string; returnUrl: string }): Promise<string>;
  /** Where a creator whose account is complete looks after it. */
  accountUrl(accountId: string): Promise<string>;
  balance(accountId?: string): Promise<Amounts>;
  /** The provider's books, newest first, page by page. @param since oldest moment that is of interest */
  movements(since: Date | undefined): AsyncIterable<readonly Movement[]>;
  /** What was paid out of a creator's account, and what came back: lists of their own, each newest first, page by page. */
  payouts(accountId: string): readonly AsyncIterable<readonly Movement[]>[];
  /** Events that no hook of ours has taken, of those that are acted upon. */
  undelivered(): AsyncIterable<HookEvent>;
  /** @returns undefined when the signature is not the provider's, or too old */
  verifyHook(hook: HookName, body: Buffer, signature: string): Promise<HookEvent | undefined>;
  close(): Promise<void>;
}

/** The provider said no. */
export class PaymentRefused extends Error {
  /** `closed`: of a call for one creator's account, which is closed or no longer connected. */
  readonly why: 'not_ready' | 'already_refunded' | 'disputed' | 'insufficient' | 'unknown' | 'closed' | 'other';
  /** @param words the provider's own, for the operator */
  constructor(why: PaymentRefused['why'], words: string, cause?: unknown) {
    super(words, { cause });
    this.name = 'PaymentRefused';
    this.why = why;
  }
}

/**
 * Why nobody knows what the provider would say: `silent`: it did not answer; `busy`: it wants to be asked again later; `key`: it
 * does not take our key, or the key lacks a permission; `mixed`: it was asked for something else under the same idempotency key.
 */
export type AwayWhy = 'silent' | 'busy' | 'key' | 'mixed';

const awayWords: Readonly<Record<AwayWhy, string>> = {
  silent: 'The payment provider did not answer.',
  busy: 'The payment provider is busy.',
  key: 'The payment provider does not take our key for this.',
  mixed: 'The payment provider was asked for something else by the same key.',
};

/** The provider did not answer, or cannot now: nothing is known of what it would say, and the same call may be made again later. */
export class PaymentsAway extends Error {
  readonly why: AwayWhy;
  constructor(cause: unknown, why: AwayWhy = 'silent') {
    super(awayWords[why], { cause });
    this.name = 'PaymentsAway';
    this.why = why;
  }
}
