import { describe, expect, test } from 'vitest';
import { timeLeftText, waitText } from './time-left.ts';

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
    [29.9 * day, '29 days'],
    [2 * day, '2 days'],
    [2 * day - 1, '48:00:00'],
  ])('%d ms read %s', (ms, text) => {
    expect(timeLeftText(ms)).toBe(text);
  });
});

describe('time until it opens', () => {
  test.each([
    [2 * hour + 13.2 * minute, '2 h 14 min'],
    [3 * hour, '3 h'],
    [14 * minute, '14 min'],
    [40 * second, '40 s'],
    [59.5 * minute, '1 h'],
    [2.5 * day, '3 days'],
    [0, '0 s'],
  ])('%d ms read %s', (ms, text) => {
    expect(waitText(ms)).toBe(text);
  });
});
