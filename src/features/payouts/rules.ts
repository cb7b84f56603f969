import type { Settings } from '#features/settings/rules.ts';
import { dayMs } from '#kit/time.ts';

/** Smallest payout. */
export const leastPayoutCents = 1000;

/** What a creator may ask for an album or bundle at most, in cents: everybody, and one who is new. */
interface SellerTerms {
  mostCents: number;
  newCents: number;
  /** Days since the account was made, and sales that nobody disputed, after which they are not new. */
  days: number;
  sales: number;
}

/** What they may ask for at most now, in cents, and where they are new, what they may later and when. */
export interface PriceLimits {
  mostCents: number;
  later: { mostCents: number; days: number; sales: number } | null;
}

/** @param record how long they are here, what they sold and what of it was disputed; undefined where nothing is known of them */
export function priceLimitsOf(
  record: { since: Date; sales: number; disputes: number } | undefined,
  now: Date,
  { mostCents, newCents, days, sales }: SellerTerms,
): PriceLimits {
  const isProven =
    record !== undefined &&
    record.disputes === 0 &&
    record.sales >= sales &&
    now.getTime() - record.since.getTime() >= days * dayMs;
  if (isProven || newCents >= mostCents) return { mostCents, later: null };
  return { mostCents: newCents, later: { mostCents, days, sales } };
}

/** When a creator is paid out: every working day, on Fridays, on the first of a month, or when they ask for it. */
export const payoutIntervals = ['daily', 'weekly', 'monthly', 'manual'] as const;
export type PayoutInterval = (typeof payoutIntervals)[number];

/** Why a creator is not paid out. */
export const holdCodes = [
  'ID_MISSING',
  'BANK_REJECTED',
  'REVIEW_NEW',
  'DISPUTE_RATE',
  'REPORT_OPEN',
  'SANCTIONS',
] as const;
export type HoldCode = (typeof holdCodes)[number];

export const isHoldCode = (text: string): text is HoldCode => holdCodes.some((code) => code === text);

/** Longest text of an appeal and of its answer. */
export const longestAppeal = 1000;

const friday = 5;
const weekend = [0, 6];

/** Returns whether payouts leave on a day, "2026-11-27", where the creator is. */
export function isPayoutDay(interval: PayoutInterval, day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  if (interval === 'daily') return !weekend.includes(date.getUTCDay());
  if (interval === 'weekly') return date.getUTCDay() === friday;
  return interval === 'monthly' && date.getUTCDate() === 1;
}

/** The day that it is somewhere: "2026-11-27". */
export const dayIn = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone }).format(at);

/** A payout day follows within this. */
const mostDaysBetween = 31;

/** The next day on which a payout leaves: today at the earliest; undefined where none leaves by itself. */
export function nextPayoutDay(interval: PayoutInterval, today: string, isTodayDone: boolean): string | undefined {
  const from = new Date(`${today}T00:00:00Z`).getTime();
  for (let ahead = isTodayDone ? 1 : 0; ahead <= mostDaysBetween; ahead++) {
    const day = new Date(from + ahead * dayMs).toISOString().slice(0, 10);
    if (isPayoutDay(interval, day)) return day;
  }
  return undefined;
}

/** What decides by itself whether a creator may be paid out. */
export interface HoldFacts {
  /** Complete once and not any more. */
  isRestricted: boolean;
  /** Something was paid out to them, or a person has released their first payout. */
  wasReviewed: boolean;
  /** A report hides something of theirs until it is decided. */
  hasOpenReport: boolean;
  /** Of the last 90 days. */
  sales: number;
  disputes: number;
}

/** Days for which a sale rests before a payout takes it: nobody's complaint comes after the money has gone. */
export interface Settlement {
  usual: number;
  disputed: number;
}
export const settlementBy = (settings: Settings): Settlement => ({
  usual: settings['money.settlementDays'],
  disputed: settings['money.disputedSettlementDays'],
});
/** A creator who has been here for so long, with few disputes, is paid as soon as the provider lets it go. */
const provenDays = 30;
const provenDisputed = 0.0075;

/** Returns how long what a creator sells from now on rests, in days. */
export function settlementDaysOf(
  { daysHere, sales, disputes }: { daysHere: number; sales: number; disputes: number },
  settlement: Settlement,
): number {
  if (isOftenDisputed({ sales, disputes })) return settlement.disputed;
  return daysHere > provenDays && disputes <= sales * provenDisputed ? 0 : settlement.usual;
}

/** From this share of disputed sales on nothing is paid out; one dispute alone says nothing. */
const mostDisputed = 0.01;
const leastDisputes = 2;
const isOftenDisputed = ({ sales, disputes }: { sales: number; disputes: number }): boolean =>
  disputes >= leastDisputes && disputes >= sales * mostDisputed;

/** From this share of disputed sales on a creator is warned. */
const warnedDisputed = 0.0075;

/** What a creator's disputes come to: one alone says nothing. */
export function rateOf({ sales, disputes }: { sales: number; disputes: number }): 'fine' | 'warned' | 'limited' {
  if (isOftenDisputed({ sales, disputes })) return 'limited';
  return disputes >= leastDisputes && disputes >= sales * warnedDisputed ? 'warned' : 'fine';
}

/** Why nothing is paid out, by what is known; empty when nothing is against it. */
export function holdsFor({ isRestricted, wasReviewed, hasOpenReport, sales, disputes }: HoldFacts): HoldCode[] {
  return [
    ...(isRestricted ? ['ID_MISSING' as const] : []),
    ...(wasReviewed ? [] : ['REVIEW_NEW' as const]),
    ...(isOftenDisputed({ sales, disputes }) ? ['DISPUTE_RATE' as const] : []),
    ...(hasOpenReport ? ['REPORT_OPEN' as const] : []),
  ];
}

/** Those that end by themselves, when nothing is against it any more. */
export const selfEnding: readonly HoldCode[] = ['ID_MISSING', 'DISPUTE_RATE', 'REPORT_OPEN'];

/** How long staff's word that a reason is none holds against the same reason. */
export const releasedForMs = 30 * dayMs;

const expectedDays: Readonly<Record<HoldCode, number | null>> = {
  // It ends with what is missing, whenever that comes.
  ID_MISSING: null,
  BANK_REJECTED: 3,
  REVIEW_NEW: 2,
  DISPUTE_RATE: 14,
  REPORT_OPEN: 2,
  SANCTIONS: 10,
};

/** Returns when a hold is likely to end; null when that lies with the creator alone. */
export function expectEnd(code: HoldCode, since: Date): Date | null {
  const days = expectedDays[code];
  return days === null ? null : new Date(since.getTime() + days * dayMs);
}

/** Reasons that a person of ours has to look at. */
export const waitsForStaff: readonly HoldCode[] = ['REVIEW_NEW', 'DISPUTE_RATE'];
