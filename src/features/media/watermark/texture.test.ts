import { describe, expect, it } from 'vitest';
import type { Tile } from '../formats/grid.ts';
import type { MarkedTile } from './mark.ts';
import { openTexture } from './texture.ts';

const [width, height] = [96, 64];
const tile: Tile = { index: 0, left: 0, top: 0, width, height };

/** The picture of one level with nothing but texture in it. */
function textured(level: number, levels: number): MarkedTile {
  const plain = () => new Uint8ClampedArray(4 * width * height).fill(level);
  const marked = { a: plain(), b: plain() };
  openTexture({ width, height, rgb: Buffer.alloc(3 * width * height, level) })(tile, marked, levels);
  return marked;
}
/** By how much the green of every pixel was moved. */
const movesOf = (variant: Uint8ClampedArray, level: number) =>
  Array.from({ length: width * height }, (_, i) => (variant[4 * i + 1] as number) - level);

describe('the texture', () => {
  it.each([
    ['grey', 128, 1, [-1, 1], [-1, 1]],
    ['grey, the second try', 128, 2, [-2, 2], [-2, 2]],
    ['white, of which nothing is lighter', 255, 1, [-1, 0], [-1, 0]],
    ['black, where one variant alone can move', 0, 1, [0, 2], [0, 2]],
    ['the lightest that counts as black', 2, 1, [-2, 2], [-2, 2]],
    ['the darkest that does not', 3, 1, [-1, 1], [-1, 1]],
  ])('moves %s no further than it says', (_, level, levels, a, b) => {
    const marked = textured(level, levels);
    const moves = (variant: Uint8ClampedArray) => [...new Set(movesOf(variant, level))].toSorted((x, y) => x - y);
    expect(moves(marked.a)).toEqual(a.toSorted((x, y) => x - y));
    expect(moves(marked.b)).toEqual(b.toSorted((x, y) => x - y));
  });

  it('takes both variants to opposite sides, and no block becomes lighter or darker by it', () => {
    const { a, b } = textured(128, 1);
    const [movesA, movesB] = [movesOf(a, 128), movesOf(b, 128)];
    expect(movesB).toEqual(movesA.map((d) => -d));
    for (let top = 0; top < height; top += 16)
      for (let left = 0; left < width; left += 16) {
        let sum = 0;
        for (let y = top; y < top + 16; y++)
          for (let x = left; x < left + 16; x++) sum += movesA[y * width + x] as number;
        expect(sum).toBe(0);
      }
  });

  it('is another one for every pack', () => {
    expect(textured(128, 1).a).not.toEqual(textured(128, 1).a);
  });
});
