import type { CreatorDispute } from '#features/returns/disputes-contract.ts';
import { formatCount, formatMoney, formatPrice } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';

/** How a dispute stands, in a word or two. */
export const stateNames: Readonly<Record<CreatorDispute['state'], string>> = {
  open: 'Disputed',
  answered: 'With the bank',
  won: 'Won',
  lost: 'Lost',
};

/** What happens next with a dispute, or how it ended. */
export function describeNext(
  { state, answer, dueBy, shareCents, isOwed, currency }: CreatorDispute,
  now: Date,
): string {
  const share = formatMoney(shareCents, currency.toUpperCase());
  const hasLeft = shareCents > 0;
  if (state === 'won' && isOwed)
    return `The bank decided for you. Your ${share} is sent to your balance again as soon as the platform's own covers it.`;
  if (state === 'won')
    return `The bank decided for you. ${hasLeft ? `Your ${share} is in your balance again.` : 'Nothing has left your balance.'}`;
  if (state === 'lost') {
    const owed = isOwed ? ` Your ${share} of it is taken from what you earn next.` : '';
    return `The bank decided for the buyer, and the money stays with them.${owed}`;
  }
  const owed = `Your ${share} of it is taken from what you earn next: there was too little in your balance. The bank decides`;
  const taken = isOwed
    ? owed
    : `${hasLeft ? `Your ${share} of it` : 'The payment'} is held back until the bank has decided`;
  if (state === 'answered') return `We've answered. ${taken}, usually within two months.`;
  if (answer === 'none' || dueBy === null) return `${taken}. We don't contest this one.`;
  const day = formatDate(dueBy, now);
  if (answer === 'undecided') return `We decide by ${day} whether to answer the bank. ${taken}.`;
  return `We answer the bank by ${day} with what we know of the order. ${taken}.`;
}

/** What is said of the fee of a dispute to a creator who bears it. */
export function describeFee({ cents, state }: NonNullable<CreatorDispute['fee']>, currency: string): string {
  const fee = `dispute fee of ${formatMoney(cents, currency.toUpperCase())}`;
  if (state === 'returned') return `The bank's ${fee} was returned, so you don't pay it.`;
  if (state === 'returning')
    return `The bank's ${fee} was taken from your balance, and is given back as soon as the platform's own covers it.`;
  const how =
    state === 'taken'
      ? 'It was taken from your balance.'
      : "It's taken from your balance as soon as there's enough in it.";
  return `You pay the bank's ${fee}, because at least 0.75% of your sales in the 90 days before were already disputed. ${how}`;
}

/** What is said to a creator of whose sales many are disputed. */
export function describeRate(
  rate: 'warned' | 'limited',
  { restDays, mostCents, isHeld }: { restDays: number; mostCents: number; isHeld: boolean },
): string {
  const days = formatCount(restDays, 'day');
  if (rate === 'warned')
    return `At least 0.75% of your sales in the last 90 days were disputed. While this is so, you pay the bank's fee for each new dispute, usually $15. From 1% on, your payouts are held and your sales rest for ${days}. Answer questions from buyers, and refund those who are unhappy before they turn to their bank.`;
  return `At least 1% of your sales in the last 90 days were disputed: ${isHeld ? 'your payouts are held, ' : ''}money from a sale is held for ${days}, and an album or a new request costs ${formatPrice(mostCents, 'USD')} at most. You also pay the bank's fee for each new dispute, usually $15. All of this ends by itself as the share falls.`;
}
