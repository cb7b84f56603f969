import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Condition, Policy } from '#features/links/policy.ts';
import { hour, iso, now, offer, policyOf, purchase } from '#tests/support/decisions.ts';
import { asIfBought } from './bought.ts';
import type { Reason } from './contract.ts';
import { decide, type Facts, type GrantFact, type LinkRules } from './rules.ts';

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

type State = { link: LinkRules; facts: Facts };

/** Takes choices out of bytes, one byte each. */
interface Draw {
  pick: <T>(...choices: readonly T[]) => T;
  moment: () => number | undefined;
}

function drawFrom(bytes: Uint8Array): Draw {
  let at = 0;
  const pick: Draw['pick'] = <T>(...choices: readonly T[]) => choices[(bytes[at++] ?? 0) % choices.length] as T;
  return { pick, moment: () => pick(undefined, now - hour, now - 1, now, now + 1, now + hour) };
}

const conditions: readonly Condition[] = [
  { kind: 'free' },
  { kind: 'pay', priceCents: 1000 },
  { kind: 'tip', minCents: 500 },
  { kind: 'fan_sub', tierIds: [] },
  { kind: 'approval' },
];

function drawPolicy({ pick, moment }: Draw): Policy {
  const opensAt = moment();
  return {
    ...policyOf(),
    notBefore: opensAt === undefined ? undefined : iso(opensAt),
    openForMs: pick(undefined, 1, hour),
    viewBudgetMs: pick(undefined, hour),
    maxVisits: pick(undefined, 1, 3),
    maxViewers: pick(undefined, 1, 2),
    bindFirstViewer: pick(undefined, true),
    maxConcurrent: pick(2, 1),
    ageGate: pick(false, true),
    password: pick(false, true),
    email: pick(undefined, { verify: true, allow: [] }, { verify: true, allow: ['@x.com'] }),
    agreementId: pick(undefined, 'g'),
    geo: pick(undefined, { mode: 'allow', countries: ['DE'], whenUnknown: pick('allow', 'deny') }),
    offers: Array.from({ length: pick(1, 2) }, (_, n) => ({
      id: `offer-${n}`,
      all: Array.from({ length: pick(1, 2) }, () => pick(...conditions)),
    })),
  };
}

const drawGrant = ({ pick, moment }: Draw): GrantFact => ({
  albumIds: pick(['a'], ['a', 'b'], ['b']),
  source: pick('purchase', 'manual', 'approval', 'custom', 'tip', 'sub', 'fan_pass'),
  expiresAt: moment(),
  revokedAt: pick(undefined, undefined, now - 1),
});

function drawFacts(draw: Draw): Facts {
  const { pick, moment } = draw;
  return {
    now,
    takenDown: pick(false, false, false, false, true),
    viewerBlocked: pick(false, false, false, false, true),
    creatorPaused: pick(false, false, true),
    albumReady: pick(true, true, true, false),
    country: pick(undefined, 'DE', 'FR'),
    passed: {
      age: pick(true, false),
      password: pick(true, false),
      email: pick('bob@x.com', undefined, 'eve@xx.com'),
      agreementId: pick('g', undefined, 'old'),
    },
    request: pick(undefined, 'approved', 'pending', 'denied'),
    grants: Array.from({ length: pick(0, 1, 2, 3) }, () => drawGrant(draw)),
    boughtUnder: pick(undefined, undefined, drawPolicy(draw)),
    tips: pick([], [499], [500]),
    fanSubs: pick([], [{ tierId: 't', albumIds: 'all', endsAt: moment() }], [{ tierId: 't', albumIds: ['a'] }]),
    firstLookAt: pick(undefined, now - hour, now - hour + 1, now + hour),
    watchedMs: pick(0, hour - 1, hour),
    lentMs: pick(0, 0, hour - 1, hour),
    visits: pick(0, 1, 3),
    visitOpen: pick(true, false),
    viewersKnown: pick(0, 1, 2),
    isKnownViewer: pick(true, false),
    keepsCookie: pick(true, true, false),
    isProgram: pick(false, false, true),
    concurrent: pick(0, 1, 2),
    payback: pick(undefined, undefined, undefined, 'disputed', 'charged_back'),
    isDeliveryHeld: pick(undefined, false, false, true),
    isDelivery: pick(undefined, false, false, true),
  };
}

/** A whole state out of 96 bytes, which is quick to draw and shrinks to a state where nothing is wrong. */
function stateOf(bytes: Uint8Array): State {
  const draw = drawFrom(bytes);
  const { pick, moment } = draw;
  const link = {
    albumIds: pick(['a'], ['a', 'b']),
    revokedAt: pick(undefined, undefined, undefined, now - 1),
    expiresAt: moment(),
    policy: drawPolicy(draw),
  };
  return { link, facts: drawFacts(draw) };
}

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
  TAKEN_DOWN: (state) => known(state, { takenDown: false }),
  VIEWER_BLOCKED: (state) => known(state, { viewerBlocked: false }),
  REVOKED: (state) => rules(state, { revokedAt: undefined }),
  ON_HOLD: (state) => known(state, { payback: 'charged_back', isDeliveryHeld: false }),
  PAYMENT_RETURNED: (state) => known(state, { payback: undefined }),
  CREATOR_PAUSED: (state) => known(state, { creatorPaused: false }),
  ALBUM_UNAVAILABLE: (state) => known(state, { albumReady: true }),
  NOT_YET: (state) => terms(state, { notBefore: undefined }),
  EXPIRED: (state) => rules(state, { expiresAt: undefined }),
  GEO_BLOCKED: (state) => terms(state, { geo: undefined }),
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

describe('in random states', () => {
  const bytes = fc.uint8Array({ minLength: 96, maxLength: 96 });
  it('the first reason is told (200,000 states), and mending it never uncovers an earlier one', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(bytes, (drawn) => {
        const state = stateOf(drawn);
        const decision = decideOf(state);
        seen.add(decision.ok ? 'OK' : decision.reason);
        if (decision.ok) return true;
        const next = decideOf(mends[decision.reason](state));
        return next.ok || order.indexOf(next.reason) > order.indexOf(decision.reason);
      }),
      { numRuns: 200_000 },
    );
    expect([...seen].sort()).toEqual([...order.filter((reason) => reason !== 'NOT_FOUND'), 'OK'].sort());
  });

  it('taken down, blocked and revoked beat everything, in this order, whatever was paid', () => {
    fc.assert(
      fc.property(bytes, (drawn) => {
        const { link, facts } = stateOf(drawn);
        const reason = facts.takenDown
          ? 'TAKEN_DOWN'
          : facts.viewerBlocked
            ? 'VIEWER_BLOCKED'
            : link.revokedAt !== undefined
              ? 'REVOKED'
              : undefined;
        const decision = decide(link, facts);
        return reason === undefined || (!decision.ok && decision.reason === reason);
      }),
      { numRuns: 50_000 },
    );
  });

  it('an end never lies in the past, and taking rules away never locks anybody out', () => {
    fc.assert(
      fc.property(bytes, (drawn) => {
        const { link, facts } = stateOf(drawn);
        const decision = decide(link, facts);
        if (!decision.ok) return true;
        const relaxed = { ...link, expiresAt: undefined, policy: { ...link.policy, geo: undefined, ageGate: false } };
        return (decision.until ?? now + 1) > now && decide(relaxed, facts).ok;
      }),
      { numRuns: 50_000 },
    );
  });

  it('whoever is asked for money is let in once they have paid it, whatever they had used up', () => {
    fc.assert(
      fc.property(bytes, (drawn) => {
        const { link, facts } = stateOf(drawn);
        const decision = decide(link, facts);
        return decision.ok || decision.reason !== 'NEED_OFFER' || decide(link, asIfBought(link, facts)).ok;
      }),
      { numRuns: 50_000 },
    );
  });

  it('nobody looks longer than they may, by what was watched or by what was lent, whichever is more', () => {
    fc.assert(
      fc.property(bytes, fc.constantFrom(0, hour - 1, hour, 2 * hour), fc.boolean(), (drawn, underMs, isLent) => {
        const { link, facts } = stateOf(drawn);
        const isOpen = decide(link, { ...facts, watchedMs: isLent ? 0 : underMs, lentMs: isLent ? underMs : 0 }).ok;
        const budgets = [link.policy, facts.boughtUnder ?? link.policy].map((rules) => rules.viewBudgetMs ?? Infinity);
        // By whichever rules a viewer is held to, the time is over; what is left open was open without a look, too.
        if (underMs >= Math.max(...budgets)) return !isOpen;
        return underMs >= Math.min(...budgets) || isOpen === decide(link, { ...facts, watchedMs: 0, lentMs: 0 }).ok;
      }),
      { numRuns: 50_000 },
    );
  });

  it('an expired link is closed to everybody who has not paid, and a bought one is not', () => {
    fc.assert(
      fc.property(bytes, fc.integer({ min: 0, max: 10 * hour }), (drawn, sinceMs) => {
        const { link, facts } = stateOf(drawn);
        const free = { ...facts, grants: facts.grants.filter(({ source }) => source === 'manual'), tips: [] };
        const expired = decide({ ...link, expiresAt: now - sinceMs }, free);
        if (expired.ok) throw new Error('an expired link opened');
        const bought = { ...facts, grants: [purchase({ albumIds: ['a', 'b'] })] };
        return (
          decide({ ...link, expiresAt: now - sinceMs }, bought).ok ===
          decide({ ...link, expiresAt: undefined }, bought).ok
        );
      }),
      { numRuns: 20_000 },
    );
  });

  it('a decision is never early and never late: dead at its end, alive one millisecond before', () => {
    fc.assert(
      fc.property(bytes, (drawn) => {
        const { link, facts } = stateOf(drawn);
        const decision = decide(link, facts);
        if (!decision.ok || decision.until === undefined) return;
        // Watching goes on while the clock runs, as it does on an open screen.
        const later = (at: number) => ({
          ...facts,
          now: at,
          firstLookAt: facts.firstLookAt ?? now,
          watchedMs: facts.watchedMs + at - now,
          visitOpen: true,
        });
        if (!decide(link, later(decision.until - 1)).ok) throw new Error('early');
        const after = decide(link, later(decision.until));
        // Another offer or purchase may carry the viewer on, but then on its own account.
        if (after.ok && after.via === decision.via && after.until === decision.until) throw new Error('late');
      }),
      { numRuns: 10_000 },
    );
  });
});
