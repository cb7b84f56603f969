import { describe, expect, it } from 'vitest';
import { holdWords } from './payout-words.ts';
import {
  dayIn,
  expectEnd,
  holdCodes,
  holdsFor,
  isPayoutDay,
  nextPayoutDay,
  rateOf,
  settlementDaysOf,
} from './rules.ts';

// 2026-11-27 is a Friday.
describe('a payout day', () => {
  it('is every working day, every Friday or the first of a month, and none where it is made by hand', () => {
    const days = ['2026-11-26', '2026-11-27', '2026-11-28', '2026-11-29', '2026-12-01'];
    const on = (interval: Parameters<typeof isPayoutDay>[0]) => days.filter((day) => isPayoutDay(interval, day));
    expect(on('daily')).toEqual(['2026-11-26', '2026-11-27', '2026-12-01']);
    expect(on('weekly')).toEqual(['2026-11-27']);
    expect(on('monthly')).toEqual(['2026-12-01']);
    expect(on('manual')).toEqual([]);
  });

  it('is today at the earliest, and a later one when today was paid', () => {
    expect(nextPayoutDay('daily', '2026-11-27', false)).toBe('2026-11-27');
    expect(nextPayoutDay('daily', '2026-11-27', true)).toBe('2026-11-30');
    expect(nextPayoutDay('weekly', '2026-11-27', true)).toBe('2026-12-04');
    expect(nextPayoutDay('monthly', '2026-12-01', true)).toBe('2027-01-01');
    expect(nextPayoutDay('manual', '2026-11-27', false)).toBeUndefined();
  });

  it('begins where the creator is', () => {
    const late = new Date('2026-11-26T23:30:00Z');
    expect([dayIn(late, 'UTC'), dayIn(late, 'Europe/Berlin')]).toEqual(['2026-11-26', '2026-11-27']);
  });
});

describe('a sale rests', () => {
  const restOf = (facts: typeof fine) => settlementDaysOf(facts, { usual: 7, disputed: 14 });
  const fine = { daysHere: 31, sales: 200, disputes: 1 };

  it('for seven days, for none with a seller who is proven, for fourteen where much is disputed', () => {
    expect(restOf(fine)).toBe(0);
    expect(restOf({ ...fine, daysHere: 30 })).toBe(7);
    expect(restOf({ ...fine, sales: 100 }), 'one in a hundred').toBe(7);
    expect(restOf({ ...fine, disputes: 2 })).toBe(14);
  });
});

describe('of disputes a creator is warned', () => {
  it('from 0.75% of her sales on, and limited from 1% on; one says nothing', () => {
    expect(rateOf({ sales: 267, disputes: 2 })).toBe('fine');
    expect(rateOf({ sales: 266, disputes: 2 })).toBe('warned');
    expect(rateOf({ sales: 400, disputes: 3 })).toBe('warned');
    expect(rateOf({ sales: 200, disputes: 2 })).toBe('limited');
    expect(rateOf({ sales: 1, disputes: 1 })).toBe('fine');
  });
});

describe('payouts are held', () => {
  const fine = { isRestricted: false, wasReviewed: true, hasOpenReport: false, sales: 100, disputes: 0 };

  it('for nothing while nothing speaks against them', () => expect(holdsFor(fine)).toEqual([]));

  it('for what is missing, a first payout, or a report that hides something', () => {
    expect(holdsFor({ ...fine, isRestricted: true })).toEqual(['ID_MISSING']);
    expect(holdsFor({ ...fine, wasReviewed: false })).toEqual(['REVIEW_NEW']);
    expect(holdsFor({ ...fine, hasOpenReport: true })).toEqual(['REPORT_OPEN']);
  });

  it('from one disputed sale in a hundred on, but never for a single one', () => {
    expect(holdsFor({ ...fine, sales: 5, disputes: 1 })).toEqual([]);
    expect(holdsFor({ ...fine, sales: 201, disputes: 2 })).toEqual([]);
    expect(holdsFor({ ...fine, sales: 200, disputes: 2 })).toEqual(['DISPUTE_RATE']);
  });

  it('with words for every reason, and a day for all but what lies with the creator', () => {
    const since = new Date('2026-11-27T00:00:00Z');
    expect(holdCodes.filter((code) => expectEnd(code, since) === null)).toEqual(['ID_MISSING']);
    for (const code of holdCodes) expect(Object.values(holdWords[code]).every((text) => text.length > 10)).toBe(true);
  });
});
