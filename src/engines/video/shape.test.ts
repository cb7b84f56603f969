import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { layOn } from '#tests/support/media/benches.ts';
import { type ClipParams, canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { videoEngines } from '#tests/support/media/video-engines.ts';
import { patternSize } from './plan.ts';
import type { Probe, VideoEngine } from './video.ts';

if (!canDrawClips) warnNoClips();

/** A busy machine may take its time. */
const walls = await openWalls({ hidden: [] });
const engines = await videoEngines(walls);
const lay = layOn(walls);

/** A light square of 40 pixels in the middle of grey. */
const square = 'geq=lum=90:cb=128:cr=128,drawbox=x=(iw-40)/2:y=(ih-40)/2:w=40:h=40:color=white:t=fill';

/** Pieces of a second, one after another in one transport stream, each with frames of its own kind. */
const joined = (pieces: readonly (Pick<ClipParams, 'width' | 'height'> & { pixels?: string; shape?: string })[]) =>
  Buffer.concat(
    pieces.map(({ pixels = 'yuv420p', shape = '1/1', ...size }, second) => {
      const frames = ['-vf', `${square},setsar=${shape},format=${pixels}`, '-g', '30'];
      const also = [...frames, '-c:v', 'libx264', '-bf', '0', '-output_ts_offset', String(second)];
      return drawClip({ seconds: 1, hasSound: false, ending: 'ts', ...size, also });
    }),
  );

/** In even seconds all is above, in odd ones below. */
async function* stripesOf(probe: Probe): AsyncGenerator<Uint8Array> {
  const { width, height } = patternSize(probe);
  const above = new Uint16Array(width * height).fill(2048);
  above.fill(2048 + 80, 0, width * (height >> 1));
  for (let second = 0; ; second++) yield new Uint8Array((second % 2 === 0 ? above : above.toReversed()).buffer);
}

const lying = { width: 160, height: 90 };
const upright = { width: 90, height: 160 };
const smaller = { width: 144, height: 80 };
const otherFormat = { ...lying, pixels: 'yuvj444p' };
const wide = { ...lying, shape: '2/1' };

/** Width and height of the square as it is drawn, enlarged to `lying`, of pixels twice as wide, and between bars in `upright`. */
const [asDrawn, larger, flat, small] = [
  [40, 40],
  [44, 45],
  [40, 20],
  [22, 22],
] as const;

describe.each(engines)('by %s', (_, found) => {
  describe.runIf(canDrawClips && found)('', () => {
    const engine = found as VideoEngine;

    /** Width and height of the square in a picture of light. */
    const squareIn = (light: Uint8Array, { width, height }: { width: number; height: number }) => {
      const isLight = (at: number) => (light[at] ?? 0) > 170;
      const row = Array.from({ length: width }, (_none, x) => (height >> 1) * width + x);
      const column = Array.from({ length: height }, (_none, y) => y * width + (width >> 1));
      return [row.filter(isLight).length, column.filter(isLight).length];
    };
    const expectSquares = (found: number[][], wanted: readonly (readonly [number, number])[]) => {
      expect(found).toHaveLength(wanted.length);
      for (const [second, [across = 0, down = 0]] of found.entries()) {
        const said = `second ${second}: ${across} × ${down}`;
        expect(Math.abs(across - (wanted[second]?.[0] ?? 0)), said).toBeLessThan(3);
        expect(Math.abs(down - (wanted[second]?.[1] ?? 0)), said).toBeLessThan(3);
      }
    };

    it.each([
      ['frames that change their size', [lying, smaller, lying], lying, [asDrawn, larger, asDrawn]],
      ['pixels that change their format and shape', [lying, otherFormat, wide], lying, [asDrawn, asDrawn, flat]],
      ['a recording that is turned', [upright, lying, lying], upright, [asDrawn, small, small]],
    ] as const)(
      '%s midway: a video of one size comes out, in proportion, every second marked',
      async (_what, pieces, size, squares) => {
        const bench = await lay(joined(pieces));
        const probe = await engine.probe(bench);
        const job = { probe, patterns: stripesOf(probe), seconds: 100, mostSeconds: 60 };
        const { rungs, seconds } = await engine.transcode(bench, job, () => undefined);
        expect(rungs.map(({ width, height }) => ({ width, height }))).toEqual([size]);
        const [name = ''] = await engine.drawDifferences(bench, rungs, { width: 1, height: 2 });
        const differences = bench.read(name, 1e6) ?? Buffer.alloc(0);
        for (const second of pieces.keys()) {
          const [above = 0, below = 0] = differences.subarray(2 * second);
          const [marked, plain] = second % 2 === 0 ? [above, below] : [below, above];
          expect(marked - 128, `second ${second}`).toBeGreaterThan(5);
          expect(Math.abs(plain - 128), `second ${second}`).toBeLessThan(3);
        }
        expect(differences).toHaveLength(2 * pieces.length);
        expect(seconds).toBeCloseTo(pieces.length, 1);

        const video = await lay(bench.read(rungs[0]?.a.name ?? '', 1e8) ?? Buffer.alloc(0));
        const wanted = { ...size, firstSecond: 0, frames: pieces.length, ofEach: [15] };
        const light = await engine.readFrames(video, { videoStream: 0 }, wanted);
        const each = size.width * size.height;
        expectSquares(
          pieces.map((_piece, n) => squareIn(light.subarray(n * each, (n + 1) * each), size)),
          squares,
        );

        const sheet = sharp(await engine.drawStoryboard(bench, probe)).greyscale();
        const cells = await Promise.all(
          pieces.map((_piece, n) =>
            sheet
              .clone()
              .extract({ left: n * size.width, top: 0, ...size })
              .raw()
              .toBuffer(),
          ),
        );
        expectSquares(
          cells.map((cell) => squareIn(cell, size)),
          squares,
        );
      },
    );

    it('a video of which only the container says that its pixels are wide is not squeezed', async () => {
      const also = ['-vf', `${square},setsar=2/1`, '-c:v', 'libvpx', '-deadline', 'realtime'];
      const bench = await lay(drawClip({ ...lying, seconds: 0.5, hasSound: false, ending: 'webm', also }));
      const size = { width: 320, height: 90 };
      const poster = sharp(await engine.drawPoster(bench, await engine.probe(bench))).greyscale();
      expect(await poster.metadata()).toMatchObject(size);
      expectSquares([squareIn(await poster.raw().toBuffer(), size)], [[80, 40]]);
    });

    /** Where what was left and above is then; the matrix of a track is a b / c d (ISO/IEC 14496-12 §8.3.2). */
    it.each([
      ['a quarter turn clockwise', [0, 1, 0, -1, 0], upright, 'right above'],
      ['half a turn', [-1, 0, 0, 0, -1], lying, 'right below'],
      ['a quarter turn back', [0, -1, 0, 1, 0], upright, 'left below'],
      ['in a mirror', [-1, 0, 0, 0, 1], lying, 'right above'],
      ['in a mirror, a quarter turn clockwise', [0, 1, 0, 1, 0], upright, 'left above'],
    ] as const)('a video that says it is %s is shown so', async (_what, matrix, size, place) => {
      const corner = ['-vf', "geq=lum='if(lt(X,W/2)*lt(Y,H/2),200,40)':cb=128:cr=128"];
      const clip = drawClip({ ...lying, seconds: 0.5, hasSound: false, also: corner });
      const at = clip.indexOf('tkhd') + 44;
      for (const [n, value] of matrix.entries()) clip.writeInt32BE(65_536 * value, at + 4 * n);
      const bench = await lay(clip);
      const png = await engine.drawPoster(bench, await engine.probe(bench));
      // Posters are read as photos are, which are turned by what they say of themselves.
      const poster = sharp(await sharp(png).autoOrient().toBuffer()).greyscale();
      expect(await poster.metadata()).toMatchObject(size);
      const quarters = await poster.resize(2, 2, { fit: 'fill', kernel: 'nearest' }).raw().toBuffer();
      const lightest = quarters.indexOf(Math.max(...quarters));
      expect(['left above', 'right above', 'left below', 'right below'][lightest]).toBe(place);
    });
  });
});
