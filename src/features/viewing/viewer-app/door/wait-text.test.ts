import { describe, expect, test } from 'vitest';
import { waitText } from './wait-text.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

describe('time until it opens', () => {
  test.each([
    [2 * hour + 13.2 * minute, '2 h 14 min'],
    [3 * hour, '3 h'],
    [14 * minute, '14 min'],
    [40_000, '40 s'],
    [59.5 * minute, '1 h'],
    [2.5 * day, '3 days'],
    [0, '0 s'],
  ])('%d ms read %s', (ms, text) => {
    expect(waitText(ms)).toBe(text);
  });
});
