import { randomFillSync } from 'node:crypto';
import type { Tile } from '../formats/grid.ts';
import type { MarkedTile } from './mark.ts';
import type { Frame } from './mask.ts';
import type { NoiseSource } from './pattern.ts';

/** WebP works in blocks of so many pixels, and tiles begin on them; each gets one figure of four cells. */
const blockPx = 16;
const cellPx = blockPx / 2;
/** Signs of the cells of a block: stripes either way, or a chequer. None makes a block lighter or darker as a whole. */
const figures = [
  [1, 1, -1, -1],
  [1, -1, 1, -1],
  [1, -1, -1, 1],
] as const;
/** Below this level one variant is cut off at black, so the other one goes twice as far; nobody sees two levels there. */
const nearBlack = 3;

/** Adds texture to both variants of a tile. @param levels how many grey levels either of them moves */
export type AddTexture = (tile: Tile, marked: MarkedTile, levels: number) => void;

/**
 * Prepares the stronger mark of plain tiles: secret figures that are what WebP's largest block is made of, so that one level of them
 * outlives a quantizer that takes several levels of any finer noise away.
 */
export function openTexture(
  { width: full, height: fullHeight, rgb }: Frame,
  fillNoise: NoiseSource = randomFillSync,
): AddTexture {
  const across = Math.ceil(full / blockPx);
  const drawn = new Int8Array(across * Math.ceil(fullHeight / blockPx));
  fillNoise(drawn);
  const signAt = (x: number, y: number) => {
    const noise = (drawn[Math.floor(y / blockPx) * across + Math.floor(x / blockPx)] as number) & 0xff;
    const cell = 2 * (Math.floor(y / cellPx) & 1) + (Math.floor(x / cellPx) & 1);
    const sign = (figures[noise % figures.length] as (typeof figures)[number])[cell] as number;
    return noise < 128 ? sign : -sign;
  };
  return ({ left, top, width, height }, { a, b }, levels) => {
    for (let y = top, o = 0; y < top + height; y++)
      for (let x = left, i = 3 * (y * full + left); x < left + width; x++, i += 3, o += 4) {
        const isDark = Math.max(rgb[i] as number, rgb[i + 1] as number, rgb[i + 2] as number) < nearBlack;
        const d = signAt(x, y) * levels * (isDark ? 2 : 1);
        for (let channel = o; channel < o + 3; channel++) {
          a[channel] = (a[channel] as number) + d;
          b[channel] = (b[channel] as number) - d;
        }
      }
  };
}
