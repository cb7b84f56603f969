import type { Frame } from 'node-av';
import { describe, expect, it } from 'vitest';
import { openNodeAv } from './node-av.ts';

describe.runIf(openNodeAv())('a frame of a video', () => {
  /** Moments of what is handed over. @param reported moment, and how long the frame says that it lasts, in ticks */
  const standFor = async (
    reported: readonly [at: number, lasts: number][],
    den: number,
    tail = 0,
    end = 100,
    most = 100,
  ) => {
    const { AV_PIX_FMT_GRAY8, Frame } = await import('node-av');
    const { secondsAt, holdingLastFrame } = await import('./node-av-held-frame.ts');
    async function* frames(): AsyncGenerator<Frame> {
      for (const [at, lasts] of reported) {
        const timeBase = { num: 1, den };
        const size = { width: 2, height: 2, format: AV_PIX_FMT_GRAY8 };
        const frame = Frame.fromVideoBuffer(Buffer.alloc(4), { ...size, timeBase, pts: BigInt(at) });
        frame.duration = BigInt(lasts);
        yield frame;
      }
    }
    const moments: number[] = [];
    for await (const frame of holdingLastFrame(frames(), { tailSeconds: tail, lastSecond: end, mostSeconds: most })) {
      moments.push(Number(secondsAt(frame).toFixed(3)));
      frame.free();
    }
    return moments;
  };

  it('stands until the next one has come, handed over once a second', async () => {
    const reported: [number, number][] = [
      [0, 1],
      [1, 1],
      [35, 1],
    ];
    expect(await standFor(reported, 10)).toEqual([0, 0.1, 1.1, 2.1, 3.1, 3.5, 3.567]);
  });

  it('is the last one for as long as it says, also by a clock that ticks once in a while', async () => {
    expect(await standFor([[0, 3]], 1)).toEqual([0, 1, 2, 2.967]);
  });

  it('is the last one until the sound has ended', async () => {
    expect(await standFor([[0, 1]], 30, 2, 2)).toEqual([0, 1, 1.967]);
  });

  it('is no longer the last one than was promised to stand, when those after it are missing', async () => {
    expect(await standFor([[0, 3]], 30, 2, 9)).toEqual([0, 1, 2, 2.067]);
  });

  it('that says nothing of how long it lasts stands alone', async () => {
    expect(await standFor([[0, 0]], 30)).toEqual([0]);
    expect(await standFor([], 30, 5)).toEqual([]);
  });

  it('is not shown beyond where a video is cut off', async () => {
    const reported: [number, number][] = [
      [0, 1],
      [900, 1],
    ];
    expect(await standFor(reported, 10, 50, 50, 2)).toEqual([0, 1, 1.967]);
  });
});
