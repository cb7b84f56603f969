import { describe, expect, it } from 'vitest';
import type { Condition } from '#features/links/policy.ts';
import { compare, laws, tryLaw } from '#tests/support/access/decision-laws.ts';
import { conditionSets, drawCondition } from '#tests/support/access/random-states.ts';
import { factsOf, linkOf, offer } from '#tests/support/decisions.ts';
import { decide, type Facts } from './rules.ts';

/** A few thousand states; `npm run prove -- decisions` tries 200,000. */
describe('in random states', () => {
  for (const law of laws) it(law.says, () => tryLaw(law, law.times[0]));
});

/** What each condition waits for. */
const meets: Record<Condition['kind'], (facts: Facts) => Facts> = {
  free: (facts) => facts,
  pay: (facts) => ({ ...facts, grants: [...facts.grants, { albumIds: ['a'], source: 'purchase' }] }),
  tip: (facts) => ({ ...facts, tips: [500] }),
  fan_sub: (facts) => ({ ...facts, fanSubs: [{ tierId: 't', albumIds: 'all' }] }),
  approval: (facts) => ({
    ...facts,
    request: 'approved',
    grants: [...facts.grants, { albumIds: ['a'], source: 'approval' }],
  }),
};

describe('an offer of one to three conditions', () => {
  const withAll = (kinds: readonly Condition['kind'][]) => kinds.reduce((facts, kind) => meets[kind](facts), factsOf());
  it('opens to whoever meets all of them and to nobody who lacks one, in each of its 25 sets', () => {
    expect(conditionSets).toHaveLength(25);
    expect(new Set(conditionSets.map((kinds) => kinds.join())).size).toBe(25);
    for (const kinds of conditionSets) {
      const all = kinds.map((kind) => drawCondition({ pick: (first) => first }, kind));
      const link = linkOf({ offers: [offer('only', ...all)] });
      // Whoever has paid for everything holds it, whatever else the offer asks.
      const needed = kinds.includes('pay') ? kinds.filter((kind) => kind === 'pay') : kinds;
      const lacking = needed.filter((kind) => kind !== 'free').map((lacked) => kinds.filter((kind) => kind !== lacked));
      const states = [kinds, ...lacking].map((met) => ({ link, facts: withAll(met) }));
      for (const state of states) compare(state);
      const opens = states.map(({ facts }) => decide(link, facts).ok);
      expect([kinds, opens]).toEqual([kinds, [true, ...lacking.map(() => false)]]);
    }
  });
});
