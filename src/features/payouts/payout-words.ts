import { formatMoney } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import type { Payouts } from './contract.ts';
import type { HoldCode, PayoutInterval } from './rules.ts';

/** The only promise about when money leaves. */
export const payoutPromise = 'Started within 2 business days after the money is available.';

export const intervalNames: Readonly<Record<PayoutInterval, string>> = {
  daily: 'Daily',
  weekly: 'Weekly, on Friday',
  monthly: 'Monthly, on the 1st',
  manual: 'Manually',
};

export interface HoldWords {
  title: string;
  text: string;
  /** What the creator can do about it. */
  toDo: string;
}

/** Why a payout is held, and what to do. */
export const holdWords: Readonly<Record<HoldCode, HoldWords>> = {
  ID_MISSING: {
    title: 'Stripe needs something from you',
    text: 'Your payout account is no longer complete.',
    toDo: 'Open your payout account and complete what is missing. Payouts continue the next day.',
  },
  BANK_REJECTED: {
    title: 'Your bank sent a payout back',
    text: 'The money is in your balance again.',
    toDo: 'Open your payout account and check your bank details. We try again on the day below.',
  },
  REVIEW_NEW: {
    title: 'Your first payout is being reviewed',
    text: 'A person looks at every first payout. Later ones go out automatically.',
    toDo: 'There is nothing you need to do for the review.',
  },
  DISPUTE_RATE: {
    title: 'Too many of your sales were disputed',
    text: 'At least 1% of your payments in the last 90 days were disputed by the card holder.',
    toDo: 'Answer questions from buyers, and refund those who are unhappy before they turn to their bank.',
  },
  REPORT_OPEN: {
    title: 'A report about your content is open',
    text: 'Until it is decided, nothing is paid out.',
    toDo: 'There is nothing you need to do. The decision comes by email.',
  },
  SANCTIONS: {
    title: 'Your payouts are being checked',
    text: 'The law asks us to check some payouts before they are made.',
    toDo: "There is nothing you need to do. If we need a document from you, we'll ask for it by email.",
  },
};

/** Returns until when a hold is expected to last: not a day that has passed. */
export function sayExpected(expectedAt: Date | null, now: Date): string | undefined {
  if (expectedAt === null) return undefined;
  if (expectedAt <= now) return 'This is taking longer than we expected.';
  return `Expected to be settled by ${formatDate(expectedAt, now)}.`;
}

/** What is said where refunds have taken more than there was. */
export const negativeWords: HoldWords = {
  title: 'Your balance is below zero',
  text: 'Refunds and fees came to more than you had left. What you earn next covers it.',
  toDo: 'Payouts continue as soon as your balance is above $10 again.',
};

/**
 * What is said of what is available.
 * @param isHeld whether something holds their payouts; undefined while that is not known
 */
export function noteAvailable(cents: number, isHeld: boolean | undefined): string {
  if (cents < 0) return 'covered by what comes in next, before anything is paid out';
  if (cents === 0) return 'nothing to pay out yet';
  if (isHeld === undefined) return 'not paid out yet';
  return isHeld ? 'on hold' : 'ready to be paid out';
}

/** The fees of disputes that are still to be taken, in one line; undefined where there are none. */
export const describeDueFees = ({ dueCents, currency }: Pick<Payouts, 'dueCents' | 'currency'>): string | undefined =>
  dueCents === 0
    ? undefined
    : `after ${formatMoney(dueCents, currency.toUpperCase())} still due from disputes and refunds, taken from your balance next`;

type ToPayOut = Pick<Payouts, 'available' | 'holds' | 'nextOn' | 'leastCents' | 'currency'>;

/** What comes of what is available, in one line: why it is held, or when it leaves. Nothing where there is nothing to pay out. */
export function describeNextPayout(
  { available, holds, nextOn, leastCents, currency }: ToPayOut,
  now: Date,
): string | undefined {
  if (available <= 0) return undefined;
  const [hold] = holds;
  if (hold !== undefined) return holdWords[hold.code].title;
  if (nextOn !== null) return `Next payout: ${formatDate(new Date(`${nextOn}T00:00:00Z`), now, { timeZone: 'UTC' })}`;
  return available < leastCents
    ? `A payout takes at least ${formatMoney(leastCents, currency.toUpperCase())}`
    : undefined;
}
