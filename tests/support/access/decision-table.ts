import type { Reason } from '#features/access/contract.ts';
import type { Facts, GrantFact } from '#features/access/rules.ts';
import type { Condition, Policy } from '#features/links/policy.ts';
import type { State } from './random-states.ts';

/**
 * The order in which a link answers, row by row as the product describes it, written without a look at `decide`: the first row that
 * holds is the answer. It is slow and plain on purpose; `decision-laws.ts` compares both.
 */

const isLive = ({ revokedAt, expiresAt }: GrantFact, { now }: Facts) =>
  revokedAt === undefined && !(expiresAt !== undefined && now >= expiresAt);

/** Live grants of these sources together cover every album of the link. */
const isCovered = ({ link, facts }: State, ...sources: GrantFact['source'][]) =>
  link.albumIds.every((album) =>
    facts.grants.some(
      (grant) => sources.includes(grant.source) && isLive(grant, facts) && grant.albumIds.includes(album),
    ),
  );

const fansNow = ({ fanSubs, now }: Facts) => fanSubs.filter(({ endsAt }) => !(endsAt !== undefined && now >= endsAt));

const isMet = (state: State, condition: Condition): boolean => {
  const { link, facts } = state;
  if (condition.kind === 'free') return true;
  if (condition.kind === 'pay') return isCovered(state, 'purchase', 'manual');
  if (condition.kind === 'tip') return facts.tips.filter((cents) => cents >= condition.minCents).length > 0;
  if (condition.kind === 'approval') return facts.request === 'approved' && isCovered(state, 'approval', 'manual');
  const ofTier = fansNow(facts).filter(
    ({ tierId }) => condition.tierIds.length === 0 || condition.tierIds.includes(tierId),
  );
  return ofTier.some(({ albumIds }) => albumIds === 'all' || link.albumIds.every((album) => albumIds.includes(album)));
};

/** What the rows ask about besides the link and the facts. */
interface Known extends State {
  /** `grant`, or the offer that is met. */
  via: string | undefined;
  isPaid: boolean;
  /** Gates and limits that bind this viewer: those under which they bought, else the present ones. */
  terms: Policy;
}

function knownOf(state: State): Known {
  const { link, facts } = state;
  const isHeld = isCovered(state, 'purchase', 'custom', 'manual');
  const offer = link.policy.offers.find(({ all }) => all.every((condition) => isMet(state, condition)));
  const isOfferPaid = !isHeld && offer !== undefined && offer.all.some(({ kind }) => kind === 'tip' || kind === 'pay');
  return {
    ...state,
    via: isHeld ? 'grant' : offer?.id,
    isPaid: isCovered(state, 'purchase', 'custom') || isOfferPaid,
    terms: (isHeld ? facts.boughtUnder : undefined) ?? link.policy,
  };
}

const isFull = ({ facts, terms }: Known) =>
  !facts.isKnownViewer &&
  ((terms.bindFirstViewer === true && facts.viewersKnown >= 1) ||
    (terms.maxViewers !== undefined && facts.viewersKnown >= terms.maxViewers));

const arePeopleCounted = ({ terms }: Known) => terms.bindFirstViewer === true || terms.maxViewers !== undefined;

function isElsewhere({ link: { policy }, facts: { country } }: Known): boolean {
  if (policy.geo === undefined) return false;
  if (country === undefined) return policy.geo.whenUnknown === 'deny';
  const isListed = policy.geo.countries.includes(country);
  return policy.geo.mode === 'allow' ? !isListed : isListed;
}

function isOnList({ terms, facts }: Known): boolean {
  const allow = terms.email?.allow ?? [];
  const email = (facts.passed.email ?? '').toLowerCase();
  return allow.length === 0 || allow.some((entry) => (entry.startsWith('@') ? email.endsWith(entry) : email === entry));
}

const asksFor = ({ link }: Known, kind: Condition['kind']) =>
  link.policy.offers.some(({ all }) => all.some((one) => one.kind === kind));
/** There is nothing to pay, only somebody to ask. */
const isAskOnly = (known: Known) => !asksFor(known, 'pay') && !asksFor(known, 'tip') && !asksFor(known, 'fan_sub');
const isUnmet = ({ via }: Known) => via === undefined;
const opensAtOf = ({ terms }: Known) =>
  terms.notBefore === undefined ? undefined : new Date(terms.notBefore).getTime();
const isReached = (end: number | undefined, { now }: Facts) => end !== undefined && now >= end;

type Row = readonly [reason: Reason, holds: (known: Known) => boolean];
const rows: readonly Row[] = [
  // Product 8.1: a withdrawn consent locks at once; without the consent of everybody shown nothing is published.
  ['TAKEN_DOWN', ({ facts }) => facts.takenDown || facts.consent === 'withdrawn'],
  ['VIEWER_BLOCKED', ({ facts }) => facts.viewerBlocked],
  ['REVOKED', ({ link }) => link.revokedAt !== undefined],
  // Money that is with a bank or went back by one (product 10.4): what it paid for is closed, another right is not.
  ['ON_HOLD', ({ facts }) => facts.isDeliveryHeld === true],
  ['ON_HOLD', ({ facts, via }) => facts.payback === 'disputed' && via === undefined],
  ['PAYMENT_RETURNED', ({ facts, via }) => facts.payback !== undefined && via === undefined],
  // What was delivered was paid for, whatever becomes of the creator's plan.
  [
    'CREATOR_PAUSED',
    ({ facts, isPaid }) => facts.creatorPaused && !isPaid && fansNow(facts).length === 0 && facts.isDelivery !== true,
  ],
  ['ALBUM_UNAVAILABLE', ({ facts }) => !facts.albumReady || facts.consent !== undefined],
  ['NOT_YET', (known) => known.facts.now < (opensAtOf(known) ?? -Infinity)],
  ['EXPIRED', ({ link, facts, isPaid }) => isReached(link.expiresAt, facts) && !isPaid],
  ['GEO_BLOCKED', isElsewhere],
  // Product 9.2: what a link is protected with is that of the terms.
  ['NEED_PHONE', ({ terms, facts }) => facts.isDesktop && terms.desktopAllowed === false],
  // Decision 0053: what is used up goes to who can come back with it. What a creator is asked for is given to a cookie as well.
  [
    'NEED_COOKIE',
    (known) =>
      !known.facts.keepsCookie &&
      !known.facts.isKnownViewer &&
      !isFull(known) &&
      (arePeopleCounted(known) ||
        known.terms.maxVisits !== undefined ||
        (isUnmet(known) && asksFor(known, 'approval'))),
  ],
  ['NEED_AGE', ({ link, facts }) => link.policy.ageGate && !facts.passed.age],
  ['NEED_PASSWORD', ({ terms, facts }) => terms.password && !facts.passed.password],
  ['NEED_EMAIL', ({ terms, facts }) => terms.email !== undefined && facts.passed.email === undefined],
  ['EMAIL_NOT_ALLOWED', (known) => known.terms.email !== undefined && !isOnList(known)],
  [
    'NEED_AGREEMENT',
    ({ terms, facts }) => terms.agreementId !== undefined && facts.passed.agreementId !== terms.agreementId,
  ],
  ['VIEWERS_FULL', isFull],
  // Decision 0053: places are for people.
  ['NEED_BROWSER', (known) => known.facts.isProgram && arePeopleCounted(known)],
  ['APPROVAL_PENDING', (known) => isUnmet(known) && isAskOnly(known) && known.facts.request === 'pending'],
  ['APPROVAL_DENIED', (known) => isUnmet(known) && isAskOnly(known) && known.facts.request === 'denied'],
  ['NEED_APPROVAL', (known) => isUnmet(known) && isAskOnly(known)],
  ['NEED_OFFER', isUnmet],
  [
    'VISITS_USED',
    ({ terms, facts }) => !facts.visitOpen && terms.maxVisits !== undefined && facts.visits >= terms.maxVisits,
  ],
  [
    'TIMED_OUT',
    ({ terms, facts }) =>
      terms.openForMs !== undefined &&
      isReached(facts.firstLookAt === undefined ? undefined : facts.firstLookAt + terms.openForMs, facts),
  ],
  // Decision 0039: what is lent is used up like what is watched.
  [
    'TIME_USED',
    ({ terms: { viewBudgetMs }, facts }) =>
      viewBudgetMs !== undefined && (facts.watchedMs >= viewBudgetMs || facts.lentMs >= viewBudgetMs),
  ],
  ['CONCURRENT', ({ terms, facts }) => !facts.visitOpen && facts.concurrent >= terms.maxConcurrent],
];

/** What the table says of a state; `via` where it opens, `until` where the row itself names a moment. */
export type TableAnswer = { reason: Reason; until?: number | undefined } | { reason: 'OK'; via: string };

export function readTable(state: State): TableAnswer {
  const known = knownOf(state);
  const reason = rows.find(([, holds]) => holds(known))?.[0];
  if (reason === undefined) return { reason: 'OK', via: String(known.via) };
  if (reason === 'NOT_YET') return { reason, until: opensAtOf(known) };
  return reason === 'EXPIRED' ? { reason, until: state.link.expiresAt } : { reason };
}

/** The same state at a later moment, while the viewer looks on. */
const agedTo = ({ link, facts }: State, at: number): State => ({
  link,
  facts: {
    ...facts,
    now: at,
    visitOpen: true,
    firstLookAt: facts.firstLookAt ?? facts.now,
    watchedMs: facts.watchedMs + at - facts.now,
  },
});

/** The first moment at which an open link no longer opens on the same account; found by trying every moment that anything names. */
export function readEnd(state: State): number | undefined {
  const { link, facts } = state;
  const { terms, via } = knownOf(state);
  const moments = [
    link.expiresAt,
    (facts.firstLookAt ?? facts.now) + (terms.openForMs ?? Number.NaN),
    facts.now + (terms.viewBudgetMs ?? Number.NaN) - facts.watchedMs,
    ...facts.grants.map(({ expiresAt }) => expiresAt),
    ...facts.fanSubs.map(({ endsAt }) => endsAt),
  ].filter((at) => at !== undefined && at > facts.now);
  return moments
    .filter((at) => at !== undefined)
    .toSorted((a, b) => a - b)
    .find((at) => {
      const later = readTable(agedTo(state, at));
      return later.reason !== 'OK' || later.via !== via;
    });
}
