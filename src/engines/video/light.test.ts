import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { layOn } from '#tests/support/media/benches.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { drawHdrClip, type Patch, patchPx, sdrOf } from '#tests/support/media/hdr-clips.ts';
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

/** As loud as a mark may be: as much lighter in one place as darker in the next. */
async function* loudOf(probe: Probe): AsyncGenerator<Uint8Array> {
  const { width, height } = patternSize(probe);
  const frame = Uint16Array.from({ length: width * height }, (_, i) => 2048 + 80 * ((i >> 2) % 2 === 0 ? 1 : -1));
  for (;;) yield new Uint8Array(frame.slice().buffer);
}

/** Greys from shade to a lamp, and colours as they are around us. */
const patches: Patch[] = [
  [1, 1, 1],
  [18, 18, 18],
  [100, 100, 100],
  [500, 500, 500],
  [120, 20, 15],
  [20, 90, 30],
  [15, 30, 150],
];
/** Steps of 255 by which a colour may be off. */
const mostOff = 6;

describe.each(engines)('the light of a video by %s', (_, found) => {
  describe.runIf(canDrawClips && found)('', () => {
    const engine = found as VideoEngine;
    const make = async (bytes: Buffer, patternsOf = plainOf) => {
      const bench = await lay(bytes);
      const probe = await engine.probe(bench);
      const job = { probe, patterns: patternsOf(probe), seconds: 100, mostSeconds: 60 };
      const { rungs } = await engine.transcode(bench, job, () => undefined);
      const variants = rungs.flatMap(({ a, b }) => [a, b].map(({ name }) => bench.read(name, 1e8) as Buffer));
      return { bench, probe, videos: await Promise.all(variants.map(lay)) };
    };
    /** The middle of each patch. */
    const middlesOf = (rgb: Buffer, width: number) =>
      patches.map((_patch, n) => {
        const at = 3 * ((patchPx / 2) * width + n * patchPx + patchPx / 2);
        return [...rgb.subarray(at, at + 3)];
      });
    const mostOffOf = (shown: readonly number[][]) =>
      Math.max(
        ...patches.flatMap((patch, n) => sdrOf(patch).map((level, i) => Math.abs((shown[n]?.[i] ?? 0) - level))),
      );
    const meanOf = (bytes: Buffer) => bytes.reduce((sum, level) => sum + level, 0) / bytes.length;

    it.each(['smpte2084', 'arib-std-b67'] as const)('in HDR of %s comes out in its colours, as SDR', async (coding) => {
      const { bench, probe, videos } = await make(drawHdrClip(patches, coding));
      expect(probe.hdr).toEqual({
        isHybridLog: coding === 'arib-std-b67',
        isPrimariesKnown: true,
        isMatrixKnown: true,
      });
      const { width, height } = probe;
      const poster = await sharp(await engine.drawPoster(bench, probe))
        .raw()
        .toBuffer();
      expect(mostOffOf(middlesOf(poster, width)), 'poster').toBeLessThan(mostOff);
      const wanted = { width, height, firstSecond: 0, frames: 1, isInColour: true };
      const shown = middlesOf(await engine.readFrames(bench, probe, wanted), width);
      expect(mostOffOf(shown), 'frames of it in colour').toBeLessThan(mostOff);
      for (const video of videos) {
        const made = await engine.probe(video);
        expect(made.hdr).toBeUndefined();
        const played = middlesOf(await engine.readFrames(video, made, wanted), width);
        expect(mostOffOf(played), 'video').toBeLessThan(mostOff);
      }
    });

    it.each([
      // The smallest that counts as high definition, whose smaller rung would not.
      [586, 586, 'bt709'],
      [320, 240, 'smpte170m'],
    ] as const)(
      'of %i × %i that does not say its colours has those of its size, in its poster too',
      async (...clip) => {
        const [width, height, matrix] = clip;
        const unsaid = ['colorspace', 'color_primaries', 'color_trc'].map((each) => `${each}=unknown`).join(':');
        const green = `format=gbrp,geq=r=32:g=160:b=64,scale=out_color_matrix=${matrix}:out_range=tv,format=yuv420p`;
        const also = ['-vf', `${green},setparams=${unsaid}`];
        const { bench, probe, videos } = await make(drawClip({ seconds: 0.5, width, height, hasSound: false, also }));
        const poster = await sharp(await engine.drawPoster(bench, probe))
          .raw()
          .toBuffer();
        const wanted = { width: 64, height: 36, firstSecond: 0, frames: 1, isInColour: true };
        const seen = [poster, await engine.readFrames(bench, probe, wanted)];
        for (const video of videos) {
          const made = await engine.probe(video);
          expect(made.guessedColours, 'what is played says its colours').toBeUndefined();
          seen.push(await engine.readFrames(video, made, wanted));
        }
        for (const [red = 0, green = 0, blue = 0] of seen) {
          expect(Math.abs(red - 32)).toBeLessThan(mostOff);
          expect(Math.abs(green - 160)).toBeLessThan(mostOff);
          expect(Math.abs(blue - 64)).toBeLessThan(mostOff);
        }
      },
    );

    it('stays what it is in both variants: neither is darker, under no mark and under a loud one', async () => {
      const grey = ['-vf', 'geq=lum=128:cb=128:cr=128', '-crf', '1'];
      for (const patternsOf of [plainOf, loudOf]) {
        const { videos } = await make(drawClip({ seconds: 0.3, hasSound: false, also: grey }), patternsOf);
        for (const video of videos) {
          const wanted = { width: 320, height: 180, firstSecond: 0, frames: 5 };
          const frames = await engine.readFrames(video, { videoStream: 0 }, wanted);
          // Level 128 of limited range, as a screen shows it.
          expect(Math.abs(meanOf(frames) - ((128 - 16) * 255) / 219)).toBeLessThan(0.8);
        }
      }
    });
  });
});
