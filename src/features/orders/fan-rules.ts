import { draftEndsAt } from '#features/books/draft-rules.ts';
import { dayMs } from '#kit/time.ts';

/** What a month may cost. */
export const leastTierCents = 500;
export const mostTierCents = 4999;
/** How many months may be paid at once, beside one by one. */
export const longerMonths = [3, 6, 12] as const;
export type Months = 1 | (typeof longerMonths)[number];
/** The most that is taken off for it. */
export const mostOffPercent = 50;
/** What one buyer may spend with one creator in a day, as it comes with the app: a length that costs more is not offered. */
export const mostAtOnceCents = 30_000;

/** Tiers that a creator offers at a time. */
export const mostTiers = 3;

/** A renewal is announced so long before: the first one, and one a year. */
export const remindMs = 3 * dayMs;
export const remindAgainMs = 360 * dayMs;

const opening = new Set(['trialing', 'active', 'past_due']);

/** A subscription as far as it decides about access. */
export interface FanState {
  /** The provider's word. */
  status: string;
  isPaused: boolean;
  endedAt: Date | null;
  periodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  /** Since when its renewal is a draft that was not charged. */
  draftSince?: Date | null;
}

/** Whether it opens what its tier has; what is not known to be good has ended. */
export function isRunning(
  { status, isPaused, endedAt, periodEnd, cancelAtPeriodEnd, draftSince }: FanState,
  now: Date,
): boolean {
  if (!opening.has(status) || isPaused || endedAt !== null) return false;
  if (draftSince != null && draftEndsAt(draftSince) <= now) return false;
  return !cancelAtPeriodEnd || periodEnd === null || periodEnd > now;
}

/** What a tier opens. */
export interface TierReach {
  allFuture: boolean;
  albumIds: readonly string[];
}

/** Whether a tier opens every one of these albums. */
export const covers = ({ allFuture, albumIds }: TierReach, wanted: readonly string[]): boolean =>
  allFuture || wanted.every((id) => albumIds.includes(id));

/** Returns whether whoever has one tier has all of another: then there is nothing to subscribe to. */
export const includes = (has: TierReach & { id: string }, other: TierReach & { id: string }): boolean =>
  has.id === other.id || (other.allFuture ? has.allFuture : covers(has, other.albumIds));

/** What of a price belongs to the time that is left of what it paid for, rounded up; never more than has not gone back yet. */
export function unusedCents(
  {
    amountCents,
    refundedCents,
    startsAt,
    endsAt,
  }: { amountCents: number; refundedCents: number; startsAt: Date; endsAt: Date },
  now: Date,
): number {
  const wholeMs = endsAt.getTime() - startsAt.getTime();
  const leftMs = Math.min(wholeMs, Math.max(0, endsAt.getTime() - now.getTime()));
  if (wholeMs <= 0) return 0;
  return Math.min(Math.ceil((amountCents * leftMs) / wholeMs), amountCents - refundedCents);
}

/** What a tier costs, and what it takes off for several months at once: null for a length that it does not offer. */
export interface TierPrice {
  priceCents: number;
  off3: number | null;
  off6: number | null;
  off12: number | null;
}

/** What so many months cost together; undefined for a length that is not offered. */
export function termCents({ priceCents, off3, off6, off12 }: TierPrice, months: Months): number | undefined {
  if (months === 1) return priceCents;
  const off = { 3: off3, 6: off6, 12: off12 }[months];
  if (off === null) return undefined;
  const cents = Math.round((priceCents * months * (100 - off)) / 100);
  return cents > mostAtOnceCents ? undefined : cents;
}

/** Returns what is offered beside single months, the shortest first. */
export const longerTermsOf = (price: TierPrice): { months: Months; priceCents: number }[] =>
  longerMonths.flatMap((months) => {
    const priceCents = termCents(price, months);
    return priceCents === undefined ? [] : [{ months, priceCents }];
  });

/** "$9.99 a month", "$26.97 for 3 months". @param price as it is written */
export const describeTerm = (price: string, months: number): string =>
  months === 1 ? `${price} a month` : `${price} for ${months} months`;
