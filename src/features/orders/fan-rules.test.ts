import { describe, expect, it } from 'vitest';
import {
  covers,
  describeTerm,
  type FanState,
  includes,
  isRunning,
  longerTermsOf,
  termCents,
  unusedCents,
} from './fan-rules.ts';

const now = new Date('2026-11-21T12:00:00Z');
const at = (ms: number) => new Date(now.getTime() + ms);
const running: FanState = {
  status: 'active',
  isPaused: false,
  endedAt: null,
  periodEnd: at(1),
  cancelAtPeriodEnd: false,
};

describe('a subscription', () => {
  it.each(['trialing', 'active', 'past_due'])('that the provider calls %s opens', (status) => {
    expect(isRunning({ ...running, status }, now)).toBe(true);
  });
  it.each(['canceled', 'unpaid', 'incomplete', 'incomplete_expired', 'paused', 'something new'])(
    'that the provider calls %s does not',
    (status) => {
      expect(isRunning({ ...running, status }, now)).toBe(false);
    },
  );
  it('that is paused or has ended opens nothing', () => {
    expect(isRunning({ ...running, isPaused: true }, now)).toBe(false);
    expect(isRunning({ ...running, endedAt: at(-1) }, now)).toBe(false);
  });
  it('that was cancelled stays to the end of what was paid for, and is over at its very instant', () => {
    const cancelled = { ...running, cancelAtPeriodEnd: true };
    expect(isRunning(cancelled, now)).toBe(true);
    expect(isRunning(cancelled, at(1))).toBe(false);
    expect(isRunning({ ...cancelled, periodEnd: null }, now)).toBe(true);
  });
  it('whose renewal is never charged ends after sixteen days', () => {
    const late = { ...running, status: 'past_due', draftSince: at(-16 * 86_400_000 + 1) };
    expect([isRunning(late, now), isRunning(late, at(1))]).toEqual([true, false]);
  });
  it('that renews is not ended by a renewal that the provider has not told yet', () => {
    expect(isRunning(running, at(1000))).toBe(true);
  });
});

describe('what a tier opens', () => {
  const [some, all] = [
    { id: 'some', allFuture: false, albumIds: ['a', 'b'] },
    { id: 'all', allFuture: true, albumIds: [] },
  ];
  it('is every album that is wanted, or it is not enough', () => {
    expect(covers(some, ['a'])).toBe(true);
    expect(covers(some, ['a', 'b'])).toBe(true);
    expect(covers(some, ['a', 'c'])).toBe(false);
    expect(covers(all, ['c'])).toBe(true);
  });
  it('has all of another tier where there is nothing more to subscribe to', () => {
    const less = { id: 'less', allFuture: false, albumIds: ['a'] };
    expect(includes(some, less)).toBe(true);
    expect(includes(less, some)).toBe(false);
    expect(includes(all, some)).toBe(true);
    expect(includes({ ...all, id: 'other' }, all)).toBe(true);
    // What will be added one day is more than all that is there now.
    expect(includes({ ...some, albumIds: ['a', 'b', 'c'] }, all)).toBe(false);
    expect(includes(less, { ...less, albumIds: ['x'] })).toBe(true);
  });
});

describe('what goes back of a price', () => {
  const month = { amountCents: 3000, refundedCents: 0, startsAt: at(-10_000), endsAt: at(20_000) };
  it('is the part of the time that is left, rounded up for whoever paid', () => {
    expect(unusedCents(month, now)).toBe(2000);
    expect(unusedCents({ ...month, amountCents: 1000 }, now)).toBe(667);
  });
  it('is all of it before it begins, and nothing once it is over', () => {
    expect(unusedCents(month, at(-99_000))).toBe(3000);
    expect(unusedCents(month, at(20_000))).toBe(0);
    expect(unusedCents(month, at(99_000))).toBe(0);
  });
  it('is never more than has not gone back yet', () => {
    expect(unusedCents({ ...month, refundedCents: 2500 }, now)).toBe(500);
    expect(unusedCents({ ...month, refundedCents: 500 }, now)).toBe(2000);
  });
  it('is nothing of what never lasted', () => {
    expect(unusedCents({ ...month, endsAt: month.startsAt }, now)).toBe(0);
    expect(unusedCents({ ...month, endsAt: at(-20_000) }, at(-30_000))).toBe(0);
  });
});

describe('several months at once', () => {
  const price = { priceCents: 1000, off3: 0, off6: 10, off12: 25 };
  it('cost as many, less what is taken off; a single month always its price', () => {
    expect(termCents(price, 1)).toBe(1000);
    expect(longerTermsOf(price)).toEqual([
      { months: 3, priceCents: 3000 },
      { months: 6, priceCents: 5400 },
      { months: 12, priceCents: 9000 },
    ]);
    expect(termCents({ ...price, priceCents: 999, off3: 5 }, 3)).toBe(2847);
  });
  it('are offered only where the creator does, and never for more than a buyer may spend in a day', () => {
    expect(longerTermsOf({ ...price, off3: null, off12: null })).toEqual([{ months: 6, priceCents: 5400 }]);
    expect(termCents({ ...price, off6: null }, 6)).toBeUndefined();
    expect(termCents({ ...price, priceCents: 2500, off12: 0 }, 12)).toBe(30_000);
    expect(termCents({ ...price, priceCents: 2501, off12: 0 }, 12)).toBeUndefined();
  });
  it('are told as such', () => {
    expect([describeTerm('$9.99', 1), describeTerm('$26.97', 3)]).toEqual(['$9.99 a month', '$26.97 for 3 months']);
  });
});
