import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lookAhead } from './look-ahead.ts';

const none = () => false;
const only =
  (...here: number[]) =>
  (n: number) =>
    here.includes(n);

describe('what is fetched for the open picture', () => {
  test('itself first, then its neighbours', () => {
    expect(lookAhead({ at: 5, direction: 1, streak: 0, count: 24 }, none)).toEqual([5, 6, 4]);
    expect(lookAhead({ at: 5, direction: -1, streak: 1, count: 24 }, none)).toEqual([5, 4, 6]);
    expect(lookAhead({ at: 0, direction: 1, streak: 0, count: 1 }, none)).toEqual([0]);
  });

  test('nothing while the neighbours are here', () => {
    expect(lookAhead({ at: 5, direction: 1, streak: 3, count: 24 }, only(4, 5, 6))).toEqual([]);
  });

  test('the longer one goes on, the more is fetched in one call', () => {
    expect(lookAhead({ at: 5, direction: 1, streak: 1, count: 24 }, only(4, 5))).toEqual([6, 7, 8, 9]);
    expect(lookAhead({ at: 5, direction: 1, streak: 9, count: 24 }, only(4, 5))).toEqual([6, 7, 8, 9, 10, 11, 12, 13]);
    expect(lookAhead({ at: 5, direction: -1, streak: 9, count: 24 }, only(5, 6))).toEqual([4, 3, 2, 1, 0]);
  });

  test('25 pictures one after another are five calls', () => {
    const here = new Set<number>();
    let calls = 0;
    for (let at = 0; at < 25; at++) {
      const list = lookAhead({ at, direction: 1, streak: at, count: 25 }, (n) => here.has(n));
      for (const n of list) here.add(n);
      if (list.length > 0) calls++;
    }
    expect(calls).toBeLessThanOrEqual(5);
    expect(here.size).toBe(25);
  });

  test('only items of the album, none twice, none that is here', () => {
    const step = fc.record({
      at: fc.nat(30),
      direction: fc.constantFrom(1 as const, -1 as const),
      streak: fc.nat(20),
      count: fc.integer({ min: 31, max: 40 }),
    });
    fc.assert(
      fc.property(step, fc.array(fc.nat(40)), (at, here) => {
        const list = lookAhead(at, (n) => here.includes(n));
        expect(new Set(list).size).toBe(list.length);
        expect(list.every((n) => n >= 0 && n < at.count && !here.includes(n))).toBe(true);
      }),
    );
  });
});
