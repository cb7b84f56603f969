import type { Tile } from '../formats/grid.ts';
import type { WebpDecoder } from '../webp-decoder.ts';

/**
 * So far from their mean the variants of a tile must lie after the codec, in grey levels, root mean square of cells of 4 × 4 pixels:
 * finer than that nothing outlives a smaller copy. Copies at half their size, JPEG 70, read tiles from about here on.
 */
const leastLevels = 0.35;
const cellPx = 4;
/**
 * A tile that was given more bytes a pixel than this has kept enough of its mark: of 1,266 tiles that had not, one was larger, as were
 * 56 in 100 tiles of camera photos. So only the others are decoded.
 */
const tellingBytes = 0.1;

/** Grey levels that the stronger mark of a tile tries, one after the other, until it is left. */
export const levelsTried = [1, 2] as const;

/** Below so many tiles that keep their mark, a whole and perfect copy can hardly name anybody: each of them is one bit. */
export const fewestMarkedTiles = 40;

/** Returns whether the codec left enough of a tile's mark to be read out of a copy. */
export function isMarked(tile: Tile, { a, b }: { a: Uint8Array; b: Uint8Array }, decode: WebpDecoder): boolean {
  if (a.length + b.length > 2 * tellingBytes * tile.width * tile.height) return true;
  return markLeft(tile, decode(a).data, decode(b).data) >= leastLevels;
}

/** How far two decoded variants lie from their mean, in grey levels; green stands for all channels, which are marked alike. */
export function markLeft(
  { width, height }: Pick<Tile, 'width' | 'height'>,
  a: Uint8ClampedArray,
  b: Uint8ClampedArray,
): number {
  let [energy, cells] = [0, 0];
  for (let top = 0; top < height; top += cellPx)
    for (let left = 0; left < width; left += cellPx, cells++) {
      const [bottom, right] = [Math.min(height, top + cellPx), Math.min(width, left + cellPx)];
      let sum = 0;
      for (let y = top; y < bottom; y++)
        for (let i = 4 * (y * width + left) + 1; i < 4 * (y * width + right); i += 4)
          sum += (a[i] as number) - (b[i] as number);
      energy += (sum / (2 * (bottom - top) * (right - left))) ** 2;
    }
  return Math.sqrt(energy / cells);
}
