import type { Luma } from '../imaging/luma.ts';
import type { OpenCv } from '../imaging/open-cv.ts';
import { readTiles } from '../imaging/read-tiles.ts';
import type { Reference } from '../imaging/reference.ts';
import { type LeakPicture, type Overlay, overlay, type Registration } from '../imaging/register.ts';
import type { Size } from './clip-job.ts';

/** A second of a video is one tile, as large as the frame. */
const oneTile = ({ width, height }: Size) => ({ columns: 1, rows: 1, xs: [0, width], ys: [0, height] });

/** What a frame of a video is compared with: the same frame of both variants. */
export function referenceOf({ width, height }: Size, a: Uint8Array, b: Uint8Array): Reference {
  const [picture, mark] = [new Float32Array(a.length), new Float32Array(a.length)];
  for (let i = 0; i < a.length; i++) {
    picture[i] = ((a[i] as number) + (b[i] as number)) / 2;
    mark[i] = ((a[i] as number) - (b[i] as number)) / 2;
  }
  const layer = (values: Float32Array): Luma => ({ width, height, values });
  return { grid: oneTile({ width, height }), picture: layer(picture), mark: layer(mark) };
}

/** Frames as bytes in OpenCV's memory, for as long as `work` takes. */
export function withFrame<T>(
  cv: OpenCv,
  { width, height }: Size,
  bytes: Uint8Array,
  work: (frame: Pick<LeakPicture, 'full'>) => T,
): T {
  const full = new cv.Mat(height, width, cv.CV_8UC1);
  full.data.set(bytes);
  try {
    return work({ full });
  } finally {
    full.delete();
  }
}

/** What one frame says of its second. */
export interface ReadFrame {
  z: number;
  visible: number;
}

/** Reads one video frame out of those clip frames that may show it: the one that looks most like it. */
export function readFrame(
  cv: OpenCv,
  reference: Reference,
  lie: Pick<Registration, 'homography' | 'isMirrored'>,
  clip: Size,
  choices: readonly Uint8Array[],
): ReadFrame {
  const { width, height } = reference.picture;
  let best: { laid: Overlay; likeness: number } | undefined;
  for (const bytes of choices) {
    const laid = withFrame(cv, clip, bytes, (frame) => overlay(cv, frame, lie, width, height));
    const likeness = choices.length > 1 ? likenessTo(reference.picture, laid) : 0;
    if (best === undefined || likeness > best.likeness) best = { laid, likeness };
  }
  if (best === undefined) return { z: 0, visible: 0 };
  const { z, visible } = readTiles(reference, best.laid);
  return { z: z[0] ?? 0, visible: visible[0] ?? 0 };
}

/** Every so many pixels are enough to tell one frame from its neighbours. */
const step = 7;

function likenessTo({ values }: Luma, { luma, mask }: Overlay): number {
  let [count, a, b, aa, bb, ab] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < values.length; i += step) {
    if (!mask[i]) continue;
    const [one, other] = [values[i] as number, luma.values[i] as number];
    count++;
    a += one;
    b += other;
    aa += one * one;
    bb += other * other;
    ab += one * other;
  }
  const spread = Math.sqrt(Math.max(0, (aa - (a * a) / count) * (bb - (b * b) / count)));
  return spread > 0 ? (ab - (a * b) / count) / spread : 0;
}

/** Less of a frame than this says nothing worth reading. */
const leastVisible = 0.1;

/** Several frames of one second carry the same pattern: their sum, in deviations again. */
export function sumFrames(frames: readonly ReadFrame[]): ReadFrame {
  const seen = frames.filter(({ visible }) => visible >= leastVisible);
  if (seen.length === 0) return { z: 0, visible: 0 };
  const mean = (of: (frame: ReadFrame) => number) => seen.reduce((sum, frame) => sum + of(frame), 0) / seen.length;
  return {
    z: mean(({ z }) => z) * Math.sqrt(seen.length),
    visible: Math.min(
      1,
      mean(({ visible }) => visible),
    ),
  };
}
