import type { Engines } from '#engines/engines.ts';
import { covers } from '#features/orders/fan-rules.ts';
import { listActiveTiers } from '#features/orders/fan-tiers-store.ts';
import { leastCents } from '#features/orders/rules.ts';
import { findPayoutAccount, findPriceLimits, payoutStatusOf } from '#features/payouts/finding-accounts.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { LinkRulesInput } from '../contract.ts';
import type { Policy } from '../policy.ts';
import { type AlbumDefaults, priceOf } from '../presets/album-default-rules.ts';
import { allTiersOf, describeRange, isForSale, pricesOf } from '../rules.ts';
import { type Doing, shownOne } from '../to-api.ts';

/** What a link asks for as it stands, and what it shows. */
export type Present = Pick<Policy, 'offers'> & { albumIds: readonly string[] };

/**
 * Nobody is asked for money that its creator could not be paid, or for more than they may ask; a link that asks already may be
 * changed all the same.
 * @throws PAYOUTS_NOT_READY, VALIDATION
 */
export async function checkSale(
  engines: Engines,
  creatorId: string,
  rules: LinkRulesInput | undefined,
  findPresent: () => Promise<Present>,
): Promise<void> {
  if (rules === undefined || !isForSale(rules)) return;
  const present = await findPresent();
  if (!isForSale(present) && !(await isPayable(engines, creatorId))) throw refuse('PAYOUTS_NOT_READY');
  const known = allTiersOf(present).map(String);
  for (const wanted of allTiersOf(rules))
    if (!known.includes(String(wanted))) await checkTiers(engines, creatorId, wanted, present.albumIds);
  const prices = pricesOf(rules).filter((cents) => !pricesOf(present).includes(cents));
  if (prices.length === 0) return;
  const { mostCents } = await findPriceLimits(engines, creatorId);
  if (Math.max(...prices) > mostCents)
    throw refuse('VALIDATION', { field: 'rules.offers', message: describeRange(leastCents, mostCents) });
}

const isPayable = async (engines: Engines, creatorId: string) =>
  payoutStatusOf(engines, await findPayoutAccount(engines, creatorId)) === 'complete';

/** The most that a link to these albums may cost; undefined where none of them has a price. A creator who cannot be paid is told so by `checkSale`. */
export async function findMostCents(
  engines: Engines,
  creatorId: string,
  albums: readonly AlbumDefaults[],
): Promise<number | undefined> {
  return priceOf(albums) === undefined ? undefined : (await findPriceLimits(engines, creatorId)).mostCents;
}

/** Refuses a price of an album that its creator could not ask for. @throws PAYOUTS_NOT_READY, VALIDATION */
export async function checkAlbumPrice(engines: Engines, creatorId: string, priceCents: number): Promise<void> {
  if (!(await isPayable(engines, creatorId))) throw refuse('PAYOUTS_NOT_READY');
  const { mostCents } = await findPriceLimits(engines, creatorId);
  if (priceCents > mostCents)
    throw refuse('VALIDATION', { field: 'priceCents', message: describeRange(leastCents, mostCents) });
}

/** @throws VALIDATION where nobody could subscribe, or no subscription would open it */
async function checkTiers(
  { database }: Engines,
  creatorId: string,
  wanted: readonly string[],
  albumIds: readonly string[],
): Promise<void> {
  const offered = await listActiveTiers(database, creatorId);
  const chosen = offered.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
  const isThere = chosen.length > 0 && chosen.length >= wanted.length;
  if (isThere && chosen.some((tier) => covers(tier, albumIds))) return;
  const message = isThere ? "Your tier doesn't open all of this link's albums." : 'Choose a tier that you offer.';
  throw refuse('VALIDATION', { field: 'rules.offers', message });
}

/** Returns what a link asks for now. @throws NOT_FOUND */
export const findPresent = (context: CreatorContext, linkId: string, doing: Doing): Promise<Present> =>
  context.work(async (tx) => {
    const { policy, albums } = await shownOne(tx, linkId, doing);
    return { offers: policy.offers, albumIds: albums.map(({ id }) => id) };
  });
