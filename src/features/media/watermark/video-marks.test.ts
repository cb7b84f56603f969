import { Readable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { openWorkbench, type Workbench } from '#engines/children/workbench.ts';
import { openVideoEngine } from '#engines/video/open-engine.ts';
import { patternSize } from '#engines/video/plan.ts';
import type { VideoEngine } from '#engines/video/video.ts';
import { canDrawClips, drawClip, warnNoClips } from '#tests/support/media/clips.ts';
import { sendFile } from '#tests/support/media/send-file.ts';
import { readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp } from '#tests/support/test-app.ts';
import { openDecoders } from '../decoding/decoders.ts';
import { openVideoWork } from '../pipeline/process-video.ts';
import { notePatterns, refuseUnmarked } from './video-marks.ts';
import { drawVideoPattern, type PatternSize } from './video-pattern.ts';

if (!canDrawClips) warnNoClips();
const walls = await openWalls({ hidden: [] });
const found = await openVideoEngine(walls);
const benches: Workbench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close();
});

type Source = (size: PatternSize) => AsyncGenerator<Uint8Array>;
const fresh: Source = async function* (size) {
  for (;;) yield drawVideoPattern(size);
};
/** What leaves a picture alone. */
const nothing = ({ width, height }: PatternSize) => new Uint8Array(new Uint16Array(width * height).fill(2048).buffer);

/** Other patterns for a video than those that were noted. */
type Planted = (patterns: AsyncIterable<Uint8Array>, size: PatternSize) => AsyncGenerator<Uint8Array>;
const noneInTheSecond: Planted = async function* (patterns, size) {
  let second = 0;
  for await (const pattern of patterns) yield second++ === 1 ? nothing(size) : pattern;
};
const theFirstThroughout: Planted = async function* (patterns) {
  let first: Uint8Array | undefined;
  for await (const pattern of patterns) {
    first ??= pattern;
    yield first;
  }
};
const asNoted: Planted = async function* (patterns) {
  yield* patterns;
};

describe.runIf(canDrawClips && found)('the check of a video', () => {
  const engine = found as VideoEngine;
  /** @returns why it is refused, or `marked` */
  const verdictOn = async (clip: Buffer, plant = asNoted, looking = engine) => {
    const bench = await openWorkbench(walls, Readable.from([clip]));
    benches.push(bench);
    const probe = await engine.probe(bench);
    const size = patternSize(probe);
    const noted = notePatterns(fresh(size), size);
    const job = { probe, patterns: plant(noted.patterns, size), seconds: 200, mostSeconds: 60 };
    const video = await engine.transcode(bench, job, () => undefined);
    return refuseUnmarked(bench, looking, video, noted).then(
      () => 'marked',
      (error) => `${error.code}: ${error.message}`,
    );
  };
  const large = { width: 1024, height: 576, hasSound: false };
  const plain = (light: number) => ['-vf', `geq=lum=${light}:cb=128:cr=128`];

  it.each([
    ['that is all black', { also: plain(16) }],
    ['that is blacker than black', { also: plain(0) }],
    ['that is all white', { also: plain(235) }],
    ['that is whiter than white', { also: plain(255) }],
    ['of flat grey', { also: plain(128) }],
    ['of dark noise', { also: ['-vf', 'geq=lum=20:cb=128:cr=128,noise=alls=20:allf=t', '-crf', '10'] }],
    ['whose light is cut off', { also: ['-vf', 'eq=contrast=20'] }],
    ['of one frame', { seconds: 0.03 }],
    ['of a few pixels', { width: 16, height: 10 }],
    ['of two rungs', large],
  ])('takes one %s', async (_what, params) => {
    expect(await verdictOn(drawClip({ seconds: 1, hasSound: false, ...params }))).toBe('marked');
  });

  it.each([
    ['has no mark', noneInTheSecond],
    ['has the mark of the one before', theFirstThroughout],
  ])('refuses one of which a second %s', async (_what, plant) => {
    const verdict = await verdictOn(drawClip({ seconds: 2, hasSound: false }), plant);
    expect(verdict).toMatch(/^UNMARKED: v720, second 1: /);
  });

  it('refuses one whose smaller rung alone is the same twice', async () => {
    const twice: VideoEngine = {
      ...engine,
      drawDifferences: (bench, [first, second], ...rest) =>
        engine.drawDifferences(bench, first && second ? [first, { ...second, b: second.a }] : [], ...rest),
    };
    const verdict = await verdictOn(drawClip({ seconds: 1, ...large }), asNoted, twice);
    expect(verdict).toBe('UNMARKED: v480, second 0: 0.000 of its mark');
  });

  it('keeps a video that cannot tell who leaked it from being published, and says so', async () => {
    const app = await openTestApp({ workJobs: false });
    const ana = await signUpCreator(app);
    await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    const { id: albumId } = (await app.call('albums.create', { name: 'Videos', peopleConsent: 'only_me' }, ana.browser))
      .body;
    const { id } = await sendFile(app, ana, albumId, { name: 'clip.mp4', bytes: drawClip({ seconds: 2 }) });
    const decoders = openDecoders(app.engines);
    const workWith = (own: VideoEngine) =>
      openVideoWork(app.engines, { ...decoders, videos: async () => ({ walls, engine: own }) });
    const itemOf = async () => (await app.call('albums.one', { albumId }, ana.browser)).body.items[0];
    const tracksOf = async () =>
      readRows(app, "select rendition from packs where media_id = $1 and rendition ~ '^v|audio'", [id]);

    const careless: VideoEngine = {
      ...engine,
      transcode: (bench, job, ...rest) =>
        engine.transcode(bench, { ...job, patterns: noneInTheSecond(job.patterns, patternSize(job.probe)) }, ...rest),
    };
    const published = vi.fn(async () => undefined);
    await workWith(careless).make(id, new AbortController().signal, published);
    expect(await itemOf()).toMatchObject({
      state: 'failed',
      failCode: 'UNMARKED',
      failText: "The invisible mark couldn't be added to all of this video – try exporting it again",
      canRetry: true,
    });
    expect(published).not.toHaveBeenCalled();
    expect(await tracksOf()).toEqual([]);
    for await (const file of app.engines.storage.list(`media/${id}/`)) expect(file).not.toMatch(/v720|audio/);

    expect((await app.call('media.retry', { mediaId: id }, ana.browser)).status).toBe(200);
    await workWith(engine).make(id, new AbortController().signal, published);
    expect(await itemOf()).toMatchObject({ state: 'ready', failCode: null });
    expect(await tracksOf()).toHaveLength(2);
    await decoders.close();
    await app.close();
  });
});
