import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { openWorkbench, type Workbench } from '#engines/children/workbench.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { videoEngines } from '#tests/support/media/video-engines.ts';
import type { FramesRequest, VideoEngine } from './video.ts';

if (!canDrawClips) warnNoClips();

const walls = await openWalls({ hidden: [] });
const engines = await videoEngines(walls);
const benches: Workbench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});

/** A video that grows lighter: its n-th frame of 30 a second has the level 20 + n. */
const lighter = (fps: number) => ({
  seconds: 4,
  fps,
  hasSound: false,
  width: 64,
  height: 48,
  also: ['-vf', `geq=lum='20+T*30':cb=128:cr=128,format=yuv420p`, '-color_range', 'tv', '-crf', '1', '-g', '30'],
});
/** Video levels as a screen shows them. */
const screen = (level: number) => ((level - 16) * 255) / 219;

describe.each(engines)('frames in grey by %s', (_, found) => {
  describe.runIf(canDrawClips && found)('', () => {
    const engine = found as VideoEngine;
    const read = async (bytes: Buffer, wanted: Partial<FramesRequest>) => {
      const bench = await openWorkbench(walls, Readable.from([bytes]));
      benches.push(bench);
      const probe = await engine.probe(bench);
      const frames = await engine.readFrames(bench, probe, {
        width: 4,
        height: 2,
        firstSecond: 0,
        frames: 1000,
        ...wanted,
      });
      return Array.from({ length: frames.length / 8 }, (_none, n) => frames[8 * n] ?? 0);
    };
    const expectLevels = (found: number[], times: number[]) => {
      expect(found).toHaveLength(times.length);
      for (const [n, time] of times.entries()) {
        const off = Math.abs((found[n] ?? 0) - screen(20 + 30 * time));
        expect(off, `frame ${n}`).toBeLessThan(4);
      }
    };

    it.each([24, 25, 30, 60])('lie on one clock, whatever clock %d frames a second had', async (fps) => {
      const all = await read(drawClip(lighter(fps)), {});
      expectLevels(
        all.slice(0, 118),
        Array.from({ length: 118 }, (_none, n) => n / 30),
      );
    });

    it('are those of each second that are wanted, from a second on', async () => {
      const levels = await read(drawClip(lighter(30)), { firstSecond: 1, ofEach: [10, 20], frames: 5 });
      expectLevels(levels, [1 + 10 / 30, 1 + 20 / 30, 2 + 10 / 30, 2 + 20 / 30, 3 + 10 / 30]);
    });

    it('are the key frames alone', async () => {
      const levels = await read(drawClip(lighter(30)), { isKeyFramesOnly: true, frames: 4 });
      expectLevels(levels, [0, 1, 2, 3]);
    });

    it('are none of a file in which there are none', async () => {
      await expect(read(drawClip({ also: ['-vn'] }), {})).rejects.toMatchObject({ code: 'NO_VIDEO_TRACK' });
    });
  });
});
