import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openNodeAv } from '#engines/video/node-av.ts';
import { canDrawClips, warnNoClips } from '#tests/support/media/clips.ts';
import { chunksOf } from '#tests/support/media/open-pack.ts';
import { openVideo, type VideoPiece } from '#tests/support/media/open-video.ts';
import { openSegment, readPlaylist } from '#tests/support/media/playlists.ts';
import { sendFile } from '#tests/support/media/send-file.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { openTile, openViewerApi, type ViewerApi } from '#tests/support/viewer-api.ts';
import { guards, isFull, printProof } from '../counts.ts';
import { hasExiftool, listTelling, type Shot } from '../tracing/camera-traces.ts';
import {
  drawTellingVideo,
  findTellingVideos,
  strangersIn,
  tellingVideoTags,
  wordsOf,
} from '../tracing/video-traces.ts';

guards('src/features/media/**', 'src/engines/video/**');

if (!canDrawClips) warnNoClips();

/** What this machine has is hidden from whoever looks for it, name by name: then the engine that npm ships stands in. */
const hidden = vi.hoisted(() => new Set<string>());
vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>();
  const existsSync: typeof real.existsSync = (file) =>
    !hidden.has(String(file).split('/').at(-1) ?? '') && real.existsSync(file);
  return { ...real, existsSync };
});

let app: TestApp;
let viewerApi: ViewerApi;
let creator: Person;
let albumId: string;
const made: { id: string; video: Shot }[] = [];
/** What a viewer was given of them, in the clear. */
const given: VideoPiece[] = [];

async function open(): Promise<void> {
  made.length = 0;
  given.length = 0;
  app = await openTestApp();
  viewerApi = await openViewerApi(app);
  creator = await signUpCreator(app);
  if (!app.fastify.server.listening) await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  albumId = (await app.call('albums.create', { name: 'Tour', peopleConsent: 'only_me' }, creator.browser)).body.id;
}
beforeAll(open, 120_000);
afterAll(() => app.close());

/** What a piece tells, found without any program. */
function tracesIn({ what, bytes, kind }: VideoPiece, words: readonly string[]): string[] {
  const found = words.filter((word) => bytes.includes(word, 0, 'latin1'));
  if (kind === 'video') found.push(...strangersIn(bytes));
  else found.push(...chunksOf(bytes).filter((chunk) => chunk !== 'VP8 '));
  return found.map((trace) => `${trace} in ${what}`);
}

/** A visit to a link to the videos. */
interface Visit {
  viewer: Browser;
  visitId: string;
}

/** Opens a link to the videos. @returns also what is said besides pictures, sound and keys */
async function visitVideos(): Promise<Visit & { words: [string, string][] }> {
  const input = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true };
  const { slug } = (await app.call('links.create', input, creator.browser)).body;
  const viewer = newBrowser();
  const { head, headers } = await viewerApi.tap(slug, { firstScreen: 24 }, viewer);
  return { viewer, visitId: head.visitId, words: [['the list', JSON.stringify([head, ...headers])]] };
}

/** So many segments are lent in one call. */
const atOnce = 10;

/** What a player says and is told of a video, and its beginning as it puts it together: of each second the variant that is hers. */
async function play({ viewer, visitId }: Visit, id: string): Promise<{ words: [string, string][]; video: VideoPiece }> {
  const fetchText = async (name: string) =>
    (await viewerApi.fetch(`/api/view/videos/${visitId}/${id}/${name}`, {}, viewer)).text();
  const index = await fetchText('main.m3u8');
  expect(index).toContain('#EXTM3U');
  const words: [string, string][] = [['its playlist', index]];
  for (const [name] of index.matchAll(/[\w-]+\.m3u8/g)) words.push([name, await fetchText(name)]);
  const segments = readPlaylist(await fetchText('v720.m3u8')).slice(0, atOnce);
  expect(segments.length).toBeGreaterThan(0);
  const tracks = [{ track: 'v720', from: 0, count: segments.length }];
  const lent = await app.call('viewing.videoKeys', { visitId, mediaId: id, tracks }, viewer);
  expect(lent.status).toBe(200);
  words.push(['keys', JSON.stringify(lent)]);
  const { packId, token, keys } = lent.body.leases[0];
  const fetchBytes = async (url: string, range?: string) => {
    const headers = { 'pf-lease': token, ...(range !== undefined && { range }) };
    return Buffer.from(await (await viewerApi.fetch(url, { headers }, viewer)).arrayBuffer());
  };
  const parts = [await fetchBytes(`/m/s/${packId}/init`)];
  for (const [n, { url, from, length }] of segments.entries()) {
    const key = Buffer.from(keys, 'base64url').subarray(16 * n, 16 * n + 16);
    parts.push(openSegment(key, n, await fetchBytes(url, `bytes=${from}-${from + length - 1}`)));
  }
  return { words, video: { what: 'v720 as it is played', bytes: Buffer.concat(parts), kind: 'video' } };
}

/** The pictures of a video as a viewer is given them. */
async function lookAt({ viewer, visitId }: Visit, id: string): Promise<VideoPiece[]> {
  const renditions = ['posterthumb', 'poster', 'storyboard'];
  const items = renditions.map((rendition) => ({ mediaId: id, rendition }));
  const { pictures } = await viewerApi.lease(visitId, items, viewer);
  expect(pictures.length).toBe(renditions.length);
  return pictures.flatMap(({ n, pack, keys }) =>
    Array.from({ length: keys.length / 32 }, (_, tile): VideoPiece => {
      const what = `${renditions[n]} as it is given ${tile}`;
      return { what, bytes: openTile(pack, keys, tile), kind: 'tile' };
    }),
  );
}

/** Sends videos, and searches everything that becomes of them. */
async function searchAll(videos: readonly Shot[], engine: string): Promise<void> {
  for (const video of videos) {
    // The searches below find something in every file itself.
    expect([video.name, wordsOf(video).length > 1]).toEqual([video.name, true]);
    expect(video.bytes.includes('udta') || video.bytes.includes('meta')).toBe(true);
    made.push({ video, id: (await sendFile(app, creator, albumId, video)).id });
  }
  const ids = made.map(({ id }) => id);
  await vi.waitFor(
    async () => {
      const rows = await readRows(app, 'select state, removed from media where id = any($1)', [ids]);
      expect(rows.map(({ state }) => state)).toEqual(videos.map(() => 'ready'));
      for (const { removed } of rows) expect(removed).toContain('location');
    },
    { timeout: 900_000, interval: 200 },
  );
  const words = videos.flatMap(wordsOf);
  const found: string[] = [];
  const kinds = new Map<string, number>();
  for (const { id } of made)
    for await (const piece of openVideo(app, id)) {
      kinds.set(piece.kind, (kinds.get(piece.kind) ?? 0) + 1);
      found.push(...tracesIn(piece, words));
    }
  const visit = await visitVideos();
  const said = visit.words;
  for (const { id } of made) {
    const { words: reported, video } = await play(visit, id);
    said.push(...reported);
    given.push(video, ...(await lookAt(visit, id)));
  }
  for (const piece of given) found.push(...tracesIn(piece, words));
  for (const [what, text] of said)
    found.push(...words.filter((word) => text.includes(word)).map((word) => `${word} in ${what}`));
  const answers = said.length + given.length;
  const pieces = [...kinds.values()].reduce((sum, count) => sum + count, answers);
  printProof(`metadata-video, ${engine}`, pieces, { videos: videos.length, words: words.length, hits: found.length });
  expect(found).toEqual([]);
  expect(kinds.get('teaser')).toBe(videos.length);
  expect(kinds.get('video')).toBeGreaterThanOrEqual(3 * videos.length);
  expect(kinds.get('tile')).toBeGreaterThan(20 * videos.length);
  expect(said.length).toBeGreaterThan(3 * videos.length);
  expect(given.length).toBeGreaterThan(10 * videos.length);
}

test.runIf(canDrawClips)(
  'nothing that a camera wrote is in anything of a video that a viewer can come to (PiGallery2 3.6, Ghost 6.65)',
  () => searchAll(findTellingVideos(), 'the ffmpeg of this machine'),
  1_200_000,
);

/** All of them, or one in eight. */
const some = <T>(all: readonly T[]): T[] => all.filter((_, n) => isFull || n % 8 === 0);

test.runIf(canDrawClips && hasExiftool())(
  'exiftool reads nothing but measures in a video as a viewer puts it together, and in its pictures, stored and given',
  async () => {
    expect(made.length).toBeGreaterThan(0);
    let looked = 0;
    const telling: string[] = [];
    const look = (pieces: readonly VideoPiece[]) => {
      const videos = pieces.filter(({ kind }) => kind === 'video');
      const pictures = [
        ...pieces.filter(({ kind }) => kind === 'teaser'),
        ...some(pieces.filter(({ kind }) => kind === 'tile')),
      ];
      for (const { what, bytes } of videos) telling.push(...tellingVideoTags(bytes).map((tag) => `${tag} in ${what}`));
      telling.push(...listTelling(pictures));
      looked += videos.length + pictures.length;
    };
    const tracks = new Set<string>();
    for (const { id, video } of made) {
      expect([video.name, tellingVideoTags(video.bytes).length > 0]).toEqual([video.name, true]);
      const stored: VideoPiece[] = [];
      for await (const piece of openVideo(app, id)) stored.push(piece);
      for (const { what } of stored) tracks.add(what.split(' ')[0] ?? '');
      look(stored);
    }
    look(given);
    printProof('metadata-video, by exiftool', looked, { videos: made.length, telling: telling.length });
    expect(telling).toEqual([]);
    const wanted = ['poster', 'posterthumb', 'storyboard', 'teaser', 'v720'];
    expect([...tracks]).toEqual(expect.arrayContaining(wanted));
    expect(new Set(given.map(({ what }) => what.split(' ')[0]))).toEqual(
      new Set(wanted.filter((one) => one !== 'teaser')),
    );
    expect(looked).toBeGreaterThan(10 * made.length);
  },
  600_000,
);

test.runIf(canDrawClips)(
  'nor where the engine that npm ships makes it',
  async ({ skip }) => {
    if (openNodeAv() === undefined) return skip('npm ships no engine for this machine');
    await app.close();
    hidden.add('ffmpeg').add('ffprobe');
    await open();
    const reported = vi.spyOn(app.engines.log, 'info');
    await searchAll(isFull ? findTellingVideos() : [drawTellingVideo()], 'the engine that npm ships');
    expect(reported.mock.calls).toContainEqual([
      { engine: expect.stringMatching(/^node-av/) },
      'videos are read by this engine',
    ]);
    hidden.clear();
  },
  1_200_000,
);

test.runIf(canDrawClips)(
  'planted: a video that is kept as it came is found by its words, its boxes and its tags',
  () => {
    const video = drawTellingVideo();
    const found = tracesIn({ what: 'it', bytes: video.bytes, kind: 'video' }, wordsOf(video)).join('\n');
    for (const trace of ['+48.8583+002.2945', 'Telephone-Canary', 'udta', 'meta', 'a time', 'a language', 'a name'])
      expect(found).toContain(trace);
    if (!hasExiftool()) return;
    const tags = tellingVideoTags(video.bytes).join('\n');
    for (const trace of ['48 deg 51', 'Telephone-Canary', 'Comment-Canary', '2019:07:14', 'Handler-Canary'])
      expect(tags).toContain(trace);
  },
);
