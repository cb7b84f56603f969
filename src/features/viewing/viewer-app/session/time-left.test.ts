import { describe, expect, test } from 'vitest';
import { timeLeftText } from './time-left.ts';

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];

describe('time left', () => {
  test.each([
    [23 * hour + 41 * minute + 7 * second, '23:41:07'],
    [25 * hour, '25:00:00'],
    [4 * minute + 5 * second, '4:05'],
    [59 * second + 1, '1:00'],
    [1, '0:01'],
    [0, '0:00'],
    [-5, '0:00'],
    [30 * day - 1, '30 days'],
    [29 * day + 1, '30 days'],
    [2 * day, '2 days'],
    [2 * day - 1, '48:00:00'],
  ])('%d ms read %s', (ms, text) => {
    expect(timeLeftText(ms)).toBe(text);
  });
});
