import { describe, expect, it } from 'vitest';
import type { Me } from '#features/accounts/contract.ts';
import type { PayoutStatus } from '#features/payouts/contract.ts';
import { personInTrial } from '#tests/support/person-in-trial.ts';
import { describePlan, describeTrial, greet, hasFailedCard, isStarted, listSteps } from './rules.ts';

const now = new Date('2026-11-21T12:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000);

describe('the greeting', () => {
  it.each([
    ['2026-11-21T05:00:00Z', 'UTC', 'Good morning'],
    ['2026-11-21T11:59:59Z', 'UTC', 'Good morning'],
    ['2026-11-21T12:00:00Z', 'UTC', 'Good afternoon'],
    ['2026-11-21T18:00:00Z', 'UTC', 'Good evening'],
    ['2026-11-21T00:30:00Z', 'UTC', 'Good evening'],
    ['2026-11-21T18:00:00Z', 'America/Los_Angeles', 'Good morning'],
    ['2026-11-21T12:00:00Z', 'Asia/Tokyo', 'Good evening'],
  ])('at %s in %s is "%s"', (at, timeZone, words) => {
    expect(greet(new Date(at), timeZone)).toBe(words);
  });
});

describe('the first steps', () => {
  const nothing = { hasPhoto: false, hasLink: false, isShared: false };
  const states = (progress: typeof nothing, account: PayoutStatus = 'none') =>
    listSteps(progress, account).map(({ state }) => state);

  it('begin with the first and leave the others for later', () => {
    expect(states(nothing)).toEqual(['next', 'later', 'later', 'later']);
  });
  it('follow the data, whatever was done first', () => {
    expect(states({ ...nothing, hasPhoto: true })).toEqual(['done', 'next', 'later', 'later']);
    expect(states({ ...nothing, hasLink: true })).toEqual(['next', 'done', 'later', 'later']);
    expect(states({ ...nothing, hasLink: true, isShared: true })).toEqual(['next', 'done', 'done', 'later']);
  });
  it('are named in the order in which they are taken', () => {
    expect(listSteps(nothing, 'none').map(({ title }) => title)).toEqual([
      'Upload',
      'Create a magic link',
      'Share it',
      'Get paid',
    ]);
  });
  it('end with a payout account, which waits its turn', () => {
    const all = { hasPhoto: true, hasLink: true, isShared: true };
    expect(states(all)).toEqual(['done', 'done', 'done', 'next']);
    expect(states(all, 'pending')).toEqual(['done', 'done', 'done', 'next']);
    expect(states(nothing, 'complete')).toEqual(['next', 'later', 'later', 'done']);
    expect(listSteps(all, 'none').at(-1)).toMatchObject({ title: 'Get paid', to: '/earnings' });
    expect(isStarted(listSteps(all, 'none'))).toBe(false);
    expect(isStarted(listSteps(all, 'complete'))).toBe(true);
    expect(isStarted(listSteps({ ...all, isShared: false }, 'complete'))).toBe(false);
  });
  it('hold nobody up with payouts where nothing can be sold', () => {
    const steps = listSteps({ hasPhoto: true, hasLink: true, isShared: true }, 'off');
    expect(steps.at(-1)).toMatchObject({ title: 'Get paid', to: undefined, state: 'later' });
    expect(isStarted(steps)).toBe(true);
  });
  it('ask nobody to connect payouts whose account was closed', () => {
    const steps = listSteps({ hasPhoto: true, hasLink: true, isShared: true }, 'closed');
    expect(steps.at(-1)).toMatchObject({ text: 'Your payout account was closed.', to: undefined, state: 'later' });
    expect(isStarted(steps)).toBe(true);
  });
});

describe('the plan in words', () => {
  const me = (about: Partial<Me>) =>
    describePlan({
      ...({
        isAdmin: false,
        isFreeUser: false,
        subscriptionStatus: 'active',
        trialEndsAt: null,
        freeUntil: null,
      } as Me),
      now,
      plan: { trialDays: 7, priceCents: 399, commissionPercent: 10, isSold: true },
      ...about,
    }).title;

  it.each([
    [{}, "You're subscribed"],
    [{ subscriptionStatus: 'past_due' }, 'Not paid yet'],
    [{ subscriptionStatus: 'past_due', isFreeUser: true }, 'Free access'],
    [{ subscriptionStatus: 'trialing', trialEndsAt: inDays(5) }, 'Trial: 5 days left'],
    [{ isFreeUser: true, subscriptionStatus: 'trialing', trialEndsAt: inDays(5) }, 'Free access'],
    [{ isAdmin: true, isFreeUser: true }, 'Admin access'],
  ] as const)('%j is "%s"', (about, title) => {
    expect(me(about)).toBe(title);
  });
  it('tells of a card that failed whoever keeps her access by it, and nobody else', () => {
    const pastDue: Me = { ...personInTrial, subscriptionStatus: 'past_due' };
    expect(hasFailedCard(pastDue)).toBe(true);
    for (const about of [
      { subscriptionStatus: 'active' },
      { isAdmin: true },
      { isFreeUser: true },
      { hasAccess: false },
    ] as const)
      expect(hasFailedCard({ ...pastDue, ...about })).toBe(false);
  });
  it('counts a day that has begun, and never says 0 days', () => {
    expect(describeTrial(inDays(6.01), now)).toBe('Trial: 7 days left');
    expect(describeTrial(inDays(2), now)).toBe('Trial: 2 days left');
    expect(describeTrial(inDays(1), now)).toBe('Trial: last day');
    expect(describeTrial(inDays(0.01), now)).toBe('Trial: last day');
  });
});
