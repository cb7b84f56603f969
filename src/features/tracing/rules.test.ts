import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bitsApart,
  cleanTilesNeeded,
  countClimbs,
  countHypotheses,
  lnProbable,
  readCode,
  shownPower,
  tilesShown,
  wordOf,
} from './rules.ts';

describe('a chance', () => {
  it('is traced below one in a million, probable below one in a thousand, and nothing from there on', () => {
    expect([0.99e-6, 1e-6, 0.99e-3, 1e-3, 1].map(wordOf)).toEqual([
      'traced',
      'probable',
      'probable',
      undefined,
      undefined,
    ]);
  });

  it('is shown as a whole power of ten that it lies below, never below 10^-12', () => {
    expect([0.99e-3, 1e-4, 0.99e-4, 0.99e-6, 3e-11, 1e-12, 1e-40, 0].map(shownPower)).toEqual([
      -3, -3, -4, -6, -10, -11, -12, -12,
    ]);
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 0.99e-3, noNaN: true }), (chance) => chance < 10 ** shownPower(chance)),
    );
  });

  it('is worth telling as long as it is probable among all who stood to choice', () => {
    expect(wordOf(500 * 8 * Math.exp(lnProbable(500, 8) - 1e-9))).toBe('probable');
    expect(wordOf(500 * 8 * Math.exp(lnProbable(500, 8) + 1e-9))).toBeUndefined();
  });
});

describe('hypotheses', () => {
  it('are candidates, each in two renditions, as it is and mirrored, with two caps, asked twice, of the first trace of all', () => {
    expect(countHypotheses({ candidates: 1, items: 1, earlierTraces: 0 })).toBe(32);
    expect(countHypotheses({ candidates: 40, items: 1, earlierTraces: 0 })).toBe(1280);
  });

  it('are one reading more when several items are weighed together as well', () => {
    expect(countHypotheses({ candidates: 5, items: 3, earlierTraces: 0 })).toBe(168);
  });

  it('are never fewer than the items that were found, whatever the caller says', () => {
    expect(countHypotheses({ candidates: 0, items: 1, earlierTraces: 0 })).toBe(32);
  });

  it('grow with every earlier trace so fast that all tries together stay within the bound', () => {
    const once = countHypotheses({ candidates: 1, items: 1, earlierTraces: 0 }) / 2;
    const shareOf = (earlierTraces: number) => once / countHypotheses({ candidates: 1, items: 1, earlierTraces });
    const all = Array.from({ length: 100_000 }, (_, k) => shareOf(k)).reduce((sum, share) => sum + share);
    expect(all).toBeGreaterThan(0.8);
    expect(all).toBeLessThan(1);
    // And with every way in which earlier answers may have named somebody: ten powers, each with one for a grant or none, at one of the traces before.
    const climbing = Array.from({ length: 100_000 }, (_, k) => {
      const ways = (110 * (k + 1)) / countClimbs({ earlierTraces: k, timesNamed: 1 });
      return shareOf(k) * (k === 0 ? 1 : 1 / (1 - ways));
    });
    expect(climbing.reduce((sum, share) => sum + share)).toBeLessThan(1);
  });

  it('and who was named before needs more each time', () => {
    expect(countClimbs({ earlierTraces: 9, timesNamed: 0 })).toBe(1);
    expect(countClimbs({ earlierTraces: 9, timesNamed: 2 })).toBe(4400 ** 2);
  });

  it('need a clean tile for each halving: 27 among a hundred, 40 among a million', () => {
    expect([100, 10_000, 1_000_000].map((issued) => cleanTilesNeeded(issued, 1))).toEqual([27, 34, 40]);
  });
});

it('tells of tiles whether they were read, at half of their area', () => {
  expect(tilesShown([0, 0.49, 0.5, 1])).toEqual([false, false, true, true]);
});

it('counts the bits in which two blockhashes differ', () => {
  expect(bitsApart('00ff', '00ff')).toBe(0);
  expect(bitsApart('00ff', 'ff00')).toBe(16);
  expect(bitsApart('8001', '0000')).toBe(2);
});

describe('a code that somebody read off a picture', () => {
  it.each([
    ['4F2A91C0', '4F2A91C0'],
    [' 4f2a 91c0 ', '4F2A91C0'],
    ['Anna · 4F2A91C0', '4F2A91C0'],
    ['Decaf · Anna · 4F2A-91C0', '4F2A91C0'],
    ['4F2A91CO', '4F2A91C0'],
    ['l12345I8', '11234518'],
    ['4F2A91C', undefined],
    ['4F2A91C01', undefined],
    ['4F2A91CG', undefined],
    ['4F2A91C0 · Anna', undefined],
    ['', undefined],
  ])('%j is %j', (typed, code) => expect(readCode(typed)).toBe(code));
});
