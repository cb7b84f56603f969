import { describe, expect, it } from 'vitest';
import type { Condition } from '#features/links/policy.ts';
import { factsOf, now, offer, policyOf, purchase } from '#tests/support/decisions.ts';
import { findStep } from './offer-steps.ts';
import { decide, type Facts, type LinkRules } from './rules.ts';

const conditions: Readonly<Record<Condition['kind'], Condition>> = {
  free: { kind: 'free' },
  approval: { kind: 'approval' },
  tip: { kind: 'tip', minCents: 500 },
  fan_sub: { kind: 'fan_sub', tierIds: [] },
  pay: { kind: 'pay', priceCents: 1500 },
};
const kinds = Object.keys(conditions) as Condition['kind'][];

/** Every set of one to three of the five kinds. */
const sets = kinds.flatMap((a, i) => [
  [a],
  ...kinds.slice(i + 1).flatMap((b, j) => [[a, b], ...kinds.slice(i + j + 2).map((c) => [a, b, c])]),
]);

/** The facts once a step has been taken. */
const taken: Readonly<Record<Condition['kind'], (facts: Facts) => Facts>> = {
  free: (facts) => facts,
  approval: (facts) => ({
    ...facts,
    request: 'approved',
    grants: [...facts.grants, { albumIds: ['a'], source: 'approval' }],
  }),
  tip: (facts) => ({ ...facts, tips: [...facts.tips, 500] }),
  fan_sub: (facts) => ({ ...facts, fanSubs: [{ tierId: 't', albumIds: 'all', endsAt: now + 1000 }] }),
  pay: (facts) => ({ ...facts, grants: [...facts.grants, purchase({ albumIds: ['a'] })] }),
};

const linkOf = (all: readonly Condition['kind'][]): LinkRules => ({
  albumIds: ['a'],
  policy: { ...policyOf(), ageGate: false, offers: [offer('only', ...all.map((kind) => conditions[kind]))] },
});

describe('an offer of several conditions', () => {
  it('there are 25 sets of them', () => {
    expect(sets).toHaveLength(25);
  });

  it.each(sets.map((all) => [all.join(' + '), all] as const))(
    '%s opens after each of its steps, and not before',
    (_, all) => {
      const link = linkOf(all);
      const [only] = link.policy.offers;
      let facts = factsOf();
      const steps: string[] = [];
      for (
        let step = only && findStep(only, link, facts);
        step !== undefined;
        step = only && findStep(only, link, facts)
      ) {
        expect(decide(link, facts).ok).toBe(false);
        steps.push(step.next.kind);
        facts = taken[step.next.kind](facts);
      }
      expect(decide(link, facts).ok).toBe(true);
      expect(steps.toSorted()).toEqual(all.filter((kind) => kind !== 'free').toSorted());
      if (steps.includes('approval')) expect(steps[0]).toBe('approval');
      if (steps.includes('pay')) expect(steps.at(-1)).toBe('pay');
    },
  );
});
