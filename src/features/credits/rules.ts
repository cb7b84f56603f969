import { dayMs } from '#kit/time.ts';

/** What is sold: fewer dollars for each credit the larger the pack. */
export const packs = [
  { credits: 50, cents: 500 },
  { credits: 120, cents: 1000 },
  { credits: 300, cents: 2000 },
] as const;
export const packCurrency = 'usd';

/** Where credits come from. */
export const lotSources = [
  'pack',
  'suite',
  'first_album',
  'first_link',
  'payouts',
  'grant',
  'returned',
  'referral',
] as const;
export type LotSource = (typeof lotSources)[number];

/** What credits are spent for. */
export const spentFor = ['trace', 'storage', 'address', 'priority', 'answers', 'video'] as const;
export type SpentFor = (typeof spentFor)[number];

/** How long credits that were given are there. */
export const grantMonths = 12;
/** For so long the unused part of a pack can be had back. */
export const packBackMs = 14 * dayMs;
/** How many movements the history shows. */
export const historyLength = 20;
/** How many links and videos are offered to spend on. */
export const mostListed = 50;
/** When credits that were given end: a year later, on the last day of a month that has no such day. */
export function grantEndsAt(now: Date): Date {
  const end = new Date(now);
  end.setUTCMonth(end.getUTCMonth() + grantMonths);
  if (end.getUTCDate() !== now.getUTCDate()) end.setUTCDate(0);
  return end;
}

export interface Lot {
  id: string;
  remaining: number;
}

/** What is taken of a lot, or put back into it. */
export interface LotPart {
  lot: string;
  credits: number;
}

/**
 * Takes credits out of lots, in their order.
 * @returns undefined when all of them together have too few
 */
export function splitSpend(lots: readonly Lot[], credits: number): LotPart[] | undefined {
  const parts: LotPart[] = [];
  let left = credits;
  for (const { id, remaining } of lots) {
    const taken = Math.min(left, remaining);
    if (taken > 0) parts.push({ lot: id, credits: taken });
    left -= taken;
    if (left === 0) return parts;
  }
  return undefined;
}

/** What a pack and its payment say. */
export interface PackFacts {
  credits: number;
  amountCents: number;
  state: string;
  refundedCents: number;
  /** What they asked back. */
  backCredits: number;
}

/** Returns how many credits of a pack went back with its money: all of one that is disputed, else in proportion, and what was asked back. */
export function creditsBack({ credits, amountCents, state, refundedCents, backCredits }: PackFacts): number {
  if (state === 'disputed' || state === 'charged_back') return credits;
  return Math.max(backCredits, Math.ceil((credits * refundedCents) / amountCents));
}

/** What is paid back for the unused part of a pack, in whole cents. */
export const centsBack = (pack: Pick<PackFacts, 'credits' | 'amountCents'>, unused: number): number =>
  Math.floor((pack.amountCents * unused) / pack.credits);

/** Returns until when the unused part of a pack can be had back; from that very instant on it cannot. */
export const packBackUntil = (paidAt: Date): Date => new Date(paidAt.getTime() + packBackMs);

const reasons: Readonly<Record<string, string>> = {
  pack: 'Credits bought',
  pack_back: 'Credits refunded',
  pack_returned: 'Refund undone',
  pack_disputed: 'Payment disputed',
  pack_kept: 'Payment settled',
  suite: 'Monthly suite credits',
  first_album: 'Your first album',
  first_link: 'Your first link',
  payouts: 'Payouts connected',
  referral: 'A creator you brought paid',
  grant: 'Gift from PrivateFans',
  trace: 'Leak trace',
  trace_back: 'Failed leak trace, refunded',
  storage: 'Extra storage',
  address: 'Readable address',
  priority: 'Video moved to the front',
  priority_back: "Moved video that wasn't made, refunded",
  answers: 'More answers from Sofia',
  video: 'More video time',
  expired: 'Expired',
};

/** Returns why credits came or went, as the history says it. */
export const describeReason = (what: string): string => reasons[what] ?? 'Credits';
