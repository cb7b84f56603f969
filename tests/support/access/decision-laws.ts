import fc from 'fast-check';
import { asIfBought } from '#features/access/bought.ts';
import type { Reason } from '#features/access/contract.ts';
import { decide, type Facts, type LinkRules } from '#features/access/rules.ts';
import type { Policy } from '#features/links/policy.ts';
import { hour, now, offer, purchase } from '../decisions.ts';
import { readEnd, readTable } from './decision-table.ts';
import { type State, stateBytes, stateOf } from './random-states.ts';

const order: readonly Reason[] = [
  'NOT_FOUND',
  'TAKEN_DOWN',
  'VIEWER_BLOCKED',
  'REVOKED',
  'ON_HOLD',
  'PAYMENT_RETURNED',
  'CREATOR_PAUSED',
  'ALBUM_UNAVAILABLE',
  'NOT_YET',
  'EXPIRED',
  'GEO_BLOCKED',
  'NEED_PHONE',
  'NEED_COOKIE',
  'NEED_AGE',
  'NEED_PASSWORD',
  'NEED_EMAIL',
  'EMAIL_NOT_ALLOWED',
  'NEED_AGREEMENT',
  'VIEWERS_FULL',
  'NEED_BROWSER',
  'NEED_APPROVAL',
  'APPROVAL_PENDING',
  'APPROVAL_DENIED',
  'NEED_OFFER',
  'VISITS_USED',
  'TIMED_OUT',
  'TIME_USED',
  'CONCURRENT',
];

const terms = ({ link, facts }: State, change: Partial<Policy>): State => ({
  link: { ...link, policy: { ...link.policy, ...change } },
  facts: { ...facts, boughtUnder: facts.boughtUnder && { ...facts.boughtUnder, ...change } },
});
const rules = ({ link, facts }: State, change: Partial<LinkRules>): State => ({ link: { ...link, ...change }, facts });
const known = ({ link, facts }: State, change: Partial<Facts>): State => ({ link, facts: { ...facts, ...change } });
const passed = (state: State, change: Partial<Facts['passed']>) =>
  known(state, { passed: { ...state.facts.passed, ...change } });
const forNothing = { offers: [offer('now', { kind: 'free' })] };

/** The one change that makes a reason go away. */
const mends: Record<Reason, (state: State) => State> = {
  NOT_FOUND: (state) => state,
  TAKEN_DOWN: (state) => known(state, { takenDown: false, consent: undefined }),
  VIEWER_BLOCKED: (state) => known(state, { viewerBlocked: false }),
  REVOKED: (state) => rules(state, { revokedAt: undefined }),
  ON_HOLD: (state) => known(state, { payback: 'charged_back', isDeliveryHeld: false }),
  PAYMENT_RETURNED: (state) => known(state, { payback: undefined }),
  CREATOR_PAUSED: (state) => known(state, { creatorPaused: false }),
  ALBUM_UNAVAILABLE: (state) => known(state, { albumReady: true, consent: undefined }),
  NOT_YET: (state) => terms(state, { notBefore: undefined }),
  EXPIRED: (state) => rules(state, { expiresAt: undefined }),
  GEO_BLOCKED: (state) => terms(state, { geo: undefined }),
  NEED_PHONE: (state) => known(state, { isDesktop: false }),
  NEED_COOKIE: (state) => known(state, { keepsCookie: true }),
  NEED_AGE: (state) => passed(state, { age: true }),
  NEED_PASSWORD: (state) => passed(state, { password: true }),
  NEED_EMAIL: (state) => passed(state, { email: 'eve@xx.com' }),
  EMAIL_NOT_ALLOWED: (state) => passed(state, { email: 'bob@x.com' }),
  NEED_AGREEMENT: (state) => passed(state, { agreementId: 'g' }),
  VIEWERS_FULL: (state) => known(state, { isKnownViewer: true }),
  NEED_BROWSER: (state) => known(state, { isProgram: false }),
  NEED_APPROVAL: (state) => known(state, { request: 'pending' }),
  APPROVAL_PENDING: (state) => known(state, { request: 'denied' }),
  APPROVAL_DENIED: (state) => terms(state, forNothing),
  NEED_OFFER: (state) => terms(state, forNothing),
  VISITS_USED: (state) => known(state, { visits: 0 }),
  TIMED_OUT: (state) => terms(state, { openForMs: undefined }),
  TIME_USED: (state) => known(state, { watchedMs: 0, lentMs: 0 }),
  CONCURRENT: (state) => known(state, { concurrent: 0 }),
};

const decideOf = ({ link, facts }: State) => decide(link, facts);

/** What holds in every state, and in how many states it is tried: beside the code, and by the proof. */
export interface Law {
  says: string;
  times: readonly [short: number, long: number];
  /** @returns false, or throws, where it does not hold */
  holds: fc.IProperty<[Uint8Array, ...unknown[]]> | fc.IProperty<[Uint8Array]>;
  /** Whether enough was tried to believe it, once it held everywhere. */
  check?: () => void;
}

/** Throws where `decide` and the table differ. */
export function compare(state: State): void {
  const [said, read] = [decideOf(state), readTable(state)];
  if (!said.ok) {
    const isSame = said.reason === read.reason && said.until === ('until' in read ? read.until : undefined);
    if (!isSame)
      throw new Error(`decided ${said.reason} until ${said.until}, but the table says ${JSON.stringify(read)}`);
    return;
  }
  const end = readEnd(state);
  if (read.reason !== 'OK' || read.via !== said.via || said.until !== end)
    throw new Error(`decided ${JSON.stringify(said)}, but the table says ${JSON.stringify({ ...read, end })}`);
}

const reasonsSeen = new Set<string>();
/** From a state through the one change that makes each reason go away until the link opens; every state on the way is compared. */
function walkIn(drawn: Uint8Array): boolean {
  for (let [state, last] = [stateOf(drawn), -1]; ; ) {
    compare(state);
    const said = decideOf(state);
    reasonsSeen.add(said.ok ? 'OK' : said.reason);
    if (said.ok) return true;
    const place = order.indexOf(said.reason);
    if (place <= last) return false;
    [state, last] = [mends[said.reason](state), place];
  }
}

function checkWalks(): void {
  const missing = [...order.filter((reason) => reason !== 'NOT_FOUND'), 'OK'].filter((one) => !reasonsSeen.has(one));
  if (missing.length > 0) throw new Error(`not tried: ${missing.join(', ')}`);
}

const isStrongest = ({ link, facts }: State): boolean => {
  const [reason] = [
    (facts.takenDown || facts.consent === 'withdrawn') && 'TAKEN_DOWN',
    facts.viewerBlocked && 'VIEWER_BLOCKED',
    link.revokedAt !== undefined && 'REVOKED',
  ].filter(Boolean);
  const decision = decide(link, facts);
  return reason === undefined || (!decision.ok && decision.reason === reason);
};

function isRelaxedOpen({ link, facts }: State): boolean {
  const decision = decide(link, facts);
  if (!decision.ok) return true;
  const relaxed = { ...link, expiresAt: undefined, policy: { ...link.policy, geo: undefined, ageGate: false } };
  return (decision.until ?? now + 1) > now && decide(relaxed, facts).ok;
}

function isOpenOncePaid({ link, facts }: State): boolean {
  const decision = decide(link, facts);
  return decision.ok || decision.reason !== 'NEED_OFFER' || decide(link, asIfBought(link, facts)).ok;
}

/** Neither by what was watched nor by what was lent, whichever is more. */
function isWithinBudget({ link, facts }: State, underMs: number, isLent: boolean): boolean {
  const isOpen = decide(link, { ...facts, watchedMs: isLent ? 0 : underMs, lentMs: isLent ? underMs : 0 }).ok;
  const budgets = [link.policy, facts.boughtUnder ?? link.policy].map((rules) => rules.viewBudgetMs ?? Infinity);
  // By whichever rules a viewer is held to, the time is over; what is left open was open without a look, too.
  if (underMs >= Math.max(...budgets)) return !isOpen;
  return underMs >= Math.min(...budgets) || isOpen === decide(link, { ...facts, watchedMs: 0, lentMs: 0 }).ok;
}

function isClosedUnlessPaid({ link, facts }: State, sinceMs: number): boolean {
  const free = { ...facts, grants: facts.grants.filter(({ source }) => source === 'manual'), tips: [] };
  const expired = { ...link, expiresAt: now - sinceMs };
  if (decide(expired, free).ok) throw new Error('an expired link opened');
  const bought = { ...facts, grants: [purchase({ albumIds: ['a', 'b'] })] };
  return decide(expired, bought).ok === decide({ ...link, expiresAt: undefined }, bought).ok;
}

/** Dead at its end, alive one millisecond before. */
function endsOnTime({ link, facts }: State): boolean {
  const decision = decide(link, facts);
  if (!decision.ok || decision.until === undefined) return true;
  // Watching goes on while the clock runs, as it does on an open screen.
  const later = (at: number) => ({
    ...facts,
    now: at,
    firstLookAt: facts.firstLookAt ?? now,
    visitOpen: true,
    watchedMs: facts.watchedMs + at - now,
  });
  if (!decide(link, later(decision.until - 1)).ok) throw new Error('early');
  const after = decide(link, later(decision.until));
  // Another offer or purchase may carry the viewer on, but then on its own account.
  return !(after.ok && after.via === decision.via && after.until === decision.until);
}

const ofState = (holds: (state: State) => boolean) => fc.property(stateBytes, (drawn) => holds(stateOf(drawn)));

export const laws: readonly Law[] = [
  {
    says: 'each answer is that of the table, mending its reason never uncovers an earlier one, and an open link ends when the table says so',
    times: [3000, 200_000],
    holds: fc.property(stateBytes, walkIn),
    check: checkWalks,
  },
  {
    says: 'taken down, blocked and revoked beat everything, in this order, whatever was paid',
    times: [2000, 200_000],
    holds: ofState(isStrongest),
  },
  {
    says: 'an end never lies in the past, and taking rules away never locks anybody out',
    times: [2000, 200_000],
    holds: ofState(isRelaxedOpen),
  },
  {
    says: 'whoever is asked for money is let in once they have paid it, whatever they had used up',
    times: [2000, 200_000],
    holds: ofState(isOpenOncePaid),
  },
  {
    says: 'nobody looks longer than they may, by what was watched or by what was lent, whichever is more',
    times: [2000, 200_000],
    holds: fc.property(
      stateBytes,
      fc.constantFrom(0, hour - 1, hour, 2 * hour),
      fc.boolean(),
      (drawn, underMs, isLent) => isWithinBudget(stateOf(drawn), underMs, isLent),
    ),
  },
  {
    says: 'an expired link is closed to everybody who has not paid, and a bought one is not',
    times: [2000, 200_000],
    holds: fc.property(stateBytes, fc.integer({ min: 0, max: 10 * hour }), (drawn, sinceMs) =>
      isClosedUnlessPaid(stateOf(drawn), sinceMs),
    ),
  },
  {
    says: 'a decision is never early and never late: dead at its end, alive one millisecond before',
    times: [2000, 200_000],
    holds: ofState(endsOnTime),
  },
];

/** Tries a law in so many states. @throws with the state in which it does not hold, and the seed that leads there */
export function tryLaw({ holds, check }: Law, numRuns: number): void {
  fc.assert(holds as fc.IProperty<unknown>, { numRuns });
  check?.();
}
