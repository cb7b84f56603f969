import { describe, expect, it } from 'vitest';
import { storageLimitOf } from '../rules.ts';

const now = new Date('2026-11-21T12:00:00Z');

describe('the storage of an account', () => {
  const settings = { 'limits.storageBytes': 500, 'limits.trialStorageBytes': 2 };
  const limitAt = (subscriptionStatus: string | null, trialEndsAt: Date | null, storageExtraBytes = 0) =>
    storageLimitOf(settings, { subscriptionStatus, trialEndsAt, storageExtraBytes }, now);

  it("is the trial's share until its very end, and the plan's for everybody else", () => {
    expect(limitAt('trialing', new Date(now.getTime() + 1))).toBe(2);
    expect(limitAt('trialing', now)).toBe(500);
    for (const status of ['active', 'past_due', 'inactive', null]) expect(limitAt(status, null)).toBe(500);
  });

  it('grows by what was given on top of it', () => {
    expect([limitAt('trialing', null, 7), limitAt('active', null, 7)]).toEqual([9, 507]);
  });
});
