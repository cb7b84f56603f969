import type { Tile } from '../formats/grid.ts';
import type { Plane } from './box-sum.ts';
import { drawMask, type Frame, maskUnit } from './mask.ts';
import { drawPattern, type NoiseSource } from './pattern.ts';

/** How loud the mark is; 0.4 to 0.6 trace well and stay unseen. */
const strength = 0.5;
/** Root mean square of what the mark may do to a whole rendition, in grey levels: 44.3 dB, of which rounding takes 0.15. */
const loudest = 255 / 10 ** (44.3 / 20);
/** No pixel moves further than this, in grey levels. */
const furthest = 10;
/** Over this many pixels the mark fades out towards a tile's edge, so that A beside B shows no seam. */
const fadePx = 10;
/** Fixed points of `markTile`: four field values of 2⁶ units a grey level and two fades of 2⁸ make the 2¹⁶ and 2⁸ it shifts by. */
const [fieldUnit, fadeUnit] = [64, 256];

/** Both variants of one tile, RGBA; the arrays are the marker's own and hold until its next tile. */
export type MarkedTile = { a: Uint8ClampedArray; b: Uint8ClampedArray };

/**
 * Prepares the mark of one rendition: A = picture + d, B = picture − d, where d is secret noise shaped by what the eye does not
 * see. Nothing needs to remember d: whoever traces a leak has both stored variants.
 */
export function openMarker(
  frame: Frame,
  xs: number[],
  ys: number[],
  fillNoise?: NoiseSource,
): (tile: Tile) => MarkedTile {
  const fades = [drawFade(xs, frame.width), drawFade(ys, frame.height)] as const;
  const field = drawField(frame, rootMeanSquare(fades[0]) * rootMeanSquare(fades[1]), fillNoise);
  const bytes = 4 * widest(xs) * widest(ys);
  const [a, b] = [new Uint8ClampedArray(bytes).fill(255), new Uint8ClampedArray(bytes).fill(255)];
  return (tile) => {
    const size = 4 * tile.width * tile.height;
    const marked = { a: a.subarray(0, size), b: b.subarray(0, size) };
    markTile(frame, field, fades, tile, marked);
    return marked;
  };
}

/**
 * d at half size and before fading: pattern times mask times strength, held within the furthest step, and quieter where a picture
 * is busy all over.
 * @param kept what fading leaves of it, root mean square
 */
function drawField(frame: Frame, kept: number, fillNoise?: NoiseSource): Plane {
  const { width, height, values, deviation } = drawPattern(frame.width, frame.height, fillNoise);
  const mask = drawMask(frame);
  const loudness = (strength * kept * rootMeanSquare(mask.values)) / (fadeUnit ** 2 * maskUnit);
  const scale = (strength * fieldUnit * Math.min(1, loudest / loudness)) / (deviation * maskUnit);
  const most = furthest * fieldUnit;
  for (let y = 0, i = 0; y < height; y++) {
    const row = Math.min(mask.height - 1, y) * mask.width;
    for (let x = 0; x < width; x++, i++) {
      const d = (values[i] as number) * (mask.values[row + Math.min(mask.width - 1, x)] as number) * scale;
      values[i] = d > most ? most : d < -most ? -most : d < 0 ? d - 0.5 : d + 0.5;
    }
  }
  return { width, height, values };
}

/** Of smooth values: every third tells enough. */
function rootMeanSquare(values: Int32Array): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < values.length; i += 3, count++) sum += (values[i] as number) ** 2;
  return Math.sqrt(sum / count);
}

/** Full inside a tile, a raised cosine down to nothing at its borders. */
function drawFade(cuts: number[], length: number): Int32Array {
  const fade = new Int32Array(length).fill(fadeUnit);
  for (const [i, from] of cuts.slice(0, -1).entries()) {
    const to = cuts[i + 1] as number;
    for (let x = from; x < to; x++) {
      const depth = Math.min(x - from + 0.5, to - x - 0.5);
      if (depth < fadePx) fade[x] = Math.round(fadeUnit * (0.5 - 0.5 * Math.cos((Math.PI * depth) / fadePx)));
    }
  }
  return fade;
}

function widest(cuts: number[]): number {
  return cuts.reduce((most, cut, i) => Math.max(most, cut - (cuts[i - 1] ?? 0)), 0);
}

/** One pass over one tile. Whole numbers throughout, so the compiler keeps to them and the clamped arrays have nothing to round. */
function markTile(
  { width: full, rgb }: Frame,
  { width: half, values }: Plane,
  [fadeX, fadeY]: readonly [Int32Array, Int32Array],
  { left, top, width, height }: Tile,
  { a, b }: MarkedTile,
): void {
  for (let y = top, o = 0; y < top + height; y++) {
    const upper = (y >> 1) * half;
    const lower = ((y + 1) >> 1) * half;
    const fade = fadeY[y] as number;
    for (let x = left, i = 3 * (y * full + left); x < left + width; x++, i += 3, o += 4) {
      const before = x >> 1;
      const after = (x + 1) >> 1;
      const above = (values[upper + before] as number) + (values[upper + after] as number);
      const below = (values[lower + before] as number) + (values[lower + after] as number);
      const d = ((((above + below) * (fadeX[x] as number)) >> 8) * fade + 32_768) >> 16;
      const red = rgb[i] as number;
      const green = rgb[i + 1] as number;
      const blue = rgb[i + 2] as number;
      a[o] = red + d;
      a[o + 1] = green + d;
      a[o + 2] = blue + d;
      b[o] = red - d;
      b[o + 1] = green - d;
      b[o + 2] = blue - d;
    }
  }
}
