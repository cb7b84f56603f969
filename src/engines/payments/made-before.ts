/**
 * What may have been made although its answer was lost: enough to find it among all that was made.
 * `since` is when it was first asked for.
 */
export type MadeParams =
  | { kind: 'refund'; refundId: string; paymentId: string }
  | { kind: 'release'; requestId: string }
  /** What was taken back of a transfer, for a dispute or with a refund. */
  | { kind: 'reversal'; transferId: string; of: { disputeId: string } | { refundId: string } }
  /** What a creator was given again after a dispute was won. */
  | { kind: 'given_again'; disputeId: string; accountId: string; since: Date }
  /** The fee of a dispute that was taken from a creator, or given back to them. */
  | { kind: 'fee'; disputeId: string; since: Date }
  | { kind: 'fee_back'; disputeId: string; accountId: string; since: Date };

/** How often the same was refused before: each refusal makes another idempotency key, and nothing else does. */
export interface Tried {
  refusals?: number | undefined;
}

/** Finds what was made before. */
export interface MadeBefore {
  /**
   * Reads the complete list of what was made.
   * @returns the provider's name of it; undefined when it was never made
   * @throws PaymentsAway, PaymentRefused when the list cannot be read
   */
  findMade(params: MadeParams): Promise<string | undefined>;
}
