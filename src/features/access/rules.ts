import type { Condition, Offer, Policy } from '#features/links/policy.ts';
import { minuteMs } from '#kit/time.ts';
import type { Reason } from './contract.ts';
import type { Facts, GrantFact, LinkRules } from './facts-rules.ts';
import { isCountryBlocked, isEmailAllowed, viewerLimitOf } from './policy.ts';

export type { Facts, FanFact, GrantFact, LinkRules } from './facts-rules.ts';

/** A visit goes on when the gap since its last renewal is shorter than this. */
export const visitGapMs = 10 * minuteMs;

export type Refused = { ok: false; reason: Reason; until?: number | undefined; offers?: readonly Offer[] | undefined };
/** `via` is the offer that was met, or `grant`; `until` the earliest end of what was decided. */
export type Decision =
  | {
      ok: true;
      via: string;
      until?: number | undefined;
      /** What may be watched in total, when that is limited. */
      viewBudgetMs?: number;
    }
  | Refused;

/** The end of what does not end. */
const never = Number.POSITIVE_INFINITY;

const no = (reason: Reason, more: Omit<Refused, 'ok' | 'reason'> = {}): Refused => ({ ok: false, reason, ...more });

const isLive = ({ revokedAt, expiresAt }: GrantFact, now: number) =>
  revokedAt === undefined && (expiresAt === undefined || now < expiresAt);

type Source = GrantFact['source'];
const boughtSources: readonly Source[] = ['purchase', 'custom'];
const heldSources: readonly Source[] = ['purchase', 'custom', 'manual'];
const paySources: readonly Source[] = ['purchase', 'manual'];
const approvalSources: readonly Source[] = ['approval', 'manual'];

/**
 * Returns until when live grants of these sources together open every album: the album that closes first decides.
 * Undefined when some album is not open now; infinite when nothing ends.
 */
function coveredUntil(sources: readonly Source[], albumIds: readonly string[], { grants, now }: Facts) {
  const open = grants.filter((grant) => sources.includes(grant.source) && isLive(grant, now));
  let until = never;
  for (const albumId of albumIds) {
    const ends = open.filter((grant) => grant.albumIds.includes(albumId)).map(({ expiresAt }) => expiresAt ?? never);
    if (ends.length === 0) return undefined;
    until = Math.min(until, Math.max(...ends));
  }
  return until;
}

/** Returns until when one condition is met, infinite where nothing ends it; undefined when it is not met now. */
export function metUntil(condition: Condition, albumIds: readonly string[], facts: Facts): number | undefined {
  switch (condition.kind) {
    case 'free':
      return never;
    case 'pay':
      return coveredUntil(paySources, albumIds, facts);
    case 'tip':
      return facts.tips.some((tip) => tip >= condition.minCents) ? never : undefined;
    case 'fan_sub':
      return fanUntil(condition.tierIds, albumIds, facts);
    case 'approval':
      return facts.request === 'approved' ? coveredUntil(approvalSources, albumIds, facts) : undefined;
  }
}

const activeFanSubs = ({ fanSubs, now }: Facts) => fanSubs.filter(({ endsAt }) => endsAt === undefined || now < endsAt);

function fanUntil(tierIds: readonly string[], albumIds: readonly string[], facts: Facts): number | undefined {
  const ends = activeFanSubs(facts)
    .filter(({ tierId }) => tierIds.length === 0 || tierIds.includes(tierId))
    .filter(({ albumIds: covered }) => covered === 'all' || albumIds.every((id) => covered.includes(id)))
    .map(({ endsAt }) => endsAt ?? never);
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** What a viewer's right rests on. */
interface Entitlement {
  /** `grant`, or the first offer that is met. */
  via: string | undefined;
  /** When that ends. */
  viaUntil: number;
  /** How long it is bought or tipped, which outlives the link's expiry and the creator's own plan; undefined when it is not. */
  paidUntil: number | undefined;
  /** Gates and limits that bind this viewer: a later change of rules never locks a buyer out. */
  terms: Policy;
}

/** Returns by what a viewer is let in, and on which terms. */
export function entitlementOf({ albumIds, policy }: LinkRules, facts: Facts): Entitlement {
  const heldUntil = coveredUntil(heldSources, albumIds, facts);
  if (heldUntil !== undefined) {
    const paidUntil = coveredUntil(boughtSources, albumIds, facts);
    return { via: 'grant', viaUntil: heldUntil, paidUntil, terms: facts.boughtUnder ?? policy };
  }
  for (const { id, all } of policy.offers) {
    const ends = all.map((condition) => metUntil(condition, albumIds, facts));
    if (all.length === 0 || !ends.every((end) => end !== undefined)) continue;
    const viaUntil = Math.min(...ends);
    const isPaid = all.some(({ kind }) => kind === 'tip' || kind === 'pay');
    return { via: id, viaUntil, paidUntil: isPaid ? viaUntil : undefined, terms: policy };
  }
  return { via: undefined, viaUntil: never, paidUntil: undefined, terms: policy };
}

/** What the law, the creator or the viewer's bank decided, which no step of the viewer can change. */
function refusedByOthers({ revokedAt }: LinkRules, { via, paidUntil }: Entitlement, facts: Facts): Refused | undefined {
  if (facts.takenDown || facts.consent === 'withdrawn') return no('TAKEN_DOWN');
  if (facts.viewerBlocked) return no('VIEWER_BLOCKED');
  if (revokedAt !== undefined) return no('REVOKED');
  if (facts.isDeliveryHeld === true) return no('ON_HOLD');
  // Whoever has another right besides comes in by that.
  if (facts.payback !== undefined && via === undefined)
    return no(facts.payback === 'disputed' ? 'ON_HOLD' : 'PAYMENT_RETURNED');
  const hasPaid = paidUntil !== undefined || facts.isDelivery === true || activeFanSubs(facts).length > 0;
  if (facts.creatorPaused && !hasPaid) return no('CREATOR_PAUSED');
  if (!facts.albumReady || facts.consent === 'missing') return no('ALBUM_UNAVAILABLE');
  return undefined;
}

function refusedByTime(
  { expiresAt }: LinkRules,
  { paidUntil, terms }: Entitlement,
  { now }: Facts,
): Refused | undefined {
  const opensAt = terms.notBefore === undefined ? undefined : Date.parse(terms.notBefore);
  if (opensAt !== undefined && now < opensAt) return no('NOT_YET', { until: opensAt });
  if (expiresAt !== undefined && now >= expiresAt && paidUntil === undefined)
    return no('EXPIRED', { until: expiresAt });
  return undefined;
}

/** The country is always asked by the present rules. */
const refusedByCountry = ({ policy }: LinkRules, { country }: Facts): Refused | undefined =>
  isCountryBlocked(policy, country) ? no('GEO_BLOCKED') : undefined;

/** Whoever bought on a computer goes on there. */
const refusedByDevice = ({ terms }: Entitlement, { isDesktop }: Facts): Refused | undefined =>
  isDesktop && !terms.desktopAllowed ? no('NEED_PHONE') : undefined;

/** Age is always asked by the present rules; the other gates are those of the viewer's terms. */
function refusedByGates({ policy }: LinkRules, { terms }: Entitlement, { passed }: Facts): Refused | undefined {
  if (policy.ageGate && !passed.age) return no('NEED_AGE');
  if (terms.password && !passed.password) return no('NEED_PASSWORD');
  if (terms.email !== undefined) {
    if (passed.email === undefined) return no('NEED_EMAIL');
    if (!isEmailAllowed(terms.email.allow, passed.email)) return no('EMAIL_NOT_ALLOWED');
  }
  if (terms.agreementId !== undefined && passed.agreementId !== terms.agreementId) return no('NEED_AGREEMENT');
  return undefined;
}

/** Returns whether one of these offers asks for the creator's yes. */
export const asksApproval = (offers: readonly Offer[]): boolean =>
  offers.some(({ all }) => all.some(({ kind }) => kind === 'approval'));

/** The albums of a link that the creator has opened for this viewer by hand. */
export const openAlbumsOf = ({ albumIds }: LinkRules, facts: Facts): Set<string> =>
  new Set(albumIds.filter((albumId) => coveredUntil(approvalSources, [albumId], facts) !== undefined));

const isFull = ({ terms }: Entitlement, { isKnownViewer, viewersKnown }: Facts) =>
  !isKnownViewer && viewersKnown >= viewerLimitOf(terms);

/**
 * Where people or visits are counted, a right is used up by whoever can come back with it: a browser that keeps no cookie would
 * use up a place and could never take it. What a creator is asked for is given to a cookie as well. A full link says so to
 * everybody alike.
 */
function refusedWithoutCookie({ policy }: LinkRules, entitlement: Entitlement, facts: Facts): Refused | undefined {
  const isCounted = viewerLimitOf(entitlement.terms) !== never || entitlement.terms.maxVisits !== undefined;
  const isAsked = entitlement.via === undefined && asksApproval(policy.offers);
  if (facts.keepsCookie || facts.isKnownViewer || !(isCounted || isAsked) || isFull(entitlement, facts))
    return undefined;
  return no('NEED_COOKIE');
}

/**
 * Before the offers: nobody may pay for a link that would then refuse them. Places are for people: a program is given none, so
 * nobody looks past a limit by calling themselves one, and none takes the place of a person.
 */
function refusedByPlaces(entitlement: Entitlement, facts: Facts): Refused | undefined {
  if (isFull(entitlement, facts)) return no('VIEWERS_FULL');
  return facts.isProgram && viewerLimitOf(entitlement.terms) !== never ? no('NEED_BROWSER') : undefined;
}

function refusedByOffers({ policy: { offers } }: LinkRules, { request }: Facts): Refused {
  const isAskOnly = offers.every(({ all }) => all.every(({ kind }) => kind === 'approval' || kind === 'free'));
  if (!isAskOnly || offers.length === 0) return no('NEED_OFFER', { offers });
  if (request === 'pending') return no('APPROVAL_PENDING', { offers });
  if (request === 'denied') return no('APPROVAL_DENIED', { offers });
  return no('NEED_APPROVAL', { offers });
}

/** Returns when the time from the first look is over; a look that has not begun begins now. */
const openUntil = ({ openForMs }: Policy, { firstLookAt, now }: Facts) =>
  openForMs === undefined ? never : (firstLookAt ?? now) + openForMs;

function refusedByLimits({ terms }: Entitlement, facts: Facts): Refused | undefined {
  const { now, visits, visitOpen, watchedMs, lentMs, concurrent } = facts;
  if (!visitOpen && terms.maxVisits !== undefined && visits >= terms.maxVisits) return no('VISITS_USED');
  if (now >= openUntil(terms, facts)) return no('TIMED_OUT');
  if (Math.max(watchedMs, lentMs) >= (terms.viewBudgetMs ?? never)) return no('TIME_USED');
  if (!visitOpen && concurrent >= terms.maxConcurrent) return no('CONCURRENT');
  return undefined;
}

/**
 * Returns whether this viewer may have keys now: the one function that every path to a byte, a key or a list passes.
 * The first reason that holds is the answer: the law and the creator, then the viewer's own steps, then a free place, then
 * what is paid, then what is used up. Revoked beats every purchase; what was bought outlives the link's expiry.
 * @param link undefined when there is none of that name
 */
export function decide(link: LinkRules | undefined, facts: Facts): Decision {
  if (link === undefined) return no('NOT_FOUND');
  const entitlement = entitlementOf(link, facts);
  const refused =
    refusedByOthers(link, entitlement, facts) ??
    refusedByTime(link, entitlement, facts) ??
    refusedByCountry(link, facts) ??
    refusedByDevice(entitlement, facts) ??
    refusedWithoutCookie(link, entitlement, facts) ??
    refusedByGates(link, entitlement, facts) ??
    refusedByPlaces(entitlement, facts);
  if (refused !== undefined) return refused;
  if (entitlement.via === undefined) return refusedByOffers(link, facts);
  const usedUp = refusedByLimits(entitlement, facts);
  if (usedUp !== undefined) return usedUp;
  const until = endOf(link, entitlement, facts);
  const { viewBudgetMs } = entitlement.terms;
  return {
    ok: true,
    via: entitlement.via,
    ...(until !== never && { until }),
    ...(viewBudgetMs !== undefined && { viewBudgetMs }),
  };
}

/** The earliest moment at which the same facts, grown older, no longer let this viewer in. */
function endOf(
  { expiresAt = never }: LinkRules,
  { viaUntil, paidUntil = 0, terms }: Entitlement,
  facts: Facts,
): number {
  const fansUntil = Math.max(0, ...activeFanSubs(facts).map(({ endsAt = never }) => endsAt));
  return Math.min(
    viaUntil,
    Math.max(expiresAt, paidUntil),
    facts.creatorPaused && facts.isDelivery !== true ? Math.max(paidUntil, fansUntil) : never,
    openUntil(terms, facts),
    terms.viewBudgetMs === undefined ? never : facts.now + terms.viewBudgetMs - facts.watchedMs,
  );
}

/** Returns whether every album can be shown: ready, or archived while this viewer holds a live bought grant for it. */
export function areAlbumsReady(
  albums: readonly { albumId: string; state: string }[],
  grants: readonly GrantFact[],
  now: number,
): boolean {
  const isBought = (albumId: string) =>
    grants.some(
      (grant) => boughtSources.includes(grant.source) && isLive(grant, now) && grant.albumIds.includes(albumId),
    );
  return (
    albums.length > 0 &&
    albums.every(({ albumId, state }) => state === 'ready' || (state === 'archived' && isBought(albumId)))
  );
}
