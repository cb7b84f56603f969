import { Readable } from 'node:stream';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { openWorkbench } from '#engines/children/workbench.ts';
import { openFfmpeg } from '#engines/video/ffmpeg.ts';
import { openNodeAv } from '#engines/video/node-av.ts';
import { storyboardOf } from '#engines/video/plan.ts';
import type { VideoEngine } from '#engines/video/video.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { cellAt, sheetColumns, sheetRows } from './storyboard.ts';

if (!canDrawClips) warnNoClips();

const walls = await openWalls({ hidden: [] });
const engines: [string, VideoEngine | undefined][] = [
  ['ffmpeg', await openFfmpeg(walls)],
  ['node-av', openNodeAv()],
];

/** Each second is a sixth of the way round from the one before, and lighter or darker in turn: no two that are near are alike. */
const colourOf = (second: number) => ({
  y: 60 + 20 * (second % 7),
  u: 60 + 22 * (second % 6),
  v: 200 - 24 * (second % 5),
});
const drawn = [
  `lum='60+20*mod(floor(T),7)':cb='60+22*mod(floor(T),6)':cr='200-24*mod(floor(T),5)'`,
  'format=yuv420p',
].join(',');

/** The same colour on a screen (BT.601, as a video without tags has it). */
function screenOf(second: number): [number, number, number] {
  const { y, u, v } = colourOf(second);
  const [light, cb, cr] = [(255 / 219) * (y - 16), (255 / 224) * (u - 128), (255 / 224) * (v - 128)];
  const rgb = [light + 1.402 * cr, light - 0.344 * cb - 0.714 * cr, light + 1.772 * cb];
  return rgb.map((value) => Math.max(0, Math.min(255, value))) as [number, number, number];
}

describe.each(engines)('the cell of a second by %s', (_, found) => {
  describe.runIf(canDrawClips && found)('', () => {
    const engine = found as VideoEngine;
    it.each([
      ['a second each', 30, 1],
      ['three seconds each', 100, 3],
    ])('shows that second: %s', async (_what, seconds, cellSeconds) => {
      const also = ['-vf', `geq=${drawn}`, '-color_range', 'tv', '-g', '10', '-crf', '10'];
      const bench = await openWorkbench(
        walls,
        Readable.from([drawClip({ seconds, fps: 10, width: 160, height: 90, hasSound: false, also })]),
      );
      const probe = await engine.probe(bench);
      expect(storyboardOf(probe).cellSeconds).toBe(cellSeconds);
      const sheet = sharp(await engine.drawStoryboard(bench, probe)).raw();
      await bench.close();
      const { data, info } = await sheet.toBuffer({ resolveWithObject: true });
      const [width, height] = [info.width / sheetColumns, info.height / sheetRows];
      for (let second = 0; second < seconds; second++) {
        const { column, row } = cellAt(second, cellSeconds);
        const at = 3 * (Math.floor((row + 0.5) * height) * info.width + Math.floor((column + 0.5) * width));
        const shown = [...data.subarray(at, at + 3)];
        const first = second - (second % cellSeconds);
        const near = Array.from({ length: Math.min(cellSeconds, seconds - first) }, (_n, n) => screenOf(first + n));
        const off = near.map((colour) => Math.max(...colour.map((value, n) => Math.abs(value - (shown[n] ?? 0)))));
        expect(Math.min(...off), `second ${second}: ${shown} instead of ${near.join(' or ')}`).toBeLessThan(8);
      }
    });
  });
});

describe('a moment behind the last cell', () => {
  it('is shown by the last one', () => expect(cellAt(4000, 86)).toEqual({ column: 6, row: 5 }));
});
