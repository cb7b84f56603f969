import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { layOn } from '#tests/support/media/benches.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { videoEngines } from '#tests/support/media/video-engines.ts';
import { patternSize } from './plan.ts';
import type { Probe, VideoEngine } from './video.ts';

if (!canDrawClips) warnNoClips();

const walls = await openWalls({ hidden: [] });
const engines = await videoEngines(walls);
const lay = layOn(walls);

/** Patterns that leave a picture alone. */
async function* plainOf(probe: Probe): AsyncGenerator<Uint8Array> {
  const { width, height } = patternSize(probe);
  for (;;) yield new Uint8Array(new Uint16Array(width * height).fill(2048).buffer);
}

const size = { width: 160, height: 128 };
/** White bars that move by a quarter of themselves from field to field. */
const bars = "geq=lum='if(lt(mod(X+8*N,64),32),220,40)':cb=128:cr=128,format=yuv420p";
const encoded = {
  mp4: ['-c:v', 'libx264', '-crf', '10'],
  ts: ['-c:v', 'mpeg2video', '-q:v', '2'],
};
const filmed = (ending: keyof typeof encoded, filter: string, ...flags: string[]) =>
  drawClip({
    ...size,
    fps: 60,
    seconds: 2,
    hasSound: false,
    ending,
    also: ['-vf', filter, ...encoded[ending], ...flags],
  });
const inFields = (ending: keyof typeof encoded) =>
  filmed(ending, `${bars},interlace=lowpass=off`, '-flags', '+ildct+ilme');

/** Returns how much lines stand out from those above and below them, in steps of 255: what a comb does, and an upright bar does not. */
function combOf(grey: Uint8Array, { width, height }: { width: number; height: number }): number {
  let sum = 0;
  for (let y = 1; y < height - 1; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const [above = 0, here = 0, below = 0] = [grey[at - width], grey[at], grey[at + width]];
      const [up, down] = [here - above, here - below];
      if (up * down > 0) sum += Math.min(Math.abs(up), Math.abs(down));
    }
  return sum / (width * height);
}

describe.each(engines)('film in fields by %s', (_, found) => {
  describe.runIf(canDrawClips && found)('', () => {
    const engine = found as VideoEngine;
    const make = async (clip: Buffer) => {
      const bench = await lay(clip);
      const probe = await engine.probe(bench);
      const drawn = async (png: Buffer) => {
        const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
        return combOf(data, info);
      };
      const poster = await drawn(await engine.drawPoster(bench, probe));
      const board = await drawn(await engine.drawStoryboard(bench, probe));
      const job = { probe, patterns: plainOf(probe), seconds: 100, mostSeconds: 60 };
      const { rungs, seconds } = await engine.transcode(bench, job, () => undefined);
      const [{ a } = { a: { name: '' } }] = rungs;
      const made = await lay(bench.read(a.name, 1e8) as Buffer);
      const wanted = { ...size, firstSecond: 0, frames: 30 };
      const frames = await engine.readFrames(made, await engine.probe(made), wanted);
      const each = size.width * size.height;
      const combs = Array.from({ length: frames.length / each }, (_frame, n) =>
        combOf(frames.subarray(n * each, (n + 1) * each), size),
      );
      return { probe, seconds, poster, board, video: combs.reduce((sum, comb) => sum + comb, 0) / combs.length };
    };

    it.each(['mp4', 'ts'] as const)('in %s becomes whole frames, in poster and storyboard too', async (ending) => {
      const made = await make(inFields(ending));
      expect(made.probe.interlaced).toEqual(size);
      expect(Math.abs(made.seconds - 2)).toBeLessThan(0.1);
      for (const what of ['video', 'poster', 'board'] as const)
        expect.soft(made[what], `the comb of its ${what}`).toBeLessThan(4);
    });

    it('is nothing that whole frames are taken for', async () => {
      const { probe, video } = await make(filmed('mp4', bars));
      expect(probe.interlaced).toBeUndefined();
      expect(video).toBeLessThan(1);
    });
  });
});
