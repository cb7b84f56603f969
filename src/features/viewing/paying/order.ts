import { isReferenceGone } from '#engines/database/violations.ts';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { viewerLimitOf } from '#features/access/policy.ts';
import type { Question } from '#features/access/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { settleCheckout } from '#features/orders/asking.ts';
import { findPause, type Pause } from '#features/orders/card-tests.ts';
import type { SoldKind } from '#features/orders/contract.ts';
import type { Months } from '#features/orders/fan-rules.ts';
import {
  findHeldUntil,
  findPending,
  findPendingOnPage,
  findSubscribing,
  insertOrder,
  type NewOrder,
  type OrderRow,
} from '#features/orders/orders-store.ts';
import { isPlaceConflict, reservePlace } from '#features/orders/places-store.ts';
import { checkoutMs, leastCheckoutMs, saleCurrency } from '#features/orders/rules.ts';
import { holdSpending } from '#features/orders/spending-store.ts';
import { splitMonth, splitPayment } from '#features/orders/split-rules.ts';
import { findDisputeLimit, findPayoutAccount, payoutStatusOf } from '#features/payouts/finding-accounts.ts';
import { requireFeature } from '#features/settings/features.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { newId } from '#kit/ids.ts';
import { isDeviceConflict, keepViewer } from '../opening/admissions-store.ts';
import { deviceRowOf, type Opener } from '../opening/admit.ts';
import { endCheckout, endUnsent, openCheckout, system } from './order-checkout.ts';

/** Where something is sold: at a link, or by a creator themselves. */
export interface Counter {
  creatorId: string;
  creatorName: string;
  /** Left out for a browser of which nothing is known. */
  viewer: Question['viewer'];
  link?: {
    linkId: string;
    slug: string;
    policyVersion: number;
    /** How many people it is for, where this viewer has no place yet; undefined where none is needed. */
    places: number | undefined;
  };
  /** Where the payer goes who does not pay. */
  cancelPath: string;
}

/** Who was let in before has a place, and where places are not counted nobody needs one. */
export function counterOf(
  { creatorId, host, viewer, linkId, policyVersion, link, grantId }: Question,
  slug: string,
): Counter {
  const places = viewerLimitOf(link.policy);
  const isNeeded = grantId === undefined && Number.isFinite(places);
  return {
    creatorId,
    creatorName: host.name,
    viewer,
    cancelPath: `/view/${slug}`,
    link: { linkId, slug, policyVersion, places: isNeeded ? places : undefined },
  };
}

/** What somebody wishes to pay. */
export interface OrderInput {
  kind: SoldKind;
  /** What is subscribed to, and how many months of it are paid at once. */
  tierId?: string | undefined;
  months?: Months | undefined;
  amountCents: number;
  /** The least that opens the link; of a price, the price. */
  minCents: number;
  /** It opens the link by itself; left out where nothing else is asked for, false for a step of several. */
  isWhole?: boolean;
  message: string;
  isAnonymous: boolean;
  /** Under a tip that is sent to a creator themselves. */
  signedBy?: string;
  /** The terms that the page showed. */
  shownTerms: string | undefined;
  /** Keyed hash of the network that it comes from; undefined where the address does not tell. */
  network: string | undefined;
}

/**
 * What a request came to. `again`: something has changed and the facts must be read again. `crowded`: their network pays for enough
 * places already. `spent`: they have spent what one buyer may in a day. `pause`: cards were declined too often. `heldUntil`: a place is kept for another payment of theirs, and not for long enough to begin a new one.
 */
export type Ordered =
  | { url: string }
  | { heldUntil: Date }
  | { pause: Pause }
  | 'again'
  | 'full'
  | 'crowded'
  | 'spent'
  | 'not_accepting';

/** Somebody was quicker, or the last place is gone: nothing of the transaction stays. */
class OrderRolledBack extends Error {
  readonly why: 'again' | 'full' | 'crowded' | 'spent';
  constructor(why: OrderRolledBack['why']) {
    super(why);
    this.why = why;
  }
}

/** Returns whether the database says that another call was quicker: a row is there already, or the one it stands on is gone. */
const isOvertaken = (error: unknown): boolean =>
  isDeviceConflict(error) || isPlaceConflict(error) || isReferenceGone(error);

/**
 * Asks for a payment: one order for one viewer and link, however often it is tapped, with a place kept on a link of few, then
 * the provider's page. Nothing is open while the provider is asked.
 * @throws PaymentsAway, FORBIDDEN where sales are turned off
 */
export async function orderSale(
  engines: Engines,
  counter: Counter,
  opener: Opener,
  params: OrderInput,
): Promise<Ordered> {
  await requireFeature(engines, 'features.sales');
  const account = await findPayoutAccount(engines, counter.creatorId);
  if (account === undefined || payoutStatusOf(engines, account) !== 'complete') return 'not_accepting';
  if ((await findDisputeLimit(engines, counter.creatorId, params.amountCents)) !== undefined) return 'not_accepting';
  const { link, viewer } = counter;
  const place =
    link === undefined
      ? ({ kind: 'page', id: counter.creatorId } as const)
      : ({ kind: 'link', id: link.linkId } as const);
  const pause = await findPause(engines, { counter: place, viewerId: viewer?.viewerId }, moneyNow(engines));
  if (pause !== undefined) return { pause };
  const waiting = await findWaiting(engines, counter, params);
  if (waiting === 'again') return 'again';
  if (waiting !== undefined && 'heldUntil' in waiting) return waiting;
  const order = waiting ?? (await makeOrder(engines, counter, opener, params, account.accountId));
  if (typeof order === 'string' || 'heldUntil' in order) return order;
  return openCheckout(engines, order, { accountId: account.accountId, cancelPath: counter.cancelPath });
}

const needsPlace = ({ link }: Counter): boolean => link?.places !== undefined;

const isTooShort = (until: Date, now: Date): boolean => until.getTime() - now.getTime() < leastCheckoutMs;

/** What this viewer is paying for already: the same request goes on with it, another ends it. */
async function findWaiting(
  engines: Engines,
  counter: Counter,
  params: OrderInput,
): Promise<OrderRow | { heldUntil: Date } | 'again' | undefined> {
  const { viewer } = counter;
  const found = viewer && (await findOpenOrder(engines, counter, params, viewer.viewerId));
  if (found === undefined) return undefined;
  const { id, sessionId, expiresAt } = found;
  const now = moneyNow(engines);
  const isOver = expiresAt <= now;
  if (isSame(found, counter, params) && !isOver) return sessionId === null ? found : findStillOpen(engines, sessionId);
  if (!isOver && needsPlace(counter) && isTooShort(expiresAt, now)) return { heldUntil: expiresAt };
  if (sessionId !== null) await endCheckout(engines, sessionId);
  else await endUnsent(engines, id, isOver ? 'expired' : 'canceled');
  return 'again';
}

/** At this link, and of what is subscribed to at whichever. */
async function findOpenOrder(
  { database, payments: { realm } }: Engines,
  { creatorId, link }: Counter,
  { kind }: OrderInput,
  viewerId: string,
): Promise<OrderRow | undefined> {
  const here = link && (await findPending(database, link.linkId, viewerId, realm));
  if (link === undefined && kind === 'tip') return findPendingOnPage(database, creatorId, viewerId, realm);
  return here ?? (kind === 'fan_sub' ? findSubscribing(database, creatorId, viewerId, realm) : undefined);
}

/** It may have been paid, or be over, without anybody having told. */
async function findStillOpen(engines: Engines, sessionId: string): Promise<OrderRow | 'again'> {
  const order = await settleCheckout(engines, sessionId);
  return order?.state === 'pending' ? order : 'again';
}

/** Returns whether an order is what would be ordered now, under the rules that are shown now. */
const isSame = (order: OrderRow, { link }: Counter, params: OrderInput): boolean =>
  order.linkId === (link?.linkId ?? null) &&
  order.policyVersion === (link?.policyVersion ?? null) &&
  order.kind === params.kind &&
  order.tierId === (params.tierId ?? null) &&
  order.months === (params.months ?? 1) &&
  order.amountCents === params.amountCents &&
  order.message === params.message &&
  order.isAnonymous === params.isAnonymous &&
  order.signedBy === (params.signedBy ?? '');

async function makeOrder(
  engines: Engines,
  counter: Counter,
  opener: Opener,
  params: OrderInput,
  accountId: string,
): Promise<OrderRow | { heldUntil: Date } | 'again' | 'full' | 'crowded' | 'spent'> {
  const { database, payments } = engines;
  const { realm } = payments;
  const now = moneyNow(engines);
  const device = deviceRowOf(counter, opener, now);
  const { viewerId } = device;
  const heldUntil = await findHeld(engines, counter, viewerId, now);
  if (heldUntil !== undefined && isTooShort(heldUntil, now)) return { heldUntil };
  const expiresAt = heldUntil ?? new Date(now.getTime() + checkoutMs);
  const limits = await settingsOf(engines);
  const feeCents = feeOf(params, limits['money.commissionPercent']);
  const order = newOrder(counter, params, { accountId, viewerId, realm, feeCents, now, expiresAt });
  try {
    await database.work(system, async (tx) => {
      await keepViewer(tx, device, false, now);
      const { all, withCreator } = await holdSpending(tx, realm, { viewerId, creatorId: counter.creatorId, now });
      const isTooMuch =
        all + params.amountCents > limits['money.buyerDayCents'] ||
        withCreator + params.amountCents > limits['money.buyerCreatorDayCents'];
      if (isTooMuch) throw new OrderRolledBack('spent');
      if (!(await insertOrder(tx, order))) throw new OrderRolledBack('again');
      const place = await keepPlace(tx, counter, order, params.network);
      if (place !== 'kept') throw new OrderRolledBack(place);
    });
  } catch (error) {
    if (error instanceof OrderRolledBack) return error.why;
    if (isOvertaken(error)) return 'again';
    throw error;
  }
  return (await findOpenOrder(engines, counter, params, viewerId)) ?? 'again';
}

/** Where places are few, a payment that takes the place of another keeps one no longer than that would have. */
async function findHeld(engines: Engines, counter: Counter, viewerId: string, now: Date): Promise<Date | undefined> {
  const { link } = counter;
  if (link === undefined || !needsPlace(counter)) return undefined;
  const { database, payments } = engines;
  const about = { linkId: link.linkId, viewerId };
  return database.work(system, (tx) => findHeldUntil(tx, about, payments.realm, now));
}

/** What the platform keeps of a payment, by the percent that is in force when its order is written. */
const feeOf = ({ kind, amountCents }: OrderInput, feePercent: number): number =>
  (kind === 'fan_sub' ? splitMonth : splitPayment)(amountCents, feePercent).feeCents;

function newOrder(
  { creatorId, creatorName, link }: Counter,
  {
    kind,
    tierId,
    months,
    amountCents,
    minCents,
    isWhole = true,
    message,
    isAnonymous,
    signedBy,
    shownTerms,
  }: OrderInput,
  made: Pick<NewOrder, 'accountId' | 'viewerId' | 'realm' | 'feeCents' | 'now' | 'expiresAt'>,
): NewOrder {
  return {
    ...made,
    creatorId,
    creatorName,
    tierId,
    months,
    amountCents,
    message,
    isAnonymous,
    shownTerms,
    linkId: link?.linkId ?? null,
    slug: link?.slug ?? null,
    policyVersion: link?.policyVersion ?? null,
    id: newId(made.now.getTime()),
    kind,
    currency: saleCurrency,
    isOnPage: link === undefined && kind === 'tip',
    ...(signedBy !== undefined && { signedBy }),
    // A step of several opens nothing by itself. A subscription opens what it opens, for as long as it lasts; a tip to a creator themselves opens nothing.
    terms: kind === 'fan_sub' || link === undefined || !isWhole ? {} : { opens: true, minCents },
  };
}

async function keepPlace(tx: Tx, { link }: Counter, { id: orderId, viewerId }: NewOrder, network: string | undefined) {
  if (link?.places === undefined) return 'kept';
  return reservePlace(tx, { orderId, linkId: link.linkId, viewerId, places: link.places, network });
}
