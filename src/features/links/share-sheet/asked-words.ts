import { formatPrice } from '#kit/text.ts';

/** What a link asks for: any of it opens the link, nothing of it leaves it free. */
export interface Asked {
  priceCents?: number | undefined;
  tipCents?: number | undefined;
  /** Empty for any tier. */
  tierIds?: readonly string[] | undefined;
}

/** A tier, as far as the sheet tells of it. */
export interface SheetTier {
  id: string;
  name: string;
  priceCents: number;
}

/** "$9.99 a month", "$5 a month or more". */
function tellMonthly(tierIds: readonly string[], tiers: readonly SheetTier[]): string {
  const prices = tiers
    .filter(({ id }) => tierIds.length === 0 || tierIds.includes(id))
    .map(({ priceCents }) => priceCents);
  if (prices.length === 0) return 'a subscription';
  return `${formatPrice(Math.min(...prices))} a month${prices.length > 1 ? ' or more' : ''}`;
}

/** The price as a word of the sentence: "free", "$15", "$15, $10 or more as a tip, or $9.99 a month,". */
export function tellAsked({ priceCents, tipCents, tierIds }: Asked, tiers: readonly SheetTier[]): string {
  const ways = [
    ...(priceCents === undefined ? [] : [formatPrice(priceCents)]),
    ...(tipCents === undefined ? [] : [`${formatPrice(tipCents)} or more as a tip`]),
    ...(tierIds === undefined ? [] : [tellMonthly(tierIds, tiers)]),
  ];
  const [first = 'free', ...others] = ways;
  return others.length === 0 ? first : `${ways.slice(0, -1).join(', ')}, or ${ways.at(-1)},`;
}
