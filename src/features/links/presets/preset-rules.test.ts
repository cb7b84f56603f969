import { describe, expect, it } from 'vitest';
import { type ExpiryInput, LinkRulesInput } from '../contract.ts';
import { Policy } from '../policy.ts';
import { presetOf, presets } from '../rules.ts';
import { findOwnPreset, toPreset, withPreset, withReadyPreset } from './preset-rules.ts';

const week: ExpiryInput = { kind: 'after', hours: 168 };
const rulesOf = (input: object) => LinkRulesInput.parse(input);

describe('an own preset', () => {
  it('keeps neither an age nor a day: those are said again for each link', () => {
    const rules = rulesOf({ ageGate: false, notBefore: '2026-12-01T00:00:00Z', maxVisits: 3 });
    const kept = toPreset(rules, { kind: 'at', at: new Date('2026-12-20T00:00:00Z') }, 30);
    expect(kept.rules).not.toHaveProperty('ageGate');
    expect(kept.rules).not.toHaveProperty('notBefore');
    expect(kept.rules).toMatchObject({ maxVisits: 3 });
    expect(kept.expiry).toEqual({ kind: 'after', hours: 720 });
    expect(toPreset(rules, { kind: 'never' }, 30).expiry).toEqual({ kind: 'never' });
  });
  it('leaves the age and the first day of a link as they are', () => {
    const preset = toPreset(rulesOf({ maxVisits: 3 }), week, 30);
    const asked = withPreset(rulesOf({ ageGate: false, notBefore: '2026-12-01T00:00:00Z', maxVisits: 9 }), preset);
    expect(asked).toEqual(rulesOf({ ageGate: false, notBefore: '2026-12-01T00:00:00Z', maxVisits: 3 }));
    expect(withPreset(rulesOf({}), preset)).toEqual(rulesOf({ maxVisits: 3 }));
  });
  it('is known again by its rules and its end, however they are written', () => {
    const preset = { id: 'a', ...toPreset(rulesOf({ maxVisits: 3, openForMs: 86_400_000 }), week, 30) };
    const draft = { ...rulesOf({ openForMs: 86_400_000, maxVisits: 3, ageGate: false }), maxViewers: undefined };
    expect(findOwnPreset([preset], { rules: draft, expiry: week })?.id).toBe('a');
    expect(findOwnPreset([preset], { rules: draft, expiry: { kind: 'never' } })).toBeUndefined();
    expect(findOwnPreset([preset], { rules: { ...draft, maxVisits: 4 }, expiry: week })).toBeUndefined();
  });
});

describe('a ready-made preset', () => {
  /** What no preset speaks of, all of it set. */
  const chosen = {
    ageGate: false,
    email: { verify: true, allow: ['lena@example.com'] },
    agreementId: '01890000-0000-7000-8000-000000000001',
    geo: { mode: 'allow', countries: ['DE'], whenUnknown: 'deny' },
    notBefore: '2026-12-01T00:00:00Z',
    maxVisits: 3,
    maxConcurrent: 1,
    mark: 'tiled',
    blurWhenUnfocused: false,
  };
  const limits = [{ viewBudgetMs: 600_000 }, { openForMs: 7_200_000 }, { maxViewers: 5 }, { bindFirstViewer: true }];

  it.each(presets.map((preset) => [preset.label, preset] as const))(
    '"%s" leaves every rule that it does not speak of as it was chosen, and is known again',
    (_label, preset) => {
      for (const limit of limits) {
        const after = withReadyPreset(rulesOf({ ...chosen, ...limit }), preset);
        expect(after).toEqual(rulesOf({ ...chosen, ...preset.rules }));
        expect(presetOf(Policy.parse(after))).toBe(preset.id);
      }
    },
  );
  it('leaves what the link costs, where it names no price of its own', () => {
    const paid = rulesOf({ offers: [{ id: 'pay', all: [{ kind: 'pay', priceCents: 2500 }] }] });
    for (const preset of presets)
      expect(withReadyPreset(paid, preset).offers).toEqual(preset.rules.offers ?? paid.offers);
  });
});
