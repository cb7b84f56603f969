import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { openWorkbench } from '#engines/children/workbench.ts';
import { openVideoEngine } from '#engines/video/open-engine.ts';
import type { VideoEngine } from '#engines/video/video.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { drawHdrClip, type Patch, patchPx, sdrOf } from '#tests/support/media/hdr-clips.ts';
import { type Darkroom, readingSize, readKeyFrames, readStills } from './clip-frames.ts';
import { smallBytes } from './small-frames.ts';
import type { VideoRung } from './video-candidates.ts';

if (!canDrawClips) warnNoClips();
/** Eight seconds, each lighter than the one before. */
const seconds = 8;
const levelOf = (second: number) => 40 + 24 * second;

async function* greyOf({ width, height }: { width: number; height: number }): AsyncGenerator<Uint8Array> {
  for (;;) yield new Uint8Array(new Uint16Array((width * height) / 4).fill(2048).buffer);
}

describe.runIf(canDrawClips)('the key frames of a video', () => {
  let room: Darkroom;
  let rung: VideoRung;
  const opened: [from: number, count: number][] = [];
  beforeAll(async () => {
    const walls = await openWalls({ hidden: [] });
    const engine = (await openVideoEngine(walls)) as VideoEngine;
    room = { walls, engine };
    const lighter = ['-vf', `geq=lum='40+24*floor(T)':cb=128:cr=128,format=yuv420p`, '-color_range', 'tv'];
    const video = drawClip({ seconds, width: 128, height: 72, hasSound: false, also: lighter });
    const bench = await openWorkbench(walls, Readable.from([video]));
    const probe = await engine.probe(bench);
    const job = { probe, patterns: greyOf(probe), seconds: 100, mostSeconds: 60 };
    const { rungs } = await engine.transcode(bench, job, () => undefined);
    const [{ track, width, height, a }] = rungs as [(typeof rungs)[0]];
    const bytes = bench.read(a.name, 1e8) as Buffer;
    await bench.close();
    rung = {
      track,
      width,
      height,
      segments: a.segments.length,
      async open(_slot, from, count) {
        opened.push([from, count]);
        const parts = a.segments.slice(from, from + count);
        const pieces = parts.map(({ offset, sizeBytes }) => bytes.subarray(offset, offset + sizeBytes));
        return Buffer.concat([a.init, ...pieces]);
      },
    };
  });

  it('are one of each second, in order, also where the video is longer than is opened at once', async () => {
    const whole = await readKeyFrames(room, rung);
    expect(opened.splice(0)).toEqual([[0, seconds]]);
    const parts = await readKeyFrames(room, rung, 3);
    expect(opened.splice(0)).toEqual([
      [0, 3],
      [3, 3],
      [6, 2],
    ]);
    expect(parts.length).toBe(seconds * smallBytes);
    for (let second = 0; second < seconds; second++) {
      const level = parts[second * smallBytes + smallBytes / 2] ?? 0;
      expect(Math.abs(level - ((levelOf(second) - 16) * 255) / 219), `second ${second}`).toBeLessThan(6);
    }
    expect(parts.equals(whole)).toBe(true);
  });
});

describe.runIf(canDrawClips)('a still of a clip', () => {
  it('in HDR has the colours that one saw', async () => {
    const patches: Patch[] = [
      [18, 18, 18],
      [100, 100, 100],
      [120, 20, 15],
    ];
    const walls = await openWalls({ hidden: [] });
    const engine = (await openVideoEngine(walls)) as VideoEngine;
    const bench = await openWorkbench(walls, Readable.from([drawHdrClip(patches, 'smpte2084')]));
    const probe = await engine.probe(bench);
    const clip = { walls, engine, bench, probe, size: readingSize(probe) };
    const [still] = await readStills(clip, [{ at: 15, cameAfter: 0 }]);
    await bench.close();
    for (const [n, patch] of patches.entries())
      for (const [channel, level] of sdrOf(patch).entries()) {
        const at = 3 * ((patchPx / 2) * probe.width + n * patchPx + patchPx / 2) + channel;
        expect(Math.abs((still?.picture[at] ?? 0) - level), `${patch}, ${channel}`).toBeLessThan(6);
      }
  });
});
