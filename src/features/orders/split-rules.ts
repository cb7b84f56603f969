/** A payment in its two parts, which add up. */
interface Split {
  feeCents: number;
  shareCents: number;
}

function split(amountCents: number, feePercent: number, round: (cents: number) => number): Split {
  const feeCents = round((amountCents * feePercent) / 100);
  return { feeCents, shareCents: amountCents - feeCents };
}

/**
 * Divides a payment. The provider is told its fee in cents (`application_fee_amount`), so the rounding is ours: a part of a cent is
 * the creator's.
 * @param feePercent the platform's part, a whole number
 */
export const splitPayment = (amountCents: number, feePercent: number): Split =>
  split(amountCents, feePercent, Math.floor);

/**
 * Divides a bill of a subscription. The provider is told a percent (`application_fee_percent`), so the rounding is the provider's:
 * half a cent is the platform's. Of the same amount it leaves the creator at most a cent less than `splitPayment`.
 * @param feePercent the platform's part, a whole number
 */
export const splitMonth = (amountCents: number, feePercent: number): Split =>
  split(amountCents, feePercent, Math.round);

/** A payment as it was divided. */
interface Divided {
  amountCents: number;
  feeCents: number;
}

/** The percent by which an order was divided: its fee is at most a cent off, which is less than half a percent of the smallest payment. */
export const feePercentOf = ({ amountCents, feeCents }: Divided): number => Math.round((feeCents * 100) / amountCents);

/** The platform's fee of a part of a payment, in proportion and with half a cent rounded up, as the provider counts what goes back. */
export const feeOfPart = ({ amountCents, feeCents }: Divided, partCents: number): number =>
  Math.round((feeCents * partCents) / amountCents);

/**
 * The creator's part of what goes back of a payment. The fee follows all that went back so far, so that the cents of several parts add up.
 * @param before what had gone back of it
 * @param after what has gone back of it by now, all in all
 */
export const shareOfReturned = (divided: Divided, before: number, after: number): number =>
  after - before - (feeOfPart(divided, after) - feeOfPart(divided, before));
