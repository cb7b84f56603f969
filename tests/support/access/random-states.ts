import fc from 'fast-check';
import type { Facts, GrantFact, LinkRules } from '#features/access/rules.ts';
import type { Condition, Offer, Policy } from '#features/links/policy.ts';
import { hour, iso, now, policyOf } from '../decisions.ts';

/** A link and a viewer in some state. */
export type State = { link: LinkRules; facts: Facts };

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

const kinds: readonly Condition['kind'][] = ['free', 'pay', 'tip', 'fan_sub', 'approval'];

/** Every set of one to three of the five conditions. */
export const conditionSets: readonly (readonly Condition['kind'][])[] = kinds.flatMap((one, first) => [
  [one],
  ...kinds
    .slice(first + 1)
    .flatMap((two, second) => [[one, two], ...kinds.slice(first + second + 2).map((three) => [one, two, three])]),
]);

/** A condition of a kind. */
export function drawCondition({ pick }: Pick<Draw, 'pick'>, kind: Condition['kind']): Condition {
  if (kind === 'pay') return { kind, priceCents: 1000 };
  if (kind === 'tip') return { kind, minCents: 500 };
  return kind === 'fan_sub' ? { kind, tierIds: pick([], ['t'], ['other']) } : { kind };
}

const drawOffer = (draw: Draw, n: number): Offer => ({
  id: `offer-${n}`,
  all: draw.pick(...conditionSets).map((kind) => drawCondition(draw, kind)),
});

function drawPolicy(draw: Draw): Policy {
  const { pick, moment } = draw;
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
    desktopAllowed: pick(true, true, false),
    geo: pick(undefined, { mode: 'allow', countries: ['DE'], whenUnknown: pick('allow', 'deny') }),
    offers: Array.from({ length: pick(1, 1, 2, 4) }, (_, n) => drawOffer(draw, n)),
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
    isDesktop: pick(false, true),
    concurrent: pick(0, 1, 2),
    payback: pick(undefined, undefined, undefined, 'disputed', 'charged_back'),
    isDeliveryHeld: pick(undefined, false, false, true),
    isDelivery: pick(undefined, false, false, true),
    consent: pick(undefined, undefined, undefined, undefined, undefined, undefined, 'missing', 'withdrawn'),
  };
}

/** A whole state out of 160 bytes, which is quick to draw and shrinks to a state where nothing is wrong. */
export function stateOf(bytes: Uint8Array): State {
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

/** What a state is drawn from. */
export const stateBytes = fc.uint8Array({ minLength: 160, maxLength: 160 });
