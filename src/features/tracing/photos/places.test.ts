import { expect, it } from 'vitest';
import { isUnder, placeOf, shareCovered } from './places.ts';

const box = (left: number, top: number, right: number, bottom: number) =>
  placeOf({
    corners: [
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ],
  });

it('an item covers what lies inside of its corners, whichever way round they go', () => {
  expect(shareCovered([box(0, 0, 0.5, 1)])).toBe(0.5);
  expect(shareCovered([box(0.5, 0, 0, 1)]), 'mirrored').toBe(0.5);
  expect(shareCovered([box(-3, -1, 0.25, 7)]), 'what lies outside does not count').toBe(0.25);
  expect(shareCovered([box(2, 2, 3, 3)])).toBe(0);
});

it('what lies under another item is counted once', () => {
  expect(shareCovered([])).toBe(0);
  expect(shareCovered([box(0, 0, 0.5, 1), box(0.25, 0, 0.75, 1)])).toBe(0.75);
});

it('two items are of one place when one of them lies under the other, not when their edges touch', () => {
  expect(isUnder(box(0, 0, 0.5, 1), box(0, 0, 1, 1))).toBe(true);
  expect(isUnder(box(0, 0, 0.5, 1), box(0.375, 0, 1, 1))).toBe(true);
  expect(isUnder(box(0, 0, 0.5, 1), box(0.45, 0, 1, 1))).toBe(false);
  expect(isUnder(box(2, 2, 3, 3), box(0, 0, 1, 1)), 'who is nowhere has no place of her own').toBe(true);
});
