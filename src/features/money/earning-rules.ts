import type { EarningPart } from './contract.ts';

/** What the chart of earnings shows of each span. */
export const chartSpans = {
  '7d': { by: 'day', count: 7 },
  '30d': { by: 'day', count: 30 },
  '90d': { by: 'day', count: 90 },
  '365d': { by: 'day', count: 365 },
  '12m': { by: 'month', count: 12 },
} as const;

/** All that was earned in the parts of a chart. */
export const earnedIn = (parts: readonly EarningPart[]): number =>
  parts.reduce(
    (sum, { tips, albums, subscriptions, customs, refunds }) => sum + tips + albums + subscriptions + customs + refunds,
    0,
  );

/** What a creator can be paid now, and what will settle. */
interface Balance {
  available: number;
  pending: number;
}

/**
 * Takes what went back from what is still pending before anything is short: a sale that was refunded before it settled leaves them as
 * they were.
 */
export function coverByPending({ available, pending }: Balance): Balance {
  const covered = Math.max(0, Math.min(-available, pending));
  return { available: available + covered, pending: pending - covered };
}

/** Takes what went back from the days on which something becomes available, the first one first. */
export function coverDays<Day extends { cents: number }>(days: readonly Day[], coveredCents: number): Day[] {
  let left = coveredCents;
  return days.flatMap((day) => {
    const taken = Math.min(left, day.cents);
    left -= taken;
    return day.cents > taken ? [{ ...day, cents: day.cents - taken }] : [];
  });
}
