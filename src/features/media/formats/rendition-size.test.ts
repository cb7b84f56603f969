import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { gridOf, maxTiles, tilesFor } from './grid.ts';
import { isWithin, longSideFor } from './rendition-size.ts';

/** The size of a rendition. */
const sizeOf = (width: number, height: number, side = 2048): [number, number] => {
  const scale = longSideFor({ width, height }, side) / Math.max(width, height);
  return [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
};

test('a photo as cameras take it is as long as its rendition is named', () => {
  expect(sizeOf(4032, 3024)).toEqual([2048, 1536]);
  expect(sizeOf(3000, 6000)).toEqual([1024, 2048]);
  expect(sizeOf(800, 600)).toEqual([800, 600]);
});

test('a panorama stays sharp: it covers as much as a square would', () => {
  expect(sizeOf(19_000, 1000)).toEqual([8192, 431]);
  expect(sizeOf(16_000, 3800)).toEqual([4202, 998]);
  expect(sizeOf(1500, 4500)).toEqual([1024, 3072]);
  expect(sizeOf(19_000, 1000, 512)).toEqual([2048, 108]);
});

test('one that is not large is as it is, however long', () => {
  expect(sizeOf(3000, 4)).toEqual([3000, 4]);
  expect(sizeOf(1, 1)).toEqual([1, 1]);
});

test('whatever its shape, it is within its bounds, is not enlarged, keeps its shape and fits into a pack', () => {
  const length = fc.integer({ min: 1, max: 20_000 });
  void fc.assert(
    fc.property(length, length, fc.constantFrom(512, 2048), (fullWidth, fullHeight, side) => {
      const [width, height] = sizeOf(fullWidth, fullHeight, side);
      expect(isWithin({ width, height }, side)).toBe(true);
      expect(width <= fullWidth && height <= fullHeight).toBe(true);
      expect(Math.max(width, height)).toBeGreaterThanOrEqual(Math.min(side, Math.max(fullWidth, fullHeight)));
      expect(gridOf(width, height, tilesFor(width, height)).tiles).toBeLessThanOrEqual(maxTiles);
    }),
  );
});

test('what is larger is not within them', () => {
  expect(isWithin({ width: 2049, height: 2049 }, 2048)).toBe(false);
  expect(isWithin({ width: 8193, height: 1 }, 2048)).toBe(false);
  expect(isWithin({ width: 2048, height: 2048 }, 2048)).toBe(true);
});
