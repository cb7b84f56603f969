import type { Receipt } from '../contract.ts';

/** What went back or is on its way, and why; undefined where nothing is. */
export function describeRefunded({
  amountCents,
  refundedCents,
  asking,
  why,
}: Pick<Receipt, 'amountCents' | 'refundedCents' | 'asking' | 'why'>): string | undefined {
  if (why === '') return undefined;
  if (refundedCents >= amountCents) return `This payment was refunded to the card. ${why}`;
  if (asking === 'returned') return `A refund is on its way to the card. ${why}`;
  return refundedCents > 0 ? `A part of this payment was refunded to the card. ${why}` : undefined;
}

/** What became of asking for the money. */
export const describeAsking: Readonly<Partial<Record<Receipt['asking'], string>>> = {
  asked: "You asked for a refund. We'll email you the answer.",
  declined: 'Your refund request was declined.',
  disputed: 'This payment is in dispute.',
  charged_back: 'Your bank has returned this payment.',
};
