import { describe, expect, it } from 'vitest';
import { dayMs, minuteMs } from '#kit/time.ts';
import { daysLeft, isLive, isRunning, isStale, moneyBackMs, moneyBackUntil, staleMs } from './rules.ts';

const paidAt = new Date('2027-03-28T00:59:59.999Z');
const later = (ms: number) => new Date(paidAt.getTime() + ms);

describe('a plan', () => {
  const plan = { status: 'active', isPaused: false, pausedFrom: null } as const;
  it('gives access while the provider calls it good, and no word that we do not know is good', () => {
    for (const status of ['trialing', 'active', 'past_due'] as const)
      expect(isRunning({ ...plan, status }, paidAt)).toBe(true);
    for (const status of ['canceled', 'unpaid', 'incomplete', 'incomplete_expired'] as const) {
      expect(isRunning({ ...plan, status }, paidAt)).toBe(false);
      expect(isLive({ status })).toBe(false);
    }
  });
  it('that is paused gives none, and has not ended', () => {
    const paused = { ...plan, isPaused: true, pausedFrom: later(-1) };
    expect(isRunning(paused, paidAt)).toBe(false);
    expect(isLive(paused)).toBe(true);
  });
});

describe('days of a trial that go on in a plan', () => {
  it.each([
    [dayMs, 1],
    [dayMs + 1, 2],
    [1, 1],
    [7 * dayMs, 7],
    [0, undefined],
    [-1, undefined],
  ])('%s ms before its end are %s', (ms, days) => {
    expect(daysLeft(later(ms), paidAt)).toBe(days);
  });
  it('are none without a trial', () => {
    expect(daysLeft(null, paidAt)).toBeUndefined();
  });
});

describe('the time of a plan', () => {
  it('in which the first payment is given back ends at its very instant', () => {
    const until = (ms: number, isUsed = false) => moneyBackUntil({ firstPaidAt: paidAt, isUsed }, later(ms));
    expect(until(moneyBackMs - 1)).toEqual(later(7 * dayMs));
    expect(until(moneyBackMs)).toBeNull();
    expect(until(0, true)).toBeNull();
    expect(moneyBackUntil({ firstPaidAt: null, isUsed: false }, paidAt)).toBeNull();
  });

  it('is asked for again at the very instant at which its trial or its month is over', () => {
    const plan = { syncedAt: paidAt, trialEnd: null, periodEnd: null, pausedUntil: null, endedAt: null };
    const end = later(5 * minuteMs);
    for (const ends of [{ trialEnd: end }, { periodEnd: end }, { pausedUntil: end }]) {
      expect(isStale({ ...plan, ...ends }, later(5 * minuteMs - 1))).toBe(false);
      expect(isStale({ ...plan, ...ends }, end)).toBe(true);
      expect(isStale({ ...plan, ...ends, syncedAt: end }, end), 'it was asked for already').toBe(false);
    }
    expect([isStale(plan, later(staleMs - 1)), isStale(plan, later(staleMs))]).toEqual([false, true]);
    expect(isStale({ ...plan, endedAt: paidAt }, later(dayMs)), 'what has ended stays so').toBe(false);
  });
});
