import type { Tried } from './made-before.ts';

/**
 * How a dispute stands: `warning`: the bank only asks, no money was taken; `open`: it was taken until the bank has decided;
 * `over`: it ended without one.
 */
export type DisputeOutcome = 'warning' | 'open' | 'won' | 'lost' | 'over';

/** A payment of which the card holder says to their bank that it was not right. Amounts are minor units of the currency. */
export interface Dispute {
  disputeId: string;
  chargeId: string;
  paymentId: string | undefined;
  /** The provider's own word. */
  status: string;
  standing: DisputeOutcome;
  /** A word that came with a newer provider. */
  isUnknown: boolean;
  amountCents: number;
  currency: string;
  /** Why, in the provider's word. */
  reason: string;
  /** Until when evidence is taken; undefined where none is. */
  dueBy: Date | undefined;
  /** What the bank has of us for it just now: nothing any more once it was won. */
  takenCents: number;
  /** What the dispute itself has cost. */
  feeCents: number;
  isSubmitted: boolean;
  createdAt: Date;
}

/** What speaks for a payment, in the provider's fields. All of it is text. */
export interface DisputeEvidence {
  product_description: string;
  customer_email_address?: string | undefined;
  customer_purchase_ip?: string | undefined;
  service_date: string;
  access_activity_log: string;
  refund_policy_disclosure?: string | undefined;
  cancellation_policy_disclosure?: string | undefined;
  uncategorized_text: string;
}

/** What a creator still has of a payment. */
export interface PassedOn {
  transferId: string;
  /** What was transferred and did not come back. */
  leftCents: number;
  /** What of it the platform has taken as its part. */
  feeLeftCents: number;
}

/** The fee of a dispute, where a creator bears it. */
export interface BorneFee {
  disputeId: string;
  /** The payment that was disputed. */
  chargeId: string;
  accountId: string;
  amountCents: number;
  currency: string;
}

/** Payments that are disputed. Everything here may throw `PaymentsAway` or `PaymentRefused`. */
export interface DisputePayments {
  findDispute(disputeId: string): Promise<Dispute>;
  /** Newest first, page by page. @param since oldest moment that is of interest */
  disputes(since: Date | undefined): AsyncIterable<readonly Dispute[]>;
  /** Submits evidence, once for each attempt: what was refused, or has become more than an inquiry, is answered by a new one. */
  submitEvidence(disputeId: string, evidence: DisputeEvidence, attempt: number): Promise<void>;
  /** @returns undefined when nothing of the payment was passed on to anybody */
  findPassedOn(chargeId: string): Promise<PassedOn | undefined>;
  /** Takes what a creator has of a disputed payment back, once, and the platform's part with it. @returns the provider's name of that */
  takeBack(
    disputed: Tried & {
      disputeId: string;
      transferId: string;
      amountCents: number;
      /** What of it goes back to them as the platform's part: nothing of what was held. */
      feeCents: number;
    },
  ): Promise<string>;
  /** Takes back what they were given again, or a part of it, with a refund: once. @returns the provider's name of that */
  takeGivenBack(refunded: Tried & { refundId: string; transferId: string; amountCents: number }): Promise<string>;
  /** Gives it to them again, once, after the dispute was won. @returns the provider's name of that */
  giveAgain(won: Tried & BorneFee): Promise<string>;
  /**
   * Takes the fee of a dispute from a creator's account, once for as often as it was refused before.
   * @returns the provider's name of that @throws PaymentRefused `insufficient` while there is too little in their account
   */
  takeFee(borne: BorneFee & Tried): Promise<string>;
  /** Gives them what the provider has returned of it, once. @returns the provider's name of that */
  giveFeeBack(borne: BorneFee & Tried): Promise<string>;
}
