import fc from 'fast-check';
import { rgbaToThumbHash, thumbHashToRGBA } from 'thumbhash';
import { describe, expect, test } from 'vitest';
import { softColours } from './soft-colours.ts';

/** A picture of a few blots. */
const picture = fc
  .record({
    width: fc.integer({ min: 8, max: 40 }),
    height: fc.integer({ min: 8, max: 40 }),
    colours: fc.array(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)), { minLength: 1, maxLength: 6 }),
  })
  .map(({ width, height, colours }) => {
    const rgba = Array.from({ length: width * height }, (_, i) => {
      const blot = Math.floor(((i % width) * 3) / width) + Math.floor((i * 2) / (width * height));
      return [...(colours[blot % colours.length] ?? [0, 0, 0]), 255];
    });
    return rgbaToThumbHash(width, height, rgba.flat());
  });

describe('soft colours', () => {
  test('are those of the reference, whatever the picture', () => {
    fc.assert(
      fc.property(picture, (hash) => {
        const { w, h, rgba } = thumbHashToRGBA(hash);
        const ours = softColours(hash, w, h).rgba;
        for (const [at, value] of rgba.entries()) expect(Math.abs((ours[at] ?? 0) - value)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 40 },
    );
  });

  test('fit any size and never let the ground shine through', () => {
    const hash = rgbaToThumbHash(1, 1, [200, 100, 50, 255]);
    const { width, height, rgba } = softColours(hash, 5, 16);
    expect([width, height, rgba.length]).toEqual([5, 16, 320]);
    expect(rgba.filter((_, at) => at % 4 === 3).every((alpha) => alpha === 255)).toBe(true);
  });
});
