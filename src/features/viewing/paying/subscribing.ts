import { slowNetwork } from '#features/accounts/limits.ts';
import { findPublicPage, type PublicPageRow } from '#features/accounts/public-page-store.ts';
import { accountAccessOf, findHandleFault } from '#features/accounts/rules.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { includes, type Months, termCents } from '#features/orders/fan-rules.ts';
import { listActiveTiers, type TierRow } from '#features/orders/fan-tiers-store.ts';
import { saleCurrency } from '#features/orders/rules.ts';
import { findPayoutAccount, payoutStatusOf } from '#features/payouts/finding-accounts.ts';
import { type Context, hasAccess } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { forPrograms } from '../refusals.ts';
import { callerKindOf, deviceOf } from '../user-agent.ts';
import { openersCookie, placeOf } from '../viewer-cookie.ts';
import { orderSale } from './order.ts';
import { describePause } from './payment-pause.ts';
import { showTier } from './sale.ts';
import { isSubscribedElsewhere, subscribedElsewhere } from './subscribed-elsewhere.ts';
import { findSubscriberOf } from './subscribing-store.ts';

/** Looks of one network in an hour before each waits longer: who tries handles gets slow. */
const freeLooks = 300;
const freeOrders = 60;
/** Races are lost to somebody: the facts are then read again, this often. */
const mostRounds = 6;

/** The creator whose own page is open under this handle. @throws NOT_FOUND for every other handle alike */
async function findCreator({ engines, now }: Context, typed: string): Promise<PublicPageRow> {
  const handle = typed.toLowerCase();
  // What can be nobody's handle is asked for all the same: no answer comes sooner than another.
  const row = await findPublicPage(engines.database, findHandleFault(handle) === undefined ? handle : '');
  const access = row && accountAccessOf(row, now);
  if (row === undefined || access === undefined || !access.isSetUp || access.isStopped || !hasAccess(access))
    throw refuse('NOT_FOUND');
  return row;
}

/** What may be subscribed to on a creator's own page. @throws NOT_FOUND */
export async function listOfferedTiers(context: Context, handle: string) {
  const { engines } = context;
  await slowNetwork(context, 'creator_tiers', freeLooks);
  const { userId } = await findCreator(context, handle);
  const [tiers, account] = await Promise.all([
    listActiveTiers(engines.database, userId),
    findPayoutAccount(engines, userId),
  ]);
  return {
    tiers: tiers.map(showTier),
    currency: saleCurrency,
    isSandbox: engines.sandbox !== undefined,
    isPayable: payoutStatusOf(engines, account) === 'complete',
  };
}

interface OrderInput {
  handle: string;
  tierId: string;
  months: Months;
  /** As the page showed it. */
  priceCents: number;
  /** The terms that it showed. */
  shownTerms?: string | undefined;
  timeZone?: string | undefined;
}

/**
 * Where a tier is paid for, on the page of its creator: no link, no account. Whoever brings no cookie is given one with the
 * answer, so that they come back as who paid.
 * @throws NOT_FOUND, PRICE_CHANGED, ALREADY_PURCHASED, CONFLICT, UNAVAILABLE
 */
export async function subscribe(
  context: Context,
  { handle, tierId, months, priceCents, shownTerms, timeZone }: OrderInput,
): Promise<{ url: string }> {
  const { engines, caller } = context;
  await slowNetwork(context, 'subscribe', freeOrders);
  if (callerKindOf(caller.headers) === 'robot') throw refuse('NOT_FOUND', { message: forPrograms.refusal.title });
  const { userId: creatorId, displayName: creatorName, handle: own } = await findCreator(context, handle);
  const tier = (await listActiveTiers(engines.database, creatorId)).find(({ id }) => id === tierId);
  if (tier === undefined || termCents(tier, months) !== priceCents) throw refuse('PRICE_CHANGED');
  const cookie = openersCookie(context);
  const { secretHash } = cookie;
  cookie.offer();
  const device = deviceOf(caller.userAgent);
  const place = placeOf(engines, caller, timeZone);
  const opener = { secretHash, device, place, timeZone, screen: undefined, suspect: undefined };
  const paid = { kind: 'fan_sub', tierId, months, amountCents: priceCents, minCents: priceCents } as const;
  for (let round = 0; round < mostRounds; round++) {
    const viewer = await findBuyer(context, creatorId, secretHash, tier);
    const counter = { creatorId, creatorName, viewer, cancelPath: `/@${own}` };
    const params = { ...paid, message: '', isAnonymous: false, shownTerms, network: undefined };
    const ordered = await orderSale(engines, counter, opener, params);
    if (ordered === 'spent') throw refuse('BUYER_LIMIT');
    if (typeof ordered === 'object' && 'pause' in ordered)
      throw refuse('RATE_LIMITED', describePause(ordered.pause, moneyNow(engines)));
    if (typeof ordered === 'object' && 'url' in ordered) {
      cookie.keep();
      return ordered;
    }
    if (ordered === 'not_accepting') throw refuse('CONFLICT', { message: 'Not accepting payments right now.' });
  }
  throw refuse('UNAVAILABLE', { retryAfter: 1 });
}

/** @throws ALREADY_PURCHASED, CONFLICT for whoever has all of it, NOT_FOUND for whoever is shut out */
async function findBuyer({ engines }: Context, creatorId: string, secretHash: Buffer, tier: TierRow) {
  const { database, payments } = engines;
  const now = moneyNow(engines);
  const { viewer, isBlocked, fans } = await findSubscriberOf(database, creatorId, secretHash, payments.realm, now);
  if (isBlocked) throw refuse('NOT_FOUND');
  const has = fans.map(({ tierId: id, albumIds }) => ({
    id,
    allFuture: albumIds === 'all',
    albumIds: albumIds === 'all' ? [] : albumIds,
  }));
  if (has.some((one) => includes(one, tier))) throw refuse('ALREADY_PURCHASED');
  if (await isSubscribedElsewhere(engines, { secretHash, tier }))
    throw refuse('CONFLICT', { message: subscribedElsewhere });
  return viewer;
}
