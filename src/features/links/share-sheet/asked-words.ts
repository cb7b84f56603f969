import { formatPrice } from '#kit/text.ts';
import type { Ways } from '../offers/offer-rules.ts';

/** A tier, as far as the sheet tells of it. */
export interface SheetTier {
  id: string;
  name: string;
  priceCents: number;
}

/** "$9.99 a month", "$5 a month or more". */
function describeMonthly(tierIds: readonly string[], tiers: readonly SheetTier[]): string {
  const prices = tiers
    .filter(({ id }) => tierIds.length === 0 || tierIds.includes(id))
    .map(({ priceCents }) => priceCents);
  if (prices.length === 0) return 'a subscription';
  return `${formatPrice(Math.min(...prices))} a month${prices.length > 1 ? ' or more' : ''}`;
}

/**
 * Returns what opens a link, as a word of the sentence: "free", "$15", "$15, $10 or more as a tip, or $9.99 a month,", "$15 and $10 or more as a
 * tip", "asking me first, then $15".
 */
export function describeAsked(ways: Ways, tiers: readonly SheetTier[]): string {
  const { priceCents, tipCents, tierIds, isAll = false, approval } = ways;
  const asked = [
    ...(priceCents === undefined ? [] : [formatPrice(priceCents)]),
    ...(tipCents === undefined ? [] : [`${formatPrice(tipCents)} or more as a tip`]),
    ...(tierIds === undefined ? [] : [describeMonthly(tierIds, tiers)]),
  ];
  if (asked.length === 0) return approval === undefined ? 'free' : 'asking me first';
  const first = approval === 'first' ? 'asking me first, then ' : '';
  const parts = isAll && asked.length > 1 ? [asked.join(' and ')] : asked;
  return first + joinOr(approval === 'instead' ? [...parts, 'asking me'] : parts);
}

const joinOr = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')}, or ${parts.at(-1)},`;
