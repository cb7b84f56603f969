import { createDecipheriv } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { openWorkbench } from '#engines/children/workbench.ts';
import { openVideoEngine } from '#engines/video/open-engine.ts';
import type { VideoEngine } from '#engines/video/video.ts';
import { foldAllViews } from '#tests/support/database/fold-views.ts';
import { canDrawClips, warnNoClips } from '#tests/support/media/clips.ts';
import { drawLongVideo } from '#tests/support/media/long-videos.ts';
import { sendFile } from '#tests/support/media/send-file.ts';
import { advance, type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { type Browser, headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { recode } from '#tests/support/tracing/leaked-clips.ts';
import { untilTraced, upload } from '#tests/support/tracing/leaks.ts';
import { openViewerApi, type ViewerApi } from '#tests/support/viewer-api.ts';
import { countOf, guards, printProof } from '../counts.ts';

guards('src/features/media/**', 'src/engines/video/**', 'src/features/tracing/**');

/** A video of minutes on its whole way: made, played by range to its last second, counted second by second, and a clip of its end traced. */
if (!canDrawClips) warnNoClips();
const patience = countOf(400_000, 3_600_000, 14_400_000);
vi.setConfig({ testTimeout: patience, hookTimeout: patience });

/** In its long form longer than a tracer opens of a video at once, with `--full` the hour that a video may have. */
const seconds = countOf(25, 330, 3600);
/** Of its end, what leaks. */
const clipSeconds = countOf(10, 25);

let app: TestApp;
let viewerApi: ViewerApi;
let creator: Person;
let albumId: string;
let videoId: string;

/** Somebody whose player has played something of the video. */
interface Player {
  visitId: string;
  browser: Browser;
  /** What it was given, put together. */
  video: Buffer;
  ranges: number;
}

/** As our player does: keys of ten seconds, each second by its range, then ten seconds go by and are told. */
async function play(toSecond: number): Promise<Player> {
  const input = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true };
  const { slug } = (await app.call('links.create', input, creator.browser)).body;
  const browser = newBrowser();
  const { visitId } = (await viewerApi.tap(slug, {}, browser)).head;
  const headers = headersOf(browser) as Record<string, string>;
  const list = await viewerApi.fetch(`/api/view/videos/${visitId}/${videoId}/v720.m3u8`, { headers }, browser);
  const segments = [...(await list.text()).matchAll(/#EXT-X-BYTERANGE:(\d+)@(\d+)\n(\S+)/g)];
  expect(segments).toHaveLength(seconds);
  const parts: Buffer[] = [];
  let ranges = 0;
  for (let from = 0; from < toSecond; from += 10) {
    const count = Math.min(10, toSecond - from);
    const wanted = { visitId, mediaId: videoId, tracks: [{ track: 'v720', from, count }] };
    const { status, body } = await app.call('viewing.videoKeys', wanted, browser);
    expect([from, status]).toEqual([from, 200]);
    const [{ packId, token, keys }] = body.leases;
    const lent = Buffer.from(keys, 'base64');
    expect(lent).toHaveLength(16 * count);
    const take = async (url: string, range?: string) => {
      const answer = await viewerApi.fetch(url, { headers: { 'pf-lease': token, ...(range && { range }) } }, browser);
      expect(answer.status).toBe(range === undefined ? 200 : 206);
      return Buffer.from(await answer.arrayBuffer());
    };
    if (from === 0) parts.push(await take(`/m/s/${packId}/init`));
    for (const [n, [, length, at, url = '']] of segments.slice(from, from + count).entries()) {
      const sealed = await take(url, `bytes=${at}-${Number(at) + Number(length) - 1}`);
      expect(sealed).toHaveLength(Number(length));
      ranges++;
      const iv = Buffer.alloc(16);
      iv.writeUInt32BE(from + n, 12);
      const decipher = createDecipheriv('aes-128-cbc', lent.subarray(16 * n, 16 * n + 16), iv);
      parts.push(decipher.update(sealed), decipher.final());
    }
    advance(app, 1000 * count);
    const samples = [{ mediaId: videoId, visibleMs: 1000 * count, played: [[from, from + count]] }];
    const isLast = from + count >= toSecond;
    const beat = { visitId, idleMs: 0, lookingAt: videoId, samples, ...(isLast && { leaving: true }) };
    expect((await app.call('viewing.renew', beat, browser)).status).toBe(200);
  }
  return { visitId, browser, video: Buffer.concat(parts), ranges };
}

/** Returns how long a video really is, by its frames, and how many it has. */
async function measure(video: Buffer): Promise<{ seconds: number; frames: number }> {
  const walls = await openWalls({ hidden: [] });
  const engine = (await openVideoEngine(walls)) as VideoEngine;
  const bench = await openWorkbench(walls, Readable.from([video]));
  const probe = await engine.probe(bench);
  const [width, height] = [8, 8];
  const frames = await engine.readFrames(bench, probe, { width, height, firstSecond: 0, frames: 40 * seconds });
  await bench.close();
  return { seconds: probe.seconds, frames: frames.length / (width * height) };
}

describe.runIf(canDrawClips)('a video of minutes', () => {
  let whole: Player;
  beforeAll(async () => {
    app = await openTestApp();
    viewerApi = await openViewerApi(app);
    creator = await signUpCreator(app);
    albumId = (await app.call('albums.create', { name: 'Videos', peopleConsent: 'only_me' }, creator.browser)).body.id;
    const bytes = await drawLongVideo({ seconds, width: 512, height: 288 });
    videoId = (await sendFile(app, creator, albumId, { name: 'video.mp4', bytes })).id;
    const [timeout, interval] = [0.75 * patience, 200];
    const stateOf = async () => (await readRows(app, 'select state from media where id = $1', [videoId]))[0]?.state;
    await vi.waitFor(async () => expect(await stateOf()).toBe('ready'), { timeout, interval });
  });
  afterAll(() => app.close());

  it('has every second of its length in both variants', async () => {
    const [medium] = await readRows(app, 'select duration_ms from media where id = $1', [videoId]);
    expect(medium).toEqual({ duration_ms: 1000 * seconds });
    const files = await readRows(
      app,
      `select slot, array_length(lengths, 1) as n from segment_files join packs p on p.id = pack_id
       where p.media_id = $1 order by slot`,
      [videoId],
    );
    expect(files).toEqual([
      { slot: 0, n: seconds },
      { slot: 1, n: seconds },
    ]);
  });

  it('is played by range from its first second to its last, and what was played is a whole video', async () => {
    whole = await play(seconds);
    expect(whole.ranges).toBe(seconds);
    const { seconds: long, frames } = await measure(whole.video);
    expect(Math.abs(long - seconds)).toBeLessThan(0.1);
    expect(frames).toBe(30 * seconds);
  });

  it('is counted second by second, of each player so far as it played', async () => {
    const half = 10 * Math.floor(seconds / 20);
    await play(half);
    const ask = async () => (await app.call('insights.retention', { mediaId: videoId, days: 7 }, creator.browser)).body;
    const wanted = { plays: 2, seconds: Array.from({ length: seconds }, (_, n) => (n < half ? 2 : 1)) };
    expect(await ask()).toEqual(wanted);
    await foldAllViews(app.engines);
    expect(await ask()).toEqual(wanted);
    const { videos } = (await app.call('insights.videos', { days: 7 }, creator.browser)).body;
    expect(videos).toMatchObject([{ mediaId: videoId, plays: 2, completions: 1, watchMs: 1000 * (seconds + half) }]);
  });

  it('is found in a clip of its end, at the seconds that are its end', async () => {
    const from = seconds - clipSeconds;
    const cut = ['-ss', String(from), '-t', String(clipSeconds)];
    const clip = await recode(whole.video, ['-c:v', 'libx264', '-crf', '24'], 'mp4', cut);
    advance(app, 1000);
    const { status, body } = await upload({ viewerApi }, clip, creator.browser, `?albumId=${albumId}`);
    expect(status).toBe(201);
    const answer = await untilTraced({ app }, body.traceId, creator.browser, countOf(300, 3000, 14_000));
    expect(answer).toMatchObject({ state: 'done', items: [{ mediaId: videoId, isMoving: true, columns: seconds }] });
    const read = answer.items[0].tiles.flatMap((isRead: boolean, n: number) => (isRead ? [n] : []));
    expect(read.length).toBeGreaterThan(0.7 * clipSeconds);
    expect([read[0] >= from, read.at(-1) >= seconds - 3]).toEqual([true, true]);
    printProof('long-video', whole.ranges, { seconds, clipSeconds, secondsRead: read.length, firstRead: read[0] });
  });
});
