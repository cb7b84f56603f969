import type { Tried } from './made-before.ts';

/** Money that is to leave a creator's account for their bank. */
export interface PayoutParams extends Tried {
  /** Made once, however often it is asked for: the key is our own row's. */
  payoutId: string;
  accountId: string;
  amountCents: number;
  currency: string;
}

/** What the provider says of a payout now. */
export interface Payout {
  /** The provider's name of it. */
  id: string;
  state: 'in_transit' | 'paid' | 'failed' | 'canceled';
  arrivesAt: Date;
  /** Why their bank did not take it, in the provider's words. */
  failure: string | undefined;
}

/** Pays creators out. Everything here may throw `PaymentsAway` or `PaymentRefused`. */
export interface PayoutPayments {
  /** From then on nothing leaves an account by a schedule of the provider's, only by `payOut`. */
  stopOwnSchedule(accountId: string): Promise<void>;
  /** Returns how the platform's own money leaves for its bank: `manual`, or by which schedule. */
  findOwnSchedule(): Promise<string>;
  payOut(params: PayoutParams): Promise<Payout>;
  findPayout(accountId: string, id: string): Promise<Payout>;
  /**
   * What became of one that was asked for, whether its answer was heard or not; undefined when it was never made.
   * @param request.since when it was first asked for
   */
  findMadePayout(params: { payoutId: string; accountId: string; since: Date }): Promise<Payout | undefined>;
}
