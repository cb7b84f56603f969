import { describe, expect, it } from 'vitest';
import { numbersFrom } from '#tests/proofs/hostile/hostile-files.ts';
import { clockFps, findPlace, openClip, placeSeconds } from './find-video.ts';
import { insideBars, smallBytes, smallHeight, smallWidth } from './small-frames.ts';

/** A video of soft lights that wander: every frame looks like the one before, and no second like another. */
function drawVideo(seconds: number, seed: number): Uint8Array[] {
  const random = numbersFrom(seed);
  const lights = Array.from({ length: 7 }, () => Array.from({ length: 6 }, () => random()));
  return Array.from({ length: seconds * clockFps }, (_frame, n) => {
    const t = n / clockFps;
    const frame = new Uint8Array(smallBytes);
    for (let y = 0; y < smallHeight; y++)
      for (let x = 0; x < smallWidth; x++) {
        let light = 40;
        for (const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] of lights) {
          const [cx, cy] = [0.5 + 0.5 * Math.sin(7 * a + t * (0.2 + b)), 0.5 + 0.5 * Math.cos(7 * c + t * (0.2 + d))];
          const far = ((x / smallWidth - cx) ** 2 + (y / smallHeight - cy) ** 2) / (0.01 + 0.03 * e);
          light += (60 + 80 * f) * Math.exp(-far);
        }
        frame[y * smallWidth + x] = Math.min(255, light);
      }
    return frame;
  });
}

const video = drawVideo(40, 1);
const aspect = 16 / 9;
const keysOf = (frames: Uint8Array[]) => Buffer.concat(frames.filter((_, n) => n % clockFps === 0));
const inVideo = { keyFrames: keysOf(video), aspect };
const clipOf = (frames: Uint8Array[]) => openClip({ frames: Buffer.concat(frames), aspect });

/** Every pixel of a frame out of another. */
const redraw = (frames: Uint8Array[], from: (x: number, y: number) => [number, number] | undefined) =>
  frames.map((frame) =>
    Uint8Array.from({ length: smallBytes }, (_, i) => {
      const at = from(i % smallWidth, Math.floor(i / smallWidth));
      return at === undefined ? 0 : (frame[Math.round(at[1]) * smallWidth + Math.round(at[0])] ?? 0);
    }),
  );

describe('a clip is found in its video', () => {
  const cut = video.slice(407, 407 + 12 * clockFps);

  it('to the frame, and to each of its whole seconds', () => {
    const place = findPlace(clipOf(cut), inVideo);
    expect(place).toMatchObject({ offset: 407, view: { isMirrored: false } });
    const seconds = place && placeSeconds(clipOf(cut), inVideo, place);
    expect(seconds?.[0]).toEqual({ second: 14, at: 420 - 407 });
    expect(seconds?.map(({ second }) => second)).toEqual([14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]);
  });

  it.each([
    ['mirrored', redraw(cut, (x, y) => [smallWidth - 1 - x, y]), true],
    ['cut down to its middle', redraw(cut, (x, y) => [6.4 + 0.8 * x, 3.6 + 0.8 * y]), false],
    ['between bars', redraw(cut, (x, y) => (y < 4 || y >= 32 ? undefined : [x, ((y - 4) * 36) / 28])), false],
  ] as const)('%s', (_, frames, isMirrored) => {
    const place = findPlace(clipOf([...frames]), inVideo);
    expect(place?.view.isMirrored).toBe(isMirrored);
    expect(Math.abs((place?.offset ?? 0) - 407)).toBeLessThanOrEqual(1);
  });

  it('piece by piece when it was cut together', () => {
    const joined = [...video.slice(600, 600 + 10 * clockFps), ...video.slice(30, 30 + 10 * clockFps)];
    const place = findPlace(clipOf(joined), inVideo);
    const seconds = place && placeSeconds(clipOf(joined), inVideo, place).map(({ second }) => second);
    expect(seconds).toEqual(expect.arrayContaining([2, 5, 9, 21, 25, 29]));
    expect(seconds).not.toContain(15);
  });

  it('and another video looks less like it', () => {
    const other = findPlace(clipOf(cut), { keyFrames: keysOf(drawVideo(40, 9)), aspect });
    expect(other?.likeness ?? 0).toBeLessThan(0.9 * (findPlace(clipOf(cut), inVideo)?.likeness ?? 0));
  });
});

it('bars are dark on every frame; a dark corner is none', () => {
  const barred = redraw(video.slice(0, 60), (x, y) => (x < 8 || x >= 56 ? undefined : [x, y]));
  expect(insideBars(Buffer.concat(barred))).toEqual({ left: 8 / 64, top: 0, width: 48 / 64, height: 1 });
  expect(insideBars(Buffer.concat(video.slice(0, 60)))).toEqual({ left: 0, top: 0, width: 1, height: 1 });
});
