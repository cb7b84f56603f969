import type { Tried } from './made-before.ts';

/** What became of the money of one payment. */
export interface PaymentState {
  paymentId: string | undefined;
  chargeId: string | undefined;
  /** When the payer's money was taken, in whole seconds; undefined where it was not, or that is not told. */
  chargedAt?: Date | undefined;
  refundedCents: number;
  /** Its money is with a bank that has not decided yet, or went back by one. */
  isDisputed: boolean;
  /** The dispute was lost: the money is gone. */
  isLost?: boolean | undefined;
}

/** The same of a bill. */
export interface BillPayment extends PaymentState {
  /** The provider's name for the card, the same wherever it is used; undefined where it was paid by none, or that is not told. */
  card: string | undefined;
}

/** A monthly plan to be taken on a page of ours, in a frame of the provider's. Amounts are integer minor units of the currency. */
export interface PlanOrder {
  orderId: string;
  /** What the payer reads in the provider's frame. */
  productName: string;
  /** A month. */
  amountCents: number;
  currency: string;
  /** Left out, the first month is paid at once. */
  trialDays: number | undefined;
  /** A card is asked for although nothing is due yet. */
  asksForCard: boolean;
  email: string;
  /** Who has paid before is known already. */
  customerId: string | undefined;
  returnUrl: string;
}

/** What the provider says of such a checkout now. */
export interface PlanCheckout {
  sessionId: string;
  orderId: string | undefined;
  state: 'open' | 'complete' | 'expired';
  /** Opens the frame in a browser; undefined when it is over. */
  clientSecret: string | undefined;
  subscriptionId: string | undefined;
}

/** A plan as it stands at the provider, or what a fan pays every month. */
export interface Subscription {
  subscriptionId: string;
  customerId: string;
  /** Of the order by which it was taken. */
  orderId: string | undefined;
  /** What it was taken for, as it was named then. */
  kind: string | undefined;
  /** Of each time, in minor units. */
  priceCents: number;
  /** What the platform keeps of what a fan pays; 0 where nobody else has a part in it. */
  feePercent: number;
  /** The provider's word; a newer provider may have words that nobody knows here. */
  status: string;
  /** Bills come, and nobody has to pay them. */
  isPaused: boolean;
  /** From when to when, where that was said here: the end of what was paid for, and the next bill to be paid. */
  pausedFrom: Date | undefined;
  pausedUntil: Date | undefined;
  trialEndsAt: Date | undefined;
  /** Whose day of the month is that of every bill, or the last day of a shorter month. */
  anchoredAt: Date;
  periodStartsAt: Date | undefined;
  periodEndsAt: Date | undefined;
  cancelsAtPeriodEnd: boolean;
  endedAt: Date | undefined;
  /** What the next invoice is taken from; what is no card has a kind and no number. */
  card: { brand: string; last4: string } | undefined;
  createdAt: Date;
}

/** One bill of a plan. */
export interface Invoice {
  invoiceId: string;
  /** Of the checkout itself; all others come by themselves. */
  isFirst: boolean;
  /** Of a period of its subscription: what somebody wrote by hand is none. */
  isOfPeriod: boolean;
  number: string | undefined;
  /** The provider's word: a renewal is a `draft` for about an hour, up to three days, before it is charged. */
  status: string;
  /** Why a draft could not be made final, by the provider's code: nothing is charged until that is mended. */
  finalizationError: string | undefined;
  amountCents: number;
  paidCents: number;
  currency: string;
  createdAt: Date;
  paidAt: Date | undefined;
  /** When a payment that failed is tried again; undefined for what was not tried yet. */
  nextAttemptAt: Date | undefined;
  /** The provider's own page of it. */
  pageUrl: string | undefined;
}

/** Takes the creators' own plan. Everything here may throw `PaymentsAway` or `PaymentRefused`. */
export interface PlanPayments {
  /** Returns what a browser needs to show the provider's frame. */
  browser(): Promise<{
    publishableKey: string;
    /** The provider's script; undefined where the frame is a page of ours. */
    scriptUrl: string | undefined;
  }>;
  /** Opens a checkout; asking again for the same order answers with the same one. */
  openPlanCheckout(order: PlanOrder): Promise<PlanCheckout>;
  findPlanCheckout(sessionId: string): Promise<PlanCheckout>;
  findSubscription(subscriptionId: string): Promise<Subscription>;
  /** Tries again to make a draft final, which charges it; one that is final already is left alone. @throws PaymentRefused */
  finalizeInvoice(invoiceId: string): Promise<void>;
  /** Newest first. */
  listInvoices(subscriptionId: string): Promise<Invoice[]>;
  /** Returns which plan an invoice, payment, charge or refund belongs to; undefined for none. */
  findSubscriptionOf(objectId: string): Promise<string | undefined>;
  /** Which bill a payment, charge or refund paid for; undefined for none. */
  findInvoiceOf(objectId: string): Promise<string | undefined>;
  /** What became of the money that a bill was paid with. */
  findInvoicePayment(invoiceId: string): Promise<BillPayment>;
  /** What is paid from the next time on, for as many months as before. */
  setPrice(subscriptionId: string, price: { amountCents: number; currency: string; months: number }): Promise<void>;
  /** Lets a plan run out at the end of what is paid for, or go on after all. */
  setPlanEnding(subscriptionId: string, isEnding: boolean): Promise<void>;
  /** Nothing is charged between two bills, the end of what is paid for and the one that is paid again. */
  pausePlan(subscriptionId: string, pause: { from: Date; until: Date }): Promise<void>;
  /**
   * Goes on before its time.
   * @param charge left out, it goes on as if nothing had been; given, a month is paid for that begins now, once for each key
   */
  resumePlan(subscriptionId: string, charge?: Tried & { key: string }): Promise<void>;
  /** Ends a plan now. One that is over already is left alone. */
  endPlan(subscriptionId: string): Promise<void>;
  /** Gives all of an invoice back, once, however often it is asked for. @param refund.key of our own request for it */
  refundInvoice(
    invoiceId: string,
    refund: Tried & { key: string; reason?: 'fraudulent' | 'requested_by_customer' | undefined },
  ): Promise<void>;
  /** Returns where another card is given. */
  cardUrl(customerId: string, returnUrl: string): Promise<string>;
}
