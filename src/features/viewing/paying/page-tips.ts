import type * as z from 'zod';
import { findShownPage } from '#features/accounts/public-page.ts';
import type { PublicPageRow } from '#features/accounts/public-page-store.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { leastCents } from '#features/orders/rules.ts';
import type { Context } from '#wire/context.ts';
import { refuse, refuseForNow } from '#wire/refusals.ts';
import type { Opener } from '../opening/admit.ts';
import { comeAgain, openNetworkQueues, waitAside } from '../opening/network-queues.ts';
import type { PageTip } from '../page-sales-contract.ts';
import { forPrograms } from '../refusals.ts';
import { callerKindOf, deviceOf } from '../user-agent.ts';
import { openersCookie, placeOf } from '../viewer-cookie.ts';
import { type OrderInput, orderSale } from './order.ts';
import { findPageVisitor } from './page-tips-store.ts';
import { describePause } from './payment-pause.ts';
import { describeTipRange, findTipLimit } from './tip-limit.ts';

/** Checkouts that one browser may begin in a minute. */
const mostPerMinute = 10;
/** Races are lost to somebody: what is under way is then looked at again, this often. */
const mostRounds = 6;
/** Every order is a row of ours and a page of the provider's: of one network they come one after the other. */
const payers = openNetworkQueues();

const notAccepting = 'Not accepting payments right now. Please try again later.';

/**
 * Where somebody pays a tip on a creator's own page. It opens nothing, so it is asked for nothing but its amount; the browser is
 * kept all the same, so that a double tap is one order.
 * @returns null for a browser that had no cookie of ours: it has one now, and asks again
 * @throws NOT_FOUND where no page is shown, CONFLICT where nobody can pay, PRICE_OUT_OF_RANGE, RATE_LIMITED, PaymentsAway
 */
export async function tipOnPage(context: Context, tip: z.infer<typeof PageTip>): Promise<{ url: string | null }> {
  const { engines, caller } = context;
  const { handle, amountCents, message, signedBy, shownTerms, timeZone } = tip;
  if (callerKindOf(caller.headers) === 'robot') throw refuse('NOT_FOUND', { message: forPrograms.refusal.title });
  const cookie = openersCookie(context);
  const { secretHash } = cookie;
  if (!cookie.isBrought) {
    cookie.offer();
    return { url: null };
  }
  await takeTurn(context, secretHash);
  const creator = await findShownPage(engines, handle, new Date(engines.clock()));
  if (creator === undefined) throw refuse('NOT_FOUND');
  const viewer = await findPageVisitor(engines.database, secretHash, creator.userId);
  const limit = await findTipLimit(engines, viewer?.viewerId);
  if (amountCents < leastCents || amountCents > limit.mostCents)
    throw refuse('PRICE_OUT_OF_RANGE', {
      field: 'amountCents',
      message: describeTipRange(amountCents, leastCents, limit),
    });
  const place = placeOf(engines, caller, timeZone);
  const device = deviceOf(caller.userAgent);
  const opener = { secretHash, device, place, timeZone, screen: undefined, suspect: undefined };
  const params = { amountCents, minCents: amountCents, message, signedBy, shownTerms, isAnonymous: signedBy === '' };
  const ordered = await order(context, creator, opener, { ...params, kind: 'tip', network: undefined });
  cookie.keep();
  return ordered;
}

async function order(
  context: Context,
  creator: PublicPageRow,
  opener: Opener,
  params: OrderInput,
): Promise<{ url: string }> {
  const { engines } = context;
  const whose = { creatorId: creator.userId, creatorName: creator.displayName, cancelPath: `/@${creator.handle}` };
  for (let round = 0; round < mostRounds; round++) {
    const viewer = await findPageVisitor(engines.database, opener.secretHash, creator.userId);
    if (viewer?.isBlocked) throw refuse('CONFLICT', { message: notAccepting });
    const ordered = await orderSale(engines, { ...whose, viewer }, opener, params);
    if (ordered === 'spent') throw refuse('BUYER_LIMIT');
    if (ordered === 'not_accepting') throw refuse('CONFLICT', { message: notAccepting });
    if (typeof ordered !== 'object') continue;
    if ('pause' in ordered) throw refuse('RATE_LIMITED', describePause(ordered.pause, moneyNow(engines)));
    if ('url' in ordered) return ordered;
  }
  throw refuse('UNAVAILABLE', { retryAfter: 1 });
}

async function takeTurn(context: Context, secretHash: Buffer): Promise<void> {
  const { engines, asSystem, caller, now } = context;
  const key = hashKey(engines.keys, 'checkout', secretHash.toString('hex'));
  const taken = await asSystem((tx) => takeRate(tx, { key, limit: mostPerMinute, windowSeconds: 60, now }));
  if (taken.isOver) throw refuseForNow(taken.retryAfterSeconds);
  const waitMs = payers.queue(caller.address, now);
  if (waitMs === undefined) throw refuse('UNAVAILABLE', comeAgain);
  await waitAside(context, waitMs);
}
