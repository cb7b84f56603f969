import { offersOf, type Ways, waysOf } from '../offers/offer-rules.ts';
import type { Policy } from '../policy.ts';

/** What an album says of links to come; what opens a link is decided by its own rules alone. */
export interface AlbumDefaults {
  isProtected: boolean;
  priceCents: number | null;
  allowsTips: boolean;
}

/** The most that a link may cost. */
const mostPriceCents = 50_000;

/** Returns what a link to several albums costs to begin with: their prices together; undefined where none of them has one. */
export function priceOf(albums: readonly Pick<AlbumDefaults, 'priceCents'>[]): number | undefined {
  const sum = albums.reduce((cents, { priceCents }) => cents + (priceCents ?? 0), 0);
  return sum === 0 ? undefined : sum;
}

/** Whether a link to these albums may ask for a tip: one that takes tips is enough. */
export const takeTips = (albums: readonly Pick<AlbumDefaults, 'allowsTips'>[]): boolean =>
  albums.some(({ allowsTips }) => allowsTips);

/**
 * Returns the ways in with which a new link to these albums begins. A price stands in the place of what else would be paid, but
 * for a subscription, and an album that is asked for first keeps whatever is paid after it.
 * @param usual with which it would begin to any other album
 * @param mostCents that its creator may ask for; undefined where they cannot be paid, so that no price is asked for
 */
export function beginOffers(
  usual: Policy['offers'],
  albums: readonly AlbumDefaults[],
  mostCents: number | undefined,
): Policy['offers'] {
  const price = mostCents === undefined ? undefined : priceOf(albums);
  const isProtected = albums.some((album) => album.isProtected);
  const ways = waysOf(usual);
  if (price === undefined && !isProtected && (takeTips(albums) || ways?.tipCents === undefined)) return usual;
  const begun = { ...ways, ...(!takeTips(albums) && { tipCents: undefined }), ...(isProtected && yesFirst) };
  if (price === undefined || mostCents === undefined) return offersOf(begun);
  const priceCents = Math.min(price, mostCents, mostPriceCents);
  const approval = begun.approval === 'first' ? begun.approval : undefined;
  return offersOf({ priceCents, tierIds: begun.tierIds, isAll: begun.isAll, approval });
}

const yesFirst: Pick<Ways, 'approval'> = { approval: 'first' };
