import { describe, expect, it } from 'vitest';
import { isPassDays, isPassToken, type PassState, passEndsAt, passStateOf } from './pass-rules.ts';

const now = new Date('2026-11-21T12:00:00Z');
const at = (ms: number) => new Date(now.getTime() + ms);
const open: PassState = { claims: 2, places: 3, expiresAt: at(1), revokedAt: null, isOffered: true };

describe('a free pass', () => {
  it('can be taken while it has a place, has not ended, and its tier is offered', () => {
    expect(passStateOf(open, now)).toBe('open');
    expect(passStateOf({ ...open, claims: 3 }, now)).toBe('used_up');
    expect(passStateOf({ ...open, claims: 4 }, now)).toBe('used_up');
    expect(passStateOf({ ...open, isOffered: false }, now)).toBe('stopped');
  });
  it('is over at its very instant', () => {
    expect(passStateOf(open, at(1))).toBe('expired');
    expect(passStateOf(open, at(2))).toBe('expired');
  });
  it('that was revoked says that before all else, and one without a place that it is used up', () => {
    const over = { ...open, claims: 3, expiresAt: now, isOffered: false };
    expect(passStateOf({ ...over, revokedAt: now }, now)).toBe('revoked');
    expect(passStateOf(over, now)).toBe('used_up');
  });
  it('opens its tier for whole days from when it is taken', () => {
    expect(passEndsAt(7, now)).toEqual(new Date('2026-11-28T12:00:00Z'));
  });
  it('lasts one of the lengths that are offered', () => {
    expect([1, 30, 360].every(isPassDays)).toBe(true);
    expect([0, 2, 365].some(isPassDays)).toBe(false);
  });
  it('has a secret that is no invitation’s', () => {
    const secret = 'aB3'.repeat(8);
    expect(isPassToken(secret)).toBe(true);
    for (const other of [secret.slice(1), `${secret}x`, `${secret.slice(1)}-`, ''])
      expect([other, isPassToken(other)]).toEqual([other, false]);
  });
});
