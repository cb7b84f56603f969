import { describe, expect, it } from 'vitest';
import { describeTerms, usualPlan } from './plan-words.ts';

describe('what the home page says of the plan', () => {
  it('is computed from the settings', () => {
    expect(describeTerms(usualPlan)).toBe('7 days free, then $3.99 a month. No card needed.');
    expect(describeTerms({ trialDays: 1, priceCents: 500 })).toBe('1 day free, then $5.00 a month. No card needed.');
  });
});
