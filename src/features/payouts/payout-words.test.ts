import { describe, expect, it } from 'vitest';
import { describeNextPayout, noteAvailable, sayExpected } from './payout-words.ts';

const now = new Date('2026-11-21T12:00:00Z');
const due = { available: 2500, holds: [], nextOn: '2026-11-27', leastCents: 1000, currency: 'usd' };
const held = [{ code: 'REVIEW_NEW' as const, note: '', since: now, expectedAt: null }];

describe('what is available', () => {
  it.each([
    [2500, false, 'ready to be paid out'],
    [2500, true, 'on hold'],
    [2500, undefined, 'not paid out yet'],
    [0, false, 'nothing to pay out yet'],
    [0, true, 'nothing to pay out yet'],
    [-500, false, 'covered by what comes in next, before anything is paid out'],
  ] as const)('%j, held %j, is "%s"', (cents, isHeld, words) => {
    expect(noteAvailable(cents, isHeld)).toBe(words);
  });
});

describe('the next payout', () => {
  it('is named by its day, or by what holds it', () => {
    expect(describeNextPayout(due, now)).toMatch(/^Next payout: .*27/);
    expect(describeNextPayout({ ...due, holds: held, nextOn: null }, now)).toBe('Your first payout is being reviewed');
    expect(describeNextPayout({ ...due, available: 400, nextOn: null }, now)).toBe('A payout takes at least $10.00');
  });
  it('is not spoken of where there is nothing to pay out', () => {
    for (const available of [0, -500])
      expect(describeNextPayout({ ...due, available, holds: held }, now)).toBeUndefined();
  });
});

describe('when a hold is settled', () => {
  it('is a day to come, and never one that has passed', () => {
    expect(sayExpected(null, now)).toBeUndefined();
    expect(sayExpected(new Date('2026-11-27T12:00:00Z'), now)).toMatch(/^Expected to be settled by .*27/);
    expect(sayExpected(now, now)).toBe('This is taking longer than we expected.');
  });
});
