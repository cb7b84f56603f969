import { describe, expect, it } from 'vitest';
import { judgeAsking, reasonsFor } from './refund-asking-rules.ts';

const paidAt = new Date('2026-11-01T00:00:00Z');
const day = 86_400_000;
const daysOn = (days: number, ms = 0) => new Date(paidAt.getTime() + days * day + ms);
const fresh = {
  state: 'paid' as const,
  paidAt,
  withheldAt: null,
  isReturning: false,
  hasAsked: false,
  hasComplained: false,
};

describe('money can be asked back', () => {
  it('for fourteen days, to the millisecond, and once', () => {
    expect(judgeAsking(fresh, daysOn(14, -1))).toBe('refund');
    expect(judgeAsking(fresh, daysOn(14))).toBe('too_late');
    expect(judgeAsking({ ...fresh, hasAsked: true }, daysOn(1))).toBe('asked');
  });

  it('not while it is disputed, on its way back, or back', () => {
    expect(judgeAsking({ ...fresh, state: 'disputed' }, daysOn(1))).toBe('disputed');
    expect(judgeAsking({ ...fresh, state: 'charged_back' }, daysOn(1))).toBe('charged_back');
    expect(judgeAsking({ ...fresh, isReturning: true }, daysOn(1))).toBe('returned');
    expect(judgeAsking({ ...fresh, state: 'refunded' }, daysOn(1))).toBe('returned');
  });

  it('as a complaint for fourteen days after access was ended without a refund, whatever was asked before', () => {
    const withheld = { ...fresh, hasAsked: true, withheldAt: daysOn(20) };
    expect(judgeAsking(withheld, daysOn(34, -1))).toBe('complaint');
    expect(judgeAsking(withheld, daysOn(34))).toBe('too_late');
    expect(judgeAsking({ ...withheld, hasComplained: true }, daysOn(21))).toBe('asked');
  });

  it('of a tip only when it was paid twice, or by somebody else', () => {
    expect(reasonsFor('tip')).toEqual(['duplicate', 'fraudulent', 'not_delivered']);
    expect(reasonsFor('album')).toContain('satisfaction');
  });
});
