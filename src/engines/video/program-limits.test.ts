import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import type { Limits } from '#engines/children/wall.ts';
import { openWalls } from '#engines/children/walls.ts';
import { openWorkbench, type Workbench } from '#engines/children/workbench.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { videoEngines } from '#tests/support/media/video-engines.ts';
import { patternSize } from './plan.ts';
import { type Probe, type VideoEngine, VideoRefused } from './video.ts';

if (!canDrawClips) warnNoClips();

const walls = await openWalls({ hidden: [] });
const engines = await videoEngines(walls);
const benches: Workbench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});

async function* greyOf(probe: Probe): AsyncGenerator<Uint8Array> {
  const { width, height } = patternSize(probe);
  for (;;) yield new Uint8Array(new Uint16Array(width * height).fill(2048).buffer);
}

/** A bench whose programs may take less than they need. */
const tightened = (bench: Workbench, less: Partial<Limits>): Workbench => ({
  ...bench,
  run: (order) => bench.run({ ...order, limits: { ...order.limits, ...less } }),
});

describe.each(engines)('a program of %s that needs more than it may take ends with a reason,', (name, found) => {
  describe.runIf(canDrawClips && found && process.platform === 'linux')('', () => {
    const engine = found as VideoEngine;
    it.each([
      // Whether it still can say what it lacks depends on who lacked it first.
      ['memory', 2, { dataBytes: name === 'ffmpeg' ? 100e6 : 800e6 }, /^(TOO_BIG|CORRUPT)$/],
      // Node is not ended by it: there the rest of the file is missing.
      ['a file', 2, { fileBytes: 20_000 }, name === 'ffmpeg' ? /^TOO_BIG$/ : /^CORRUPT$/],
      ['processor time', 4, { cpuSeconds: 1 }, /^CORRUPT$/],
    ] as const)('of %s', async (_, seconds, less, code) => {
      const video = drawClip({ seconds, width: 1280, height: 720, hasSound: false, also: ['-preset', 'ultrafast'] });
      const bench = await openWorkbench(walls, Readable.from([video]));
      benches.push(bench);
      const probe = await engine.probe(bench);
      const job = { probe, patterns: greyOf(probe), seconds: 300, mostSeconds: 60 };
      const end = await engine.transcode(tightened(bench, less), job, () => undefined).catch((error: unknown) => error);
      expect(end).toBeInstanceOf(VideoRefused);
      expect((end as VideoRefused).code).toMatch(code);
      expect((await engine.probe(bench)).seconds).toBeCloseTo(seconds, 0);
    });

    // The engine that npm ships does not always say so.
    it.runIf(name === 'ffmpeg')('of memory for single frames, without which it would go on', async () => {
      const references = ['-preset', 'ultrafast', '-refs', '16', '-bf', '3'];
      const video = drawClip({ seconds: 0.8, width: 3840, height: 2160, hasSound: false, also: references });
      const bench = await openWorkbench(walls, Readable.from([video]));
      benches.push(bench);
      const probe = await engine.probe(bench);
      const wanted = { width: 160, height: 90, firstSecond: 0, frames: 24 };
      expect((await engine.readFrames(bench, probe, wanted)).length).toBe(24 * 160 * 90);
      const less = tightened(bench, { dataBytes: 200e6 });
      const end = await engine.readFrames(less, probe, wanted).catch((error: unknown) => error);
      expect(end).toBeInstanceOf(VideoRefused);
      expect((end as VideoRefused).code).toBe('TOO_BIG');
    });
  });
});
