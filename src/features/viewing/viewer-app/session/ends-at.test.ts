import { expect, it } from 'vitest';
import { endsAtOf } from './ends-at.ts';

it('is the moment that the server tells', () => {
  expect(endsAtOf(60_000, 1000, undefined)).toBe(61_000);
  expect(endsAtOf(undefined, 1000, 61_000)).toBeUndefined();
});

it('is not moved on by an answer that took its time, and moved up by a quicker one', () => {
  expect(endsAtOf(45_000, 16_900, 61_000)).toBe(61_000);
  expect(endsAtOf(45_000, 15_400, 61_000)).toBe(60_400);
});

it('follows a rule that was changed, in either direction', () => {
  expect(endsAtOf(600_000, 16_000, 61_000)).toBe(616_000);
  expect(endsAtOf(5000, 16_000, 61_000)).toBe(21_000);
});
