import { describe, expect, it } from 'vitest';
import type { Condition } from '#features/links/policy.ts';
import { factsOf, now, offer, policyOf, purchase } from '#tests/support/decisions.ts';
import { findStep, withBegunOffers } from './offer-steps.ts';
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

describe('an offer of which a tip is paid', () => {
  const tip = { kind: 'tip', minCents: 500 } as const;
  const pay = { kind: 'pay', priceCents: 1500 } as const;
  const { approval } = conditions;
  const fans = (...tierIds: string[]): Condition => ({ kind: 'fan_sub', tierIds });
  const begun = (...all: Condition[]) => ({ cents: 500, offers: [offer('only', ...all)] });
  const since = (then: Condition[], ...now: Condition[][]) => {
    const offers = now.map((all, at) => offer(at === 0 ? 'only' : `other-${at}`, ...all));
    return withBegunOffers({ ...policyOf(), offers }, [begun(...then)]).offers.map(({ all }) => all);
  };

  it('stays as it was where what stands now asks for more', () => {
    for (const more of [
      [pay, { ...tip, minCents: 501 }],
      [{ ...pay, priceCents: 1501 }],
      [pay, approval],
      [pay, fans()],
      [fans()],
    ] as Condition[][])
      expect(since([tip, pay], more)).toEqual([[tip, pay]]);
    expect(since([tip, fans('a', 'b')], [tip, fans('a')])).toEqual([[tip, fans('a', 'b')]]);
    expect(since([tip, fans()], [tip, fans('a')])).toEqual([[tip, fans()]]);
  });

  it('gives way to what asks no more', () => {
    for (const less of [
      [tip, pay],
      [pay],
      [tip],
      [
        { ...tip, minCents: 499 },
        { ...pay, priceCents: 1500 },
      ],
      [{ kind: 'free' }],
    ] as Condition[][])
      expect(since([tip, pay], less)).toEqual([less]);
    expect(since([tip, fans('a')], [tip, fans('b', 'a')])).toEqual([[tip, fans('b', 'a')]]);
    expect(since([tip, fans('a')], [fans()])).toEqual([[fans()]]);
    expect(since([tip, approval], [approval])).toEqual([[approval]]);
    expect(
      since(
        [
          { ...tip, minCents: 400 },
          { ...tip, minCents: 900 },
        ],
        [{ ...tip, minCents: 800 }],
      ),
    ).toEqual([[{ ...tip, minCents: 800 }]]);
  });

  it('is none that was met whole, or that the tip was too small for', () => {
    expect(since([tip], [{ ...pay, priceCents: 9000 }])).toEqual([[{ ...pay, priceCents: 9000 }]]);
    expect(since([{ ...tip, minCents: 501 }, pay], [{ ...pay, priceCents: 9000 }])).toEqual([
      [{ ...pay, priceCents: 9000 }],
    ]);
  });

  it('takes the place of the one of its name, and leaves the others; the newest tip comes first', () => {
    const dear: Condition = { ...pay, priceCents: 9000 };
    expect(since([tip, pay], [dear], [approval])).toEqual([[approval], [tip, pay]]);
    const rules = { ...policyOf(), offers: [offer('only', dear)] };
    const tips = [begun(tip, { ...pay, priceCents: 2000 }), begun(tip, { ...pay, priceCents: 3000 })];
    expect(withBegunOffers(rules, tips).offers).toEqual([offer('only', tip, { ...pay, priceCents: 2000 })]);
    expect(withBegunOffers(rules, [])).toBe(rules);
  });
});
