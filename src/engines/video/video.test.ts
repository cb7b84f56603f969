import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { openWorkbench, type Workbench } from '#engines/children/workbench.ts';
import { firstMoment, readBoxes } from '#tests/support/boxes.ts';
import { findCameraMaterial } from '#tests/support/camera-material.ts';
import { canDrawClips, drawClip, tellNoClips } from '#tests/support/clips.ts';
import { openFfmpeg } from './ffmpeg.ts';
import { openNodeAv } from './node-av.ts';
import { patternSize } from './plan.ts';
import type { Probe, TrackFile, VideoEngine } from './video.ts';

if (!canDrawClips) tellNoClips();

const walls = await openWalls({ hidden: [] });
const engines: [string, VideoEngine | undefined][] = [
  ['ffmpeg', await openFfmpeg(walls)],
  ['node-av', openNodeAv()],
];
const cameras = new Map(findCameraMaterial()?.map(({ name, path }) => [name, path]));
const benches: Workbench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});

async function lay(bytes: Buffer): Promise<Workbench> {
  const bench = await openWorkbench(walls, Readable.from([bytes]));
  benches.push(bench);
  return bench;
}

/** Patterns that say nothing, but for a stripe that moves with the second. */
async function* patternsOf(probe: Probe): AsyncGenerator<Uint8Array> {
  const { width, height } = patternSize(probe);
  for (let second = 0; ; second++) {
    const frame = new Uint16Array(width * height).fill(2048);
    frame.fill(2048 + 80, 0, (width * height) >> 1);
    yield new Uint8Array((second % 2 === 0 ? frame : frame.toReversed()).buffer);
  }
}

/** As fast as its encoder is. */
const av1 = ['-c:v', 'libsvtav1', '-preset', '12'];

/** The same film with the matrix of a phone that was held upright (ISO/IEC 14496-12 §8.3.2). */
function turned(clip: Buffer): Buffer {
  const matrix = clip.indexOf('tkhd') + 44;
  for (const [n, value] of [0, 65_536, 0, -65_536, 0].entries()) clip.writeInt32BE(value, matrix + 4 * n);
  return clip;
}

describe.each(engines)('films by %s', (_, found) => {
  describe.runIf(canDrawClips && found)('', () => {
    const engine = found as VideoEngine;
    const make = async (bytes: Buffer, onProgress: (share: number) => void = () => undefined) => {
      const bench = await lay(bytes);
      const probe = await engine.probe(bench);
      const job = { probe, patterns: patternsOf(probe), seconds: 400, mostSeconds: 60 };
      return { bench, probe, film: await engine.transcode(bench, job, onProgress) };
    };
    const codeOf = (work: Promise<unknown>) =>
      work.then(
        () => 'made',
        (error) => error.code ?? String(error),
      );
    const bytesOf = (bench: Workbench, { name }: TrackFile) => bench.read(name, 1e9) ?? Buffer.alloc(0);
    const segmentOf = (bench: Workbench, track: TrackFile, n: number) => {
      const { offset = 0, sizeBytes = 0 } = track.segments[n] ?? {};
      return bytesOf(bench, track).subarray(offset, offset + sizeBytes);
    };

    it('have segments of one second at the same places in both variants of both rungs, and their sound once', async () => {
      const { film, probe } = await make(drawClip({ seconds: 2.5, width: 1280, height: 720 }));
      expect(probe).toMatchObject({ width: 1280, height: 720, fps: 30, audioStream: 1, hdr: undefined });
      expect(film.rungs.map(({ track, width, height }) => [track, width, height])).toEqual([
        ['v720', 1280, 720],
        ['v480', 854, 480],
      ]);
      for (const { a, b } of film.rungs)
        for (const { segments } of [a, b])
          expect(segments.map(({ microseconds }) => microseconds)).toEqual([1e6, 1e6, 5e5]);
      for (const { a, b } of film.rungs) expect(a.init.equals(b.init)).toBe(true);
      const sound = film.audio?.segments.reduce((sum, { microseconds }) => sum + microseconds / 1e6, 0) ?? 0;
      expect(sound).toBeCloseTo(2.5, 0);
      expect(film.seconds).toBeCloseTo(2.5, 3);
    });

    it('begin at the same moment with every track: the picture is not as late as its B-frames are deep', async () => {
      const { bench, film } = await make(drawClip({ seconds: 2.5, width: 1280, height: 720 }));
      const tracks = [...film.rungs.flatMap(({ a, b }) => [a, b]), ...(film.audio ? [film.audio] : [])];
      expect(tracks).toHaveLength(5);
      for (const track of tracks) {
        const boxes = readBoxes(Buffer.concat([track.init, segmentOf(bench, track, 0)]));
        expect(boxes.filter(({ path }) => path.endsWith('/edts'))).toEqual([]);
        expect(firstMoment(boxes)).toBe(0);
      }
    });

    it('differ between the variants in every segment, and play as any mix of them', async () => {
      const { bench, film } = await make(drawClip({ seconds: 2, hasSound: false }));
      const [{ a, b } = {}] = film.rungs;
      if (!a || !b) throw new Error('no rung');
      for (const n of [0, 1]) expect(segmentOf(bench, a, n).equals(segmentOf(bench, b, n))).toBe(false);
      const mixed = Buffer.concat([a.init, segmentOf(bench, b, 0), segmentOf(bench, a, 1)]);
      const played = await lay(mixed);
      const probe = await engine.probe(played);
      expect(Math.abs(probe.seconds - 2)).toBeLessThan(0.1);
      expect(await codeOf(engine.drawPoster(played, probe))).toBe('made');
    });

    it('carry the pattern of each second: A where it is light above, B where it is dark', async () => {
      const grey = ['-vf', 'geq=lum=128:cb=128:cr=128', '-crf', '1'];
      const { bench, film } = await make(drawClip({ seconds: 2, hasSound: false, also: grey }));
      const [{ a, b } = {}] = film.rungs;
      if (!a || !b) throw new Error('no rung');
      const above = async (track: TrackFile, n: number) => {
        const one = await lay(Buffer.concat([track.init, segmentOf(bench, track, n)]));
        const png = await engine.drawPoster(one, await engine.probe(one));
        const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
        return (data[info.width * 15] ?? 0) - (data[data.length - info.width * 15] ?? 0);
      };
      const [first, second] = [await above(a, 0), await above(a, 1)];
      expect(first).toBeGreaterThan(2);
      expect(second).toBeLessThan(-2);
      expect(await above(b, 0)).toBeLessThan(-2);
      expect(await above(b, 1)).toBeGreaterThan(2);
    });

    it('have nothing of their source but picture and sound', async () => {
      const told = ['-metadata', 'location=+52.52+013.40/', '-metadata', 'make=Phone', '-metadata', 'comment=secret'];
      const clip = drawClip({ ending: 'mov', also: [...told, '-movflags', 'use_metadata_tags'] });
      expect(['+52.52', 'Phone', 'secret'].filter((word) => clip.includes(word))).toHaveLength(3);
      const { bench, film, probe } = await make(clip);
      expect(probe.personal).toEqual(expect.arrayContaining(['location', 'device', 'text']));
      for (const track of [...film.rungs.flatMap(({ a, b }) => [a, b]), ...(film.audio ? [film.audio] : [])]) {
        const bytes = Buffer.concat([track.init, ...track.segments.map((_, n) => segmentOf(bench, track, n))]);
        expect(['+52.52', 'Phone', 'secret'].filter((word) => bytes.includes(word))).toEqual([]);
        const paths = readBoxes(bytes).map(({ path }) => path);
        expect(paths).toContain('/moov/mvex/trex');
        expect(paths.filter((path) => /(udta|meta|uuid|ilst|gps|loci|\u00a9...)$/.test(path))).toEqual([]);
      }
    });

    it.each([
      ['of pixels twice as wide as high', { also: ['-vf', 'setsar=2/1'] }, [640, 180]],
      ['of odd sides', { width: 640, height: 360, also: ['-vf', 'format=yuv444p,crop=321:181'] }, [322, 182]],
      ['of Matroska', { ending: 'mkv' }, [320, 180]],
      ['of VP9 in WebM', { ending: 'webm', also: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime'] }, [320, 180]],
      ['of AV1', { also: av1 }, [320, 180]],
      ['of AV1 of 10 bits in WebM', { ending: 'webm', also: [...av1, '-pix_fmt', 'yuv420p10le'] }, [320, 180]],
      ['of HEVC', { ending: 'mov', also: ['-c:v', 'libx265', '-x265-params', 'log-level=error'] }, [320, 180]],
      ['of 3GP', { ending: '3gp', also: ['-c:v', 'libx264', '-c:a', 'aac'] }, [320, 180]],
      ['of frames that come unevenly', { also: ['-vf', 'select=mod(n\\,7)', '-fps_mode', 'vfr'] }, [320, 180]],
      ['of a transport stream', { ending: 'ts' }, [320, 180]],
      ['of 60 frames a second', { fps: 60 }, [320, 180]],
      ['of 120 frames a second', { fps: 120 }, [320, 180]],
      ['of 10 bits', { also: ['-pix_fmt', 'yuv420p10le'] }, [320, 180]],
      ['of full range', { also: ['-pix_fmt', 'yuvj420p'] }, [320, 180]],
    ] as const)('%s come out upright, square, even and whole', async (_kind, wish, size) => {
      const { film } = await make(drawClip(wish));
      expect(film.rungs.map(({ width, height }) => [width, height])).toEqual([size]);
      expect(film.seconds).toBeCloseTo(2, 1);
      expect(film.rungs[0]?.a.segments).toHaveLength(Math.ceil(film.seconds));
    });

    it('of a camera that lay on its side stand upright', async () => {
      const { film, bench, probe } = await make(turned(drawClip({ hasSound: false })));
      expect(film.rungs.map(({ width, height }) => [width, height])).toEqual([[180, 320]]);
      expect(await sharp(await engine.drawPoster(bench, probe)).metadata()).toMatchObject({ width: 180, height: 320 });
    });

    it('of a tenth of a second and of one frame are films as well', async () => {
      for (const seconds of [0.1, 0.03]) {
        const { film, bench, probe } = await make(drawClip({ seconds, hasSound: false }));
        expect(film.rungs[0]?.a.segments).toHaveLength(1);
        expect((await sharp(await engine.drawStoryboard(bench, probe)).metadata()).width).toBe(7 * 160);
      }
    });

    it('have a poster of the size of the film and a sheet with a cell for every second', async () => {
      const bench = await lay(drawClip({ seconds: 5, width: 180, height: 320, also: ['-g', '30'] }));
      const probe = await engine.probe(bench);
      expect(await sharp(await engine.drawPoster(bench, probe)).metadata()).toMatchObject({ width: 180, height: 320 });
      const sheet = sharp(await engine.drawStoryboard(bench, probe));
      expect(await sheet.metadata()).toMatchObject({ width: 7 * 90, height: 6 * 160 });
      const cell = (n: number) =>
        sheet
          .clone()
          .extract({ left: 90 * n, top: 0, width: 90, height: 160 })
          .raw()
          .toBuffer();
      expect((await cell(0)).equals(await cell(3))).toBe(false);
    });

    it('tell how far they are', async () => {
      const shares: number[] = [];
      await make(drawClip({ seconds: 6, width: 640, height: 360 }), (share) => shares.push(share));
      expect(shares.length).toBeGreaterThan(0);
      expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
      expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    });

    it('stop within a second when nobody wants them, and leave nothing that runs', async () => {
      const bench = await lay(
        drawClip({ seconds: 20, width: 1280, height: 720, hasSound: false, also: ['-preset', 'ultrafast'] }),
      );
      const probe = await engine.probe(bench);
      const stop = new AbortController();
      let isBegun = false;
      const job = { probe, patterns: patternsOf(probe), seconds: 100, mostSeconds: 60 };
      const work = engine.transcode(
        bench,
        job,
        () => {
          isBegun = true;
        },
        stop.signal,
      );
      const ended = codeOf(work);
      await expect.poll(() => isBegun, { timeout: 20_000 }).toBe(true);
      const since = performance.now();
      stop.abort(new Error('deleted'));
      expect(await ended).toBe('Error: deleted');
      expect(performance.now() - since).toBeLessThan(1000);
    });

    it('are cut off where they are told to be, picture and sound', async () => {
      const bench = await lay(drawClip({ seconds: 5 }));
      const probe = await engine.probe(bench);
      const job = { probe: { ...probe, seconds: 2 }, patterns: patternsOf(probe), seconds: 100, mostSeconds: 2 };
      const { seconds, audio } = await engine.transcode(bench, job, () => undefined);
      expect(Math.abs(seconds - 2)).toBeLessThan(0.1);
      const sound = audio?.segments.reduce((sum, { microseconds }) => sum + microseconds / 1e6, 0) ?? 0;
      expect(Math.abs(sound - 2)).toBeLessThan(0.2);
    });

    it('are given up when their time is over', async () => {
      const bench = await lay(drawClip({ seconds: 5, width: 1280, height: 720 }));
      const probe = await engine.probe(bench);
      expect(
        await codeOf(
          engine.transcode(
            bench,
            { probe, patterns: patternsOf(probe), seconds: 0.4, mostSeconds: 60 },
            () => undefined,
          ),
        ),
      ).toBe('TIMEOUT');
    });

    it('are damaged where they end before their end', async () => {
      const clip = drawClip({ seconds: 4, also: ['-movflags', '+faststart', '-bf', '0'] });
      expect(await codeOf(make(clip.subarray(0, Math.floor(clip.length * 0.5))))).toBe('CORRUPT');
      const late = drawClip({ seconds: 2 });
      expect(await codeOf(make(late.subarray(0, late.length - 3000)))).toBe('CORRUPT');
    });

    it('are refused where there is no picture, and where another file would be asked for', async () => {
      const sound = drawClip({ also: ['-vn'] });
      expect(await codeOf(make(sound))).toBe('NO_VIDEO_TRACK');
      for (const text of [
        '#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:1/a.ts\n',
        "ffconcat version 1.0\nfile 'http://127.0.0.1:1/a'\n",
      ])
        expect(['UNSUPPORTED', 'CORRUPT']).toContain(await codeOf(make(Buffer.from(text))));
    });

    it.runIf(cameras.size > 0)('of real cameras come out as their reference says', { timeout: 600_000 }, async () => {
      const wanted: [string, string | number[]][] = [
        ['made__portrait_gps.mov', [360, 640]],
        ['made__vfr.mp4', [640, 360]],
        ['made__sar_2x1.mp4', [1280, 360]],
        ['androidx__sample_rotate_and_reflect.mp4', [720, 1080]],
        ['androidx__h265_with_metadata_track.mp4', [720, 1280]],
        ['androidx__hlg10-color-test.mp4', [1280, 720]],
        ['androidx__hdr10-av1.mp4', [720, 1280]],
        ['androidx__roadtrip-vp92-10bit.webm', [426, 240]],
        ['mdx__sample.3gp', [176, 144]],
        ['made__truncated_faststart.mp4', 'CORRUPT'],
        ['made__audio_only.mp4', 'NO_VIDEO_TRACK'],
      ];
      for (const [name, outcome] of wanted) {
        const bytes = readFileSync(cameras.get(name) ?? '');
        if (typeof outcome === 'string') expect([name, await codeOf(make(bytes))]).toEqual([name, outcome]);
        else {
          const { film } = await make(bytes);
          const [{ width, height } = { width: 0, height: 0 }] = film.rungs;
          expect([name, width, height]).toEqual([name, ...outcome]);
        }
      }
    });
  });
});
