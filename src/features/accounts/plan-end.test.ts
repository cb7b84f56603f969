import { describe, expect, it } from 'vitest';
import { personInTrial } from '#tests/support/person-in-trial.ts';
import type { Me } from './contract.ts';
import { describeNoAccess } from './plan-end.ts';

describe('what stands on home without access', () => {
  const without: Me = { ...personInTrial, hasAccess: false, isSubscribed: false, subscriptionStatus: null };
  it('tells a person without a plan that one is required, why, and what is kept', () => {
    const { title, text } = describeNoAccess(without);
    expect(title).toBe('Subscription required');
    expect(text).toMatch(/^This account has no plan\..*are kept for at least 90 days\..*“Temporarily unavailable”/);
  });
  it('tells a person whose plan is paused until when, where that is known', () => {
    const paused = { ...without, subscriptionStatus: 'inactive', planIsPaused: true };
    const { title, text } = describeNoAccess({ ...paused, planPausedUntil: new Date('2027-01-02T12:00:00Z') });
    expect([title, text]).toEqual([
      'Your plan is paused',
      expect.stringMatching(/2027\. Then it resumes automatically/),
    ]);
    expect(describeNoAccess(paused).text).toMatch(
      /^Your plan is paused\. Nothing is charged until you resume it\. Everything/,
    );
  });
  it('never speaks of a plan to a person whose account is suspended', () => {
    for (const subscriptionStatus of ['active', 'trialing', null])
      expect(describeNoAccess({ ...without, subscriptionStatus, isStopped: true })).toEqual({
        title: 'Your account is suspended',
        text: 'Nobody can open your links until this is resolved.',
      });
  });
});
