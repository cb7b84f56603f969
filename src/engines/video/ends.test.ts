import { describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { layOn } from '#tests/support/media/benches.ts';
import { type ClipParams, canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { videoEngines } from '#tests/support/media/video-engines.ts';
import { patternSize } from './plan.ts';
import type { Probe, VideoEngine } from './video.ts';

if (!canDrawClips) warnNoClips();

const walls = await openWalls({ hidden: [] });
const engines = await videoEngines(walls);
const lay = layOn(walls);

/** In even seconds all is above, in odd ones below. */
async function* stripesOf(probe: Probe): AsyncGenerator<Uint8Array> {
  const { width, height } = patternSize(probe);
  const above = new Uint16Array(width * height).fill(2048);
  above.fill(2048 + 80, 0, width * (height >> 1));
  for (let second = 0; ; second++) yield new Uint8Array((second % 2 === 0 ? above : above.toReversed()).buffer);
}

const small = { width: 64, height: 48 };
/** As a browser records: nothing says how long it is. */
const live = ['-c:v', 'libvpx', '-deadline', 'realtime', '-live', '1'];

describe.each(engines)('by %s', (_, found) => {
  describe.runIf(canDrawClips && found)('', () => {
    const engine = found as VideoEngine;

    it.each<[string, ClipParams, number]>([
      ['of one picture and a sound', { seconds: 3, also: ['-vf', 'trim=end_frame=1'] }, 3],
      ['whose picture ends before its sound', { seconds: 3, also: ['-vf', 'trim=end=1.2'] }, 3],
      [
        'whose picture ends before its sound, as nothing says',
        { seconds: 3, ending: 'webm', also: ['-vf', 'trim=end=1.2', ...live] },
        3,
      ],
      ['whose sound ends before its picture', { seconds: 3, also: ['-af', 'atrim=end=1'] }, 3],
      ['of a frame every four seconds', { seconds: 8, fps: 0.25, hasSound: false }, 8],
    ])('a video %s lasts as long as either, marked to its end', async (_what, clip, wanted) => {
      const bench = await lay(drawClip({ ...small, ...clip }));
      const probe = await engine.probe(bench);
      expect(Math.abs(probe.seconds - wanted), `it promises ${probe.seconds} s`).toBeLessThan(0.1);
      const job = { probe, patterns: stripesOf(probe), seconds: 100, mostSeconds: 60 };
      const { rungs, seconds } = await engine.transcode(bench, job, () => undefined);
      expect(Math.abs(seconds - probe.seconds), `it becomes ${seconds} s`).toBeLessThan(0.1);
      const [name = ''] = await engine.drawDifferences(bench, rungs, { width: 1, height: 2 });
      const differences = bench.read(name, 1e6) ?? Buffer.alloc(0);
      expect(differences).toHaveLength(2 * Math.ceil(seconds - 0.001));
      for (let second = 0; second < wanted; second++) {
        const [above = 0, below = 0] = differences.subarray(2 * second);
        const [marked, plain] = second % 2 === 0 ? [above, below] : [below, above];
        expect(marked - 128, `second ${second}`).toBeGreaterThan(5);
        expect(Math.abs(plain - 128), `second ${second}`).toBeLessThan(3);
      }
    });

    it.each([
      ['ahead', 50_000],
      ['a little ahead', 60],
      ['back', 0],
    ])('a video whose clock jumps %s lasts as long as what is in it', async (_where, seconds) => {
      const part = (offset: number) =>
        drawClip({ ...small, seconds: 3, ending: 'ts', also: ['-output_ts_offset', String(offset)] });
      const bench = await lay(Buffer.concat([part(0), part(seconds)]));
      const probe = await engine.probe(bench);
      expect(Math.abs(probe.seconds - 6), `it promises ${probe.seconds} s`).toBeLessThan(0.2);
      const job = { probe, patterns: stripesOf(probe), seconds: 100, mostSeconds: 60 };
      const made = await engine.transcode(bench, job, () => undefined);
      expect(Math.abs(made.seconds - 6), `it becomes ${made.seconds} s`).toBeLessThan(0.2);
    });

    it('a video whose picture is cut off is damaged, however long its sound goes on', async () => {
      const also = ['-vf', 'trim=end=3', '-movflags', '+faststart', '-bf', '0', '-crf', '10'];
      const clip = drawClip({ seconds: 6, also });
      const bench = await lay(clip.subarray(0, Math.floor(clip.length * 0.4)));
      const probe = await engine.probe(bench);
      const job = { probe, patterns: stripesOf(probe), seconds: 100, mostSeconds: 60 };
      await expect(engine.transcode(bench, job, () => undefined)).rejects.toMatchObject({ code: 'CORRUPT' });
    });

    it('a last picture that stands is cut off where a video is', async () => {
      const bench = await lay(drawClip({ ...small, seconds: 3, also: ['-vf', 'trim=end_frame=1'] }));
      const probe = await engine.probe(bench);
      const job = { probe: { ...probe, seconds: 1 }, patterns: stripesOf(probe), seconds: 100, mostSeconds: 1 };
      const { seconds } = await engine.transcode(bench, job, () => undefined);
      expect(Math.abs(seconds - 1)).toBeLessThan(0.1);
    });
  });
});
