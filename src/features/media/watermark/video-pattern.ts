import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { drawPattern, type NoiseSource } from './pattern.ts';

/** Root mean square of the mark and its furthest step, in luma levels of 8 bits. */
const [loudness, furthest] = [1.15, 5];
/** A level of 8 bits in 12, and the middle of 12 bits, which leaves a picture alone. */
export const [levelUnit, middle] = [16, 2048];

/** Half the size of the video's largest rung. */
export type PatternSize = { width: number; height: number };

/**
 * Secret noise for one segment as a frame of `gray12le`. Nobody keeps it, and every segment has its own: from a video with one
 * pattern an attacker could read it off a single copy, and take it out or turn it round.
 */
export function drawVideoPattern({ width, height }: PatternSize, fillNoise?: NoiseSource): Uint8Array {
  const plane = drawPattern(2 * width, 2 * height, fillNoise);
  const [values, stride] = [plane.values, plane.width];
  let energy = 0;
  for (let y = 0; y < height; y++)
    for (let i = y * stride; i < y * stride + width; i++) energy += (values[i] as number) ** 2;
  const gain = (levelUnit * loudness) / (Math.sqrt(energy / (width * height)) || 1);
  const most = levelUnit * furthest;
  const frame = new Uint16Array(width * height);
  for (let y = 0, o = 0; y < height; y++)
    for (let i = y * stride; i < y * stride + width; i++, o++)
      frame[o] = middle + Math.round(Math.max(-most, Math.min(most, (values[i] as number) * gain)));
  // As every machine that Node runs on writes its numbers: low byte first.
  return new Uint8Array(frame.buffer);
}

/**
 * Patterns without end, each drawn when it is asked for, beside the server's own thread: one takes 20 ms.
 * Whoever stops asking ends it.
 */
export async function* drawVideoPatterns(size: PatternSize): AsyncGenerator<Uint8Array, never> {
  const worker = new Worker(new URL('./video-pattern-child.ts', import.meta.url), { workerData: size });
  try {
    for (;;) {
      worker.postMessage('next');
      const [frame] = await once(worker, 'message');
      yield frame as Uint8Array;
    }
  } finally {
    await worker.terminate();
  }
}
