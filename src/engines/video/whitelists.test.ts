import { createReadStream, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { findProgram, openWalls } from '#engines/children/walls.ts';
import { lend } from '#engines/children/work-folder.ts';
import { openWorkbench, type Workbench } from '#engines/children/workbench.ts';
import { findCameraMaterial } from '#tests/support/media/camera-material.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { openFfmpeg } from './ffmpeg.ts';
import { openNodeAv } from './node-av.ts';
import { patternSize } from './plan.ts';
import { limitsFor } from './programs.ts';
import type { Probe, VideoEngine } from './video.ts';

if (!canDrawClips) warnNoClips();

/** A busy machine may take its time. */
const walls = await openWalls({ hidden: [] });
const engines: [string, VideoEngine | undefined][] = [
  ['ffmpeg', await openFfmpeg(walls)],
  ['node-av', openNodeAv()],
];
const cameras = new Map(findCameraMaterial()?.map(({ name, path: file }) => [name, file]));
const benches: Workbench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});

/** A bench with a foreign text, and beside it a good video that a program on it may read. @param write is told the video's path */
async function layBeside(
  ending: 'mp4' | 'ts',
  write: (video: string) => string,
): Promise<{ bench: Workbench; video: string }> {
  const bench = await openWorkbench(walls, Readable.from([Buffer.alloc(0)]));
  benches.push(bench);
  const video = path.join(path.dirname(bench.input), `video.${ending}`);
  writeFileSync(video, drawClip({ seconds: 1, hasSound: false, ending }), { mode: 0o600 });
  if (walls.wall.userId !== undefined) lend(video, walls.wall.userId);
  writeFileSync(bench.input, write(video));
  return { bench, video };
}

async function* greyOf(probe: Probe): AsyncGenerator<Uint8Array> {
  const { width, height } = patternSize(probe);
  for (;;) yield new Uint8Array(new Uint16Array(width * height).fill(2048).buffer);
}

/** Everything that is done with a video. @returns its refusal, or `made` */
async function makeOf(engine: VideoEngine, bench: Workbench): Promise<string> {
  try {
    const probe = await engine.probe(bench);
    await engine.drawPoster(bench, probe);
    await engine.transcode(bench, { probe, patterns: greyOf(probe), seconds: 60, mostSeconds: 60 }, () => undefined);
    return 'made';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

/** Texts that have another file read in their place, named as it lies beside them or by its whole path. */
const lists = [
  ['a playlist', 'ts', (video: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${video}\n#EXT-X-ENDLIST\n`],
  ['a concat script', 'mp4', (video: string) => `ffconcat version 1.0\nfile '${video}'\nduration 1\n`],
] as const;

describe.each(engines)('%s', (name, found) => {
  describe.runIf(canDrawClips && found)('', () => {
    const engine = found as VideoEngine;

    it.each(lists)('refuses %s that names a video which it could read', async (_, ending, write) => {
      for (const nameOf of [path.basename, path.normalize]) {
        const { bench, video } = await layBeside(ending, (there) => write(nameOf(there)));
        const alone = await engine.probe({ ...bench, input: video });
        expect(alone.seconds).toBeCloseTo(1, 0);
        expect(await makeOf(engine, bench)).toBe('UNSUPPORTED');
      }
    });

    it.runIf(cameras.size > 0)('refuses lists of others, and a video that it has no decoder for', async () => {
      // FFmpeg can read VVC from 7.1 on, and node-av is made of 8.
      const canReadVvc = name === 'node-av' || Number.parseFloat(engine.name.split(' ')[1] ?? '') >= 7.1;
      const ends = [
        ['made__m3u8_as.mp4', 'UNSUPPORTED'],
        ['made__concat_as.mp4', 'UNSUPPORTED'],
        ['androidx__sample_vvc.mp4', canReadVvc ? 'made' : 'UNSUPPORTED'],
      ] as const;
      for (const [video, end] of ends) {
        const bench = await openWorkbench(walls, createReadStream(cameras.get(video) ?? ''));
        benches.push(bench);
        expect([video, await makeOf(engine, bench)]).toEqual([video, end]);
      }
    });

    it('reads files, and by no other way than as files', async () => {
      const { bench, video } = await layBeside('mp4', () => '');
      expect(await makeOf(engine, { ...bench, input: `concat:/${video}` })).toMatch(/UNSUPPORTED|CORRUPT/);
    });

    it.runIf(name === 'ffmpeg')(
      'gives its programs both whitelists before the name of every foreign file',
      async () => {
        const { bench, video } = await layBeside('mp4', () => '');
        const commands: (readonly string[])[] = [];
        const watched = {
          ...bench,
          input: video,
          run: (order: Parameters<Workbench['run']>[0]) => {
            commands.push(order.command);
            return bench.run(order);
          },
        };
        const wanted = { width: 4, height: 2, firstSecond: 0, frames: 3 };
        expect(await makeOf(engine, watched)).toBe('made');
        const probe = await engine.probe(watched);
        await engine.drawStoryboard(watched, probe);
        await engine.readFrames(watched, probe, wanted);
        expect(commands).toHaveLength(6);
        for (const command of commands) {
          const before = command.slice(0, command.indexOf(`file:${video}`));
          const given = (option: string) => before[before.indexOf(option) + 1];
          expect(given('-protocol_whitelist')).toBe('file,pipe');
          expect(given('-format_whitelist')).not.toMatch(/hls|concat|image|svg|dash|sdp|tee/);
          expect(before.filter((word) => word === '-i')).toHaveLength(1);
        }
      },
    );
  });
});

/** Without the lists the same programs read on, so the refusals above are theirs. */
it.runIf(canDrawClips)('planted: without its whitelists the program reads the video that a script names', async () => {
  const [, [, ending, write]] = lists;
  const { bench } = await layBeside(ending, () => write('video.mp4'));
  const command = [findProgram('ffprobe') ?? '', '-v', 'error', '-show_streams', `file:${bench.input}`];
  const { ended, output } = await bench.run({ command, limits: limitsFor(20), seconds: 20 });
  expect([ended, output.includes('codec_name=h264')]).toEqual(['well', true]);
});
