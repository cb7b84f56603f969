import { describe, expect, it } from 'vitest';
import { dayMs } from '#kit/time.ts';
import { emailDue, isOver, keptUntil, type Lapse, lastNotified } from './lapse-rules.ts';

const since = new Date('2026-01-01T00:00:00Z');
const dayAfter = (days: number, ms = 0) => new Date(since.getTime() + days * dayMs + ms);
const lapse: Lapse = { since, told: 0, warnedAt: null, lastSaleAt: null };

describe('what somebody without access has stored', () => {
  it('is kept for ninety days, and for a year after the last sale that still opens something, whichever is longer', () => {
    expect(keptUntil(lapse)).toEqual(dayAfter(90));
    expect(keptUntil({ since, lastSaleAt: dayAfter(-300) })).toEqual(dayAfter(90));
    expect(keptUntil({ since, lastSaleAt: dayAfter(-100) })).toEqual(dayAfter(265));
  });

  it.each([
    [0, 0, 1],
    [0, 1, undefined],
    [29, 1, undefined],
    [30, 1, 2],
    [60, 1, 3],
    [60, 2, 3],
    [60, 3, undefined],
    [83, 3, lastNotified],
    [83, 0, lastNotified],
    [200, lastNotified, undefined],
  ])('after %s days and %s emails: email %s', (days, reported, due) => {
    expect(emailDue({ ...lapse, told: reported }, dayAfter(days))).toBe(due);
  });

  it('has each email at its very instant and not a moment before', () => {
    expect(emailDue({ ...lapse, told: 1 }, dayAfter(30, -1))).toBeUndefined();
    expect(emailDue({ ...lapse, told: 3 }, dayAfter(83, -1))).toBeUndefined();
  });

  it('gets its last email a week before it goes, also where a sale keeps it longer', () => {
    const sold = { ...lapse, told: 3, lastSaleAt: dayAfter(0) };
    expect(emailDue(sold, dayAfter(357))).toBeUndefined();
    expect(emailDue(sold, dayAfter(358))).toBe(lastNotified);
  });

  it('never goes before its time nor within a week of the last email, and never without it', () => {
    const warned = { ...lapse, told: lastNotified, warnedAt: dayAfter(83) };
    expect(isOver(warned, dayAfter(90))).toBe(true);
    expect(isOver(warned, dayAfter(90, -1))).toBe(false);
    expect(isOver({ ...warned, warnedAt: dayAfter(100) }, dayAfter(107))).toBe(true);
    expect(isOver({ ...warned, warnedAt: dayAfter(100) }, dayAfter(107, -1))).toBe(false);
    expect(isOver({ ...warned, lastSaleAt: dayAfter(0) }, dayAfter(364))).toBe(false);
    expect(isOver({ ...warned, told: 3 }, dayAfter(200))).toBe(false);
    expect(isOver({ ...warned, warnedAt: null }, dayAfter(200))).toBe(false);
  });
});
