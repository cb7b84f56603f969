import { randomFillSync } from 'node:crypto';
import { boxSum, type Plane } from './box-sum.ts';

/** Fills a buffer with noise; the system's random numbers outside of tests. */
export type NoiseSource = (bytes: Int8Array) => void;

/** A noise field of any scale and its standard deviation, both as read at full size. */
export type Pattern = Plane & { deviation: number };

/**
 * Secret noise that lies where JPEG and scaling leave a picture alone: white noise, band-passed to about 1/8 to 1/40 cycles
 * per pixel. Half size, because the band fits there at a quarter of the cost, with two spare columns and rows so that it can
 * be read between its samples. Every pack gets fresh noise: out of one shared field colluders could rebuild what they do not
 * differ in.
 */
export function drawPattern(width: number, height: number, fillNoise: NoiseSource = randomFillSync): Pattern {
  const size = { width: (width >> 1) + 2, height: (height >> 1) + 2 };
  const noise = new Int8Array(size.width * size.height);
  fillNoise(noise);
  const values = Int32Array.from(noise);
  const [low, scratch] = [new Int32Array(noise.length), new Int32Array(noise.length)];
  const plane = { ...size, values };
  boxSum(plane, 1, values, scratch);
  boxSum(plane, 1, values, scratch);
  boxSum(plane, 5, low, scratch);
  for (let i = 0; i < values.length; i++) values[i] = 121 * (values[i] as number) - (low[i] as number);
  return { ...plane, deviation: deviationBetween(plane) };
}

/** Root mean square of the field at full size, where three of four pixels are averages of their neighbours; every third sample tells enough. */
function deviationBetween({ width, height, values }: Plane): number {
  let energy = 0;
  let count = 0;
  for (let y = 0; y + 1 < height; y += 3)
    for (let x = 0; x + 1 < width; x += 3) {
      const i = y * width + x;
      const [a, b] = [values[i] as number, values[i + 1] as number];
      const [c, d] = [values[i + width] as number, values[i + width + 1] as number];
      energy += a * a + ((a + b) / 2) ** 2 + ((a + c) / 2) ** 2 + ((a + b + c + d) / 4) ** 2;
      count += 4;
    }
  return Math.sqrt(energy / count) || 1;
}
