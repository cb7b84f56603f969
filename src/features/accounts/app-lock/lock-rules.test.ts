import { describe, expect, it } from 'vitest';
import { isHomeScreenDue, isLocked } from '../rules.ts';

describe('the app lock', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const ago = (ms: number) => new Date(now.getTime() - ms);
  it('closes a minute after the app was left, only where there is a PIN', () => {
    expect(isLocked({ hasAppLock: true, awayAt: ago(59_999) }, now)).toBe(false);
    expect(isLocked({ hasAppLock: true, awayAt: ago(60_000) }, now)).toBe(true);
    expect(isLocked({ hasAppLock: false, awayAt: ago(60_000) }, now)).toBe(false);
    expect(isLocked({ hasAppLock: true, awayAt: null }, now)).toBe(false);
  });
});

describe('the way to the home screen', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const days = (count: number) => new Date(now.getTime() - count * 86_400_000);
  it('is shown again after 7 days, three times at most', () => {
    const due = (skips: number, skippedAt: Date | null, isCompleted = false) =>
      isHomeScreenDue({ isCompleted, skips, skippedAt }, now);
    expect(due(0, null)).toBe(true);
    expect(due(1, new Date(days(7).getTime() + 1))).toBe(false);
    expect(due(1, days(7))).toBe(true);
    expect(due(2, days(7))).toBe(true);
    expect(due(3, days(70))).toBe(false);
    expect(due(0, null, true)).toBe(false);
  });
});
