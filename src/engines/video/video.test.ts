import { Readable } from 'node:stream';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { openWorkbench, type Workbench } from '#engines/children/workbench.ts';
import { firstMoment, readBoxes } from '#tests/support/media/boxes.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { videoEngines } from '#tests/support/media/video-engines.ts';
import { videoKinds } from '#tests/support/media/video-kinds.ts';
import { patternSize } from './plan.ts';
import type { Probe, TrackFile, VideoEngine } from './video.ts';

if (!canDrawClips) warnNoClips();

const walls = await openWalls({ hidden: [] });
const engines = await videoEngines(walls);
const benches: Workbench[] = [];
/** Those of videos that several tests look at. */
const kept: Workbench[] = [];
const clear = async (all: Workbench[]) => {
  for (const bench of all.splice(0)) await bench.close();
};
afterEach(() => clear(benches));
afterAll(() => clear(kept));

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

/** The same, of which no more come after some: whoever needs them waits. @param onWaiting told when somebody does */
async function* fewPatternsOf(
  probe: Probe,
  count: number,
  onWaiting: () => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  const patterns = patternsOf(probe);
  for (let n = 0; n < count; n++) yield (await patterns.next()).value;
  onWaiting();
  await new Promise(() => undefined);
}

/** What a telephone writes into its videos. */
const reported = ['+52.52+013.40/', 'Phone', 'secret'];
const tags = [`location=${reported[0]}`, `make=${reported[1]}`, `comment=${reported[2]}`].flatMap((tag) => [
  '-metadata',
  tag,
]);
/** The smallest video of two rungs. */
const tour = {
  seconds: 2.5,
  width: 568,
  height: 568,
  ending: 'mov',
  also: [...tags, '-movflags', 'use_metadata_tags'],
};
const grey = { seconds: 2, hasSound: false, also: ['-vf', 'geq=lum=128:cb=128:cr=128', '-crf', '1'] };

/** The same video with the matrix of a phone that was held upright (ISO/IEC 14496-12 §8.3.2). */
function turned(clip: Buffer): Buffer {
  const matrix = clip.indexOf('tkhd') + 44;
  for (const [n, value] of [0, 65_536, 0, -65_536, 0].entries()) clip.writeInt32BE(value, matrix + 4 * n);
  return clip;
}

describe.each(engines)('videos by %s', (name, found) => {
  describe.runIf(canDrawClips && found)('', () => {
    const engine = found as VideoEngine;
    const make = async (bytes: Buffer, onProgress: (share: number) => void = () => undefined) => {
      const bench = await lay(bytes);
      const probe = await engine.probe(bench);
      const job = { probe, patterns: patternsOf(probe), seconds: 400, mostSeconds: 60 };
      return { bench, probe, video: await engine.transcode(bench, job, onProgress) };
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

    describe('of two rungs', () => {
      const shares: number[] = [];
      let made: Awaited<ReturnType<typeof make>>;
      let tracks: TrackFile[];
      beforeAll(async () => {
        made = await make(drawClip(tour), (share) => shares.push(share));
        tracks = [...made.video.rungs.flatMap(({ a, b }) => [a, b]), ...(made.video.audio ? [made.video.audio] : [])];
        kept.push(...benches.splice(0));
      });

      it('have segments of one second at the same places in both variants of both, and their sound once', () => {
        const { video, probe } = made;
        expect(probe).toMatchObject({ width: 568, height: 568, fps: 30, audioStream: 1, hdr: undefined });
        expect(video.rungs.map(({ track, width, height }) => [track, width, height])).toEqual([
          ['v720', 568, 568],
          ['v480', 480, 480],
        ]);
        for (const { a, b } of video.rungs)
          for (const { segments } of [a, b])
            expect(segments.map(({ microseconds }) => microseconds)).toEqual([1e6, 1e6, 5e5]);
        for (const { a, b } of video.rungs) expect(a.init.equals(b.init)).toBe(true);
        const sound = video.audio?.segments.reduce((sum, { microseconds }) => sum + microseconds / 1e6, 0) ?? 0;
        expect(sound).toBeCloseTo(2.5, 0);
        expect(video.seconds).toBeCloseTo(2.5, 3);
      });

      it('begin at the same moment with every track: the picture is not as late as its B-frames are deep', () => {
        expect(tracks).toHaveLength(5);
        for (const track of tracks) {
          const boxes = readBoxes(Buffer.concat([track.init, segmentOf(made.bench, track, 0)]));
          expect(boxes.filter(({ path }) => path.endsWith('/edts'))).toEqual([]);
          expect(firstMoment(boxes)).toBe(0);
        }
      });

      it('have nothing of their source but picture and sound', () => {
        const clip = drawClip(tour);
        expect(reported.filter((word) => clip.includes(word))).toEqual(reported);
        expect(made.probe.personal).toEqual(expect.arrayContaining(['location', 'device', 'text']));
        for (const track of tracks) {
          const bytes = Buffer.concat([track.init, ...track.segments.map((_, n) => segmentOf(made.bench, track, n))]);
          expect(reported.filter((word) => bytes.includes(word))).toEqual([]);
          const paths = readBoxes(bytes).map(({ path }) => path);
          expect(paths).toContain('/moov/mvex/trex');
          expect(paths.filter((path) => /(udta|meta|uuid|ilst|gps|loci|\u00a9...)$/.test(path))).toEqual([]);
        }
      });

      it('tell how far they are', () => {
        expect(shares.length).toBeGreaterThan(0);
        expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
        expect(shares).toEqual(shares.toSorted((a, b) => a - b));
      });
    });

    it('carry the pattern of each second, A where it is light above, B where it is dark, and play as any mix of them', async () => {
      const { bench, video } = await make(drawClip(grey));
      const [{ a, b } = {}] = video.rungs;
      if (!a || !b) throw new Error('no rung');
      for (const n of [0, 1]) expect(segmentOf(bench, a, n).equals(segmentOf(bench, b, n))).toBe(false);
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
      const mixed = await lay(Buffer.concat([a.init, segmentOf(bench, b, 0), segmentOf(bench, a, 1)]));
      const probe = await engine.probe(mixed);
      expect(Math.abs(probe.seconds - 2)).toBeLessThan(0.1);
      expect(await codeOf(engine.drawPoster(mixed, probe))).toBe('made');
    });

    const kinds = name === 'ffmpeg' ? videoKinds : videoKinds.filter(({ isOdd }) => isOdd);
    it.each(kinds)('$kind come out upright, square, even and whole', async ({ wish: wanted, size }) => {
      const { video } = await make(drawClip(wanted));
      expect(video.rungs.map(({ width, height }) => [width, height])).toEqual([size]);
      expect(video.seconds).toBeCloseTo(1, 1);
      expect(video.rungs[0]?.a.segments).toHaveLength(Math.ceil(video.seconds));
    });

    it('of a camera that lay on its side stand upright', async () => {
      const { video, bench, probe } = await make(turned(drawClip({ seconds: 1, hasSound: false })));
      expect(video.rungs.map(({ width, height }) => [width, height])).toEqual([[180, 320]]);
      expect(await sharp(await engine.drawPoster(bench, probe)).metadata()).toMatchObject({ width: 180, height: 320 });
    });

    it('of a tenth of a second and of one frame are videos as well', async () => {
      // Of 75 frames a second the key frame lasts less than half of one on our clock.
      for (const wanted of [{ seconds: 0.1 }, { seconds: 0.03 }, { seconds: 0.1, fps: 75 }]) {
        const { video, bench, probe } = await make(drawClip({ ...wanted, hasSound: false }));
        expect(video.rungs[0]?.a.segments).toHaveLength(1);
        expect((await sharp(await engine.drawStoryboard(bench, probe)).metadata()).width).toBe(7 * 160);
      }
    });

    it('have a poster of the size of the video and a sheet with a cell for every second', async () => {
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

    it('of 120 frames a second that have one key frame have a sheet', async () => {
      const also = ['-g', '9999'];
      const bench = await lay(drawClip({ seconds: 11, fps: 120, width: 64, height: 48, hasSound: false, also }));
      const sheet = sharp(await engine.drawStoryboard(bench, await engine.probe(bench)));
      expect(await sheet.metadata()).toMatchObject({ width: 7 * 64, height: 6 * 48 });
    });

    it('that begin dark are not dark on their sheet, though only their first frame is a key frame', async () => {
      const dark = "drawbox=w=iw:h=ih:color=black:t=fill:enable='lt(t,0.1)'";
      const bench = await lay(drawClip({ seconds: 1, hasSound: false, also: ['-vf', dark, '-g', '250'] }));
      const sheet = sharp(await engine.drawStoryboard(bench, await engine.probe(bench)));
      const first = sheet.extract({ left: 0, top: 0, width: 160, height: 90 });
      expect((await first.greyscale().stats()).channels[0]?.mean).toBeGreaterThan(60);
    });

    it('stop when nobody wants them, and leave nothing that runs', async () => {
      const bench = await lay(drawClip({ hasSound: false }));
      const probe = await engine.probe(bench);
      const [stop, waiting] = [new AbortController(), Promise.withResolvers<void>()];
      const job = { probe, patterns: fewPatternsOf(probe, 1, waiting.resolve), seconds: 100, mostSeconds: 60 };
      const ended = codeOf(engine.transcode(bench, job, () => undefined, stop.signal));
      await waiting.promise;
      stop.abort(new Error('deleted'));
      expect(await ended).toBe('Error: deleted');
    });

    it('are cut off where they are told to be, picture and sound', async () => {
      const bench = await lay(drawClip());
      const probe = await engine.probe(bench);
      const job = { probe: { ...probe, seconds: 1 }, patterns: patternsOf(probe), seconds: 100, mostSeconds: 1 };
      const { seconds, audio } = await engine.transcode(bench, job, () => undefined);
      expect(Math.abs(seconds - 1)).toBeLessThan(0.1);
      const sound = audio?.segments.reduce((sum, { microseconds }) => sum + microseconds / 1e6, 0) ?? 0;
      expect(Math.abs(sound - 1)).toBeLessThan(0.2);
    });

    it('are given up when their time is over', async () => {
      const bench = await lay(drawClip({ hasSound: false }));
      const probe = await engine.probe(bench);
      const job = { probe, patterns: fewPatternsOf(probe, 1), seconds: 0.4, mostSeconds: 60 };
      expect(await codeOf(engine.transcode(bench, job, () => undefined))).toBe('TIMEOUT');
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
  });
});
