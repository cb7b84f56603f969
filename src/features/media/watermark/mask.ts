import { boxSum, type Plane } from './box-sum.ts';

/** An upright RGB picture, 8 bits a channel, rows without padding. */
export type Frame = { width: number; height: number; rgb: Uint8Array };

/** Fixed point of `drawMask`: this many units are one grey level. */
export const maskUnit = 256 * 25;

/** Grey levels that even a plain surface may move, that foliage may move, and how fast one becomes the other. */
const [quiet, loud, perDeviation] = [1, 5, 0.22];
/** Below this luma little is needed to be seen: the mark shrinks to 60 % at black. */
const shadow = 40;

/**
 * Returns how many grey levels each pixel may move, at half size because it is smooth: little on a plain sky, more in foliage. Of two
 * local deviations the smaller counts, so the flat side of a hard edge stays quiet.
 */
export function drawMask(frame: Frame): Plane {
  const luma = halfLuma(frame);
  const { width, height, sums } = luma;
  const [allowed, scratch] = [new Int32Array(sums.length), new Int32Array(sums.length)];
  const near = localVariance(luma, 1, allowed, scratch); // about 7 x 7 px of the picture
  const wide = localVariance(luma, 5, allowed, scratch); // about 21 x 21 px
  for (let i = 0; i < allowed.length; i++) {
    const deviation = Math.sqrt(Math.min(near[i] as number, 0.64 * (wide[i] as number)));
    const mean = (sums[i] as number) / 4;
    const shade = mean < shadow ? 0.6 + (0.4 * mean) / shadow : 1;
    allowed[i] = 256 * Math.min(loud, (quiet + perDeviation * deviation) * shade);
  }
  boxSum({ width, height, values: allowed }, 2, allowed, scratch);
  return { width, height, values: allowed };
}

type HalfLuma = { width: number; height: number; sums: Int32Array; squares: Int32Array };

/** Of every 2 x 2 pixels the sum of their luma (Rec. 601) and of its squares; a last odd row or column is repeated. */
function halfLuma({ width: full, height: fullHeight, rgb }: Frame): HalfLuma {
  const [width, height] = [(full + 1) >> 1, (fullHeight + 1) >> 1];
  const [sums, squares] = [new Int32Array(width * height), new Int32Array(width * height)];
  const row = 3 * full;
  for (let y = 0, o = 0; y < height; y++) {
    const down = 2 * y + 1 < fullHeight ? row : 0;
    for (let x = 0, i = 2 * y * row; x < width; x++, o++, i += 6) {
      const right = 2 * x + 1 < full ? 3 : 0;
      const a = lumaAt(rgb, i);
      const b = lumaAt(rgb, i + right);
      const c = lumaAt(rgb, i + down);
      const d = lumaAt(rgb, i + down + right);
      sums[o] = a + b + c + d;
      squares[o] = a * a + b * b + c * c + d * d;
    }
  }
  return { width, height, sums, squares };
}

function lumaAt(rgb: Uint8Array, i: number): number {
  return (77 * (rgb[i] as number) + 150 * (rgb[i + 1] as number) + 29 * (rgb[i + 2] as number)) >> 8;
}

/** E(Y²) − E(Y)² over (2r+1)² cells of four pixels. */
function localVariance(luma: HalfLuma, radius: number, sum: Int32Array, scratch: Int32Array): Float32Array {
  const { width, height, sums, squares } = luma;
  const share = 1 / (4 * (2 * radius + 1) ** 2);
  const variance = new Float32Array(sums.length);
  boxSum({ width, height, values: squares }, radius, sum, scratch);
  for (let i = 0; i < variance.length; i++) variance[i] = (sum[i] as number) * share;
  boxSum({ width, height, values: sums }, radius, sum, scratch);
  for (let i = 0; i < variance.length; i++) {
    const mean = (sum[i] as number) * share;
    variance[i] = Math.max(0, (variance[i] as number) - mean * mean);
  }
  return variance;
}
