import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { asIfBought, asIfSubscribed } from '#features/access/bought.ts';
import { type Decision, decide } from '#features/access/rules.ts';
import { type Asker, findFactsBySlug, type Question } from '#features/access/store.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { aliveSinceOf } from '#features/links/alive-since.ts';
import { termCents } from '#features/orders/fan-rules.ts';
import { listActiveTiers } from '#features/orders/fan-tiers-store.ts';
import { formatCount } from '#kit/text.ts';
import { minuteMs, secondMs } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import { type Mounting, sayRefusal } from '#wire/raw.ts';
import { answerNo } from '../leases/answering.ts';
import type { Opener } from '../opening/admit.ts';
import { nobodysFacts } from '../opening/gates.ts';
import {
  comeAgain,
  type NetworkQueues,
  namedNetworkOf,
  openNetworkQueues,
  waitAside,
} from '../opening/network-queues.ts';
import { forPrograms, sayNo } from '../refusals.ts';
import { CheckoutRequest } from '../sale-contract.ts';
import { callerKindOf, deviceOf, isDesktop } from '../user-agent.ts';
import { certainCountryOf, keepViewerCookie, placeOf, readViewerCookie } from '../viewer-cookie.ts';
import { counterOf, type OrderInput, orderSale } from './order.ts';
import { describePause } from './payment-pause.ts';
import { type Asked, canFollow, type PaidStep, paidStepOf, tiersFor, withSale } from './sale.ts';
import { isSubscribedElsewhere, subscribedElsewhere } from './subscribed-elsewhere.ts';
import { describeTipRange, findTipLimit, type TipLimit } from './tip-limit.ts';

/** Checkouts that one browser may begin in a minute. */
const mostPerMinute = 10;
/** Races are lost to somebody: the facts are then read again, this often. */
const mostRounds = 6;
const slugPattern = /^[A-Za-z0-9_-]{1,80}$/;
const nobodys = 'nobody';

interface Call {
  engines: Engines;
  /** Whose taps lead nowhere, here and at the door. */
  networkQueues: NetworkQueues;
  /** Who wants to pay. */
  payers: NetworkQueues;
  context: Context;
  reply: FastifyReply;
  slug: string;
  body: CheckoutRequest;
  opener: Opener;
  asker: Asker;
}

/**
 * POST /api/view/:slug/checkout: where this viewer pays for this link. The same decision as at the door comes first: nobody
 * pays for what would then be refused. Whoever brings no cookie could not come back with what they paid for.
 */
export function mountCheckout(
  app: FastifyInstance,
  { engines, contextOf }: Mounting,
  networkQueues: NetworkQueues,
): void {
  const payers = openNetworkQueues();
  const config = { who: ['visitor', 'viewer'] as const, subject: 'link' as const };
  app.post<{ Params: { slug: string } }>('/api/view/:slug/checkout', { config }, async (request, reply) => {
    const context = contextOf(request, reply);
    const { data: body } = CheckoutRequest.safeParse(request.body ?? {});
    if (body === undefined) return sayRefusal(reply, 'VALIDATION');
    const { caller } = context;
    await waitAside(context, networkQueues.slow(caller.address, context.now));
    const now = nowOf(engines);
    const secretHash = readViewerCookie(context);
    if (secretHash === undefined) return answerNo(reply, sayNo(undefined, { ok: false, reason: 'NEED_COOKIE' }, now));
    if (callerKindOf(request.headers) === 'robot') return answerNo(reply, forPrograms);
    const taken = await takeTurn(context, secretHash);
    if (taken.isOver) return sayRefusal(reply, 'RATE_LIMITED', { retryAfter: taken.retryAfterSeconds });
    const place = placeOf(engines, caller, body.timeZone);
    const device = deviceOf(caller.userAgent);
    const opener = { secretHash, device, place, timeZone: body.timeZone, screen: undefined, suspect: undefined };
    const country = certainCountryOf(place);
    const isProgram = callerKindOf(request.headers) === 'driven';
    const aliveSince = await aliveSinceOf(context);
    const { realm } = engines.payments;
    const kind = { isProgram, isDesktop: isDesktop(device) };
    const asker = { now, realm, aliveSince, deviceSecretHash: secretHash, country, keepsCookie: true, ...kind };
    const slug = slugPattern.test(request.params.slug) ? request.params.slug : nobodys;
    return answerCheckout({ engines, networkQueues, payers, context, reply, slug, body, opener, asker });
  });
}

const nowOf = ({ linkClock }: Engines) => new Date(linkClock());

const takeTurn = ({ engines, asSystem, now }: Context, secretHash: Buffer) => {
  const key = hashKey(engines.keys, 'checkout', secretHash.toString('hex'));
  return asSystem((tx) => takeRate(tx, { key, limit: mostPerMinute, windowSeconds: 60, now }));
};

async function answerCheckout(call: Call): Promise<FastifyReply> {
  const { engines, payers, context, reply, slug } = call;
  let { asker } = call;
  let isInTurn = false;
  for (let round = 0; round < mostRounds; round++) {
    const question = await findFactsBySlug(engines.database, slug, asker);
    const judged = await judge({ ...call, asker }, question);
    if (typeof judged === 'function') return judged();
    if (context.isShedding('opens')) break;
    // Every order is a row of ours and a page of the provider's: of one network they come one after the other.
    const waitMs = isInTurn ? 0 : payers.queue(context.caller.address, asker.now);
    if (waitMs === undefined) return sayRefusal(reply, 'UNAVAILABLE', comeAgain);
    isInTurn = true;
    if (waitMs > 0) {
      await waitAside(context, waitMs);
      asker = { ...asker, now: nowOf(engines) };
      continue; // what was decided before a wait is decided again
    }
    const say = await order({ ...call, asker }, judged);
    if (say !== undefined) return say();
  }
  return sayRefusal(reply, 'UNAVAILABLE', { retryAfter: 1 });
}

/** What is to be answered, not yet sent: whoever waits for a reply waits for its end. */
type Say = () => FastifyReply;

/** What may be paid for. */
interface Payable {
  question: Question;
  decision: Decision;
  sold: Pick<OrderInput, 'kind' | 'minCents' | 'tierId' | 'months' | 'isWhole'>;
}

async function judge(call: Call, question: Question | undefined): Promise<Say | Payable> {
  const { engines, networkQueues, context, reply, body, asker } = call;
  const decision = decide(question?.link, question?.facts ?? nobodysFacts(asker.now));
  if (decision.ok) return () => sayRefusal(reply, 'ALREADY_PURCHASED');
  if (question === undefined || decision.reason !== 'NEED_OFFER') {
    const no = sayNo(question, decision, asker.now, { timeZone: body.timeZone });
    if (no.refusal.reason === 'NOT_FOUND') networkQueues.miss(context.caller.address, asker.now);
    return () => answerNo(reply, no);
  }
  const offer = decision.offers?.find(({ id }) => id === body.offerId);
  const step = offer && paidStepOf(offer, question);
  if (step === undefined || !(await isFollowed(call, question, step)))
    return () => sayRefusal(reply, 'VALIDATION', { field: 'offerId' });
  const { asked, later } = step;
  const isWhole = later.length === 0;
  const sold =
    asked.kind === 'fan_sub'
      ? await subscriptionFor(call, question, asked)
      : soldFor(asked, body.amountCents, {
          albums: question.link.albumIds.length,
          limit: await findTipLimit(engines, question.viewer?.viewerId),
        });
  if (!('kind' in sold)) return () => sayRefusal(reply, sold.code, sold.more);
  // Nobody pays for what would then be refused.
  const { link, facts } = question;
  const paid = decide(
    link,
    // What is a step of several leads to a price or a tip that is the last one.
    sold.tierId === undefined || !isWhole
      ? asIfBought(link, facts)
      : asIfSubscribed(facts, { tierId: sold.tierId, albumIds: link.albumIds }),
  );
  if (paid.ok) return { question, decision, sold: { ...sold, isWhole } };
  return () => answerNo(reply, sayNo(question, paid, asker.now, { timeZone: body.timeZone }));
}

/** Returns whether what has to follow a step can be had as well. */
async function isFollowed({ engines }: Call, { creatorId, link }: Question, step: PaidStep): Promise<boolean> {
  if (step.later.length === 0) return true;
  return canFollow(step, await listActiveTiers(engines.database, creatorId), link.albumIds);
}

/** The tier that is wished for, at its price as it was shown. */
async function subscriptionFor(
  { engines, opener, body }: Call,
  { creatorId, link }: Question,
  asked: Extract<Asked, { kind: 'fan_sub' }>,
): Promise<Omit<Payable['sold'], 'isWhole'> | { code: 'PRICE_CHANGED' | 'CONFLICT'; more?: object }> {
  const { tierId, months, amountCents } = body;
  const tiers = tiersFor(asked, await listActiveTiers(engines.database, creatorId), link.albumIds);
  const tier = tiers.find(({ id }) => id === tierId);
  if (tier === undefined || termCents(tier, months) !== amountCents) return { code: 'PRICE_CHANGED' };
  if (await isSubscribedElsewhere(engines, { secretHash: opener.secretHash, tier }))
    return { code: 'CONFLICT', more: { message: subscribedElsewhere } };
  return { kind: 'fan_sub', tierId: tier.id, months, minCents: amountCents };
}

/** What is bought with an amount, or why it buys nothing: what a page says that something costs is never believed. */
function soldFor(
  asked: Exclude<Asked, { kind: 'fan_sub' }>,
  amountCents: number,
  { albums, limit }: { albums: number; limit: TipLimit },
): Omit<Payable['sold'], 'isWhole'> | { code: 'PRICE_CHANGED' | 'PRICE_OUT_OF_RANGE'; more?: object } {
  if (asked.kind === 'pay')
    return amountCents === asked.priceCents
      ? { kind: albums > 1 ? 'bundle' : 'album', minCents: asked.priceCents }
      : { code: 'PRICE_CHANGED' };
  if (amountCents >= asked.minCents && amountCents <= limit.mostCents) return { kind: 'tip', minCents: asked.minCents };
  const message = describeTipRange(amountCents, asked.minCents, limit);
  return { code: 'PRICE_OUT_OF_RANGE', more: { field: 'amountCents', message } };
}

/** @returns undefined when the facts have changed */
async function order(call: Call, { question, decision, sold }: Payable): Promise<Say | undefined> {
  const { engines, context, reply, slug, body, opener, asker } = call;
  const { amountCents, message, isAnonymous, shownTerms } = body;
  const network = namedNetworkOf(context.caller.address);
  const ordered = await orderSale(engines, counterOf(question, slug), opener, {
    ...sold,
    amountCents,
    message,
    isAnonymous,
    shownTerms,
    network: network && hashKey(engines.keys, 'place', network),
  });
  if (ordered === 'again') return undefined;
  if (ordered === 'crowded') return () => sayRefusal(reply, 'UNAVAILABLE', busyNetwork);
  if (ordered === 'spent') return () => sayRefusal(reply, 'BUYER_LIMIT');
  if (ordered === 'full') {
    const full = sayNo(question, { ok: false, reason: 'VIEWERS_FULL' }, asker.now);
    return () => answerNo(reply, full);
  }
  if (ordered === 'not_accepting') {
    const refused = { ok: false, reason: 'NEED_OFFER' } as const;
    const no = await withSale(engines, question, decision, sayNo(question, refused, asker.now));
    return () => answerNo(reply, no);
  }
  if ('pause' in ordered) return () => sayRefusal(reply, 'RATE_LIMITED', describePause(ordered.pause, nowOf(engines)));
  if ('heldUntil' in ordered)
    return () => sayRefusal(reply, 'RATE_LIMITED', heldFor(ordered.heldUntil, nowOf(engines)));
  keepViewerCookie(context); // the order is written for it
  return () => reply.header('cache-control', 'no-store').send(ordered);
}

const busyNetwork = {
  retryAfter: 60,
  message: 'Several people on your network are paying for this link right now. Please try again in a few minutes.',
};

function heldFor(until: Date, now: Date): { retryAfter: number; message: string } {
  const ms = until.getTime() - now.getTime();
  const minutes = formatCount(Math.ceil(ms / minuteMs), 'minute');
  return {
    retryAfter: Math.ceil(ms / secondMs),
    message: `Your place is held for the payment you started. Finish that payment, or try again in ${minutes}.`,
  };
}
