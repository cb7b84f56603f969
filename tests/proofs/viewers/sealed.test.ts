import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { VideoLease } from '#features/media/contract.ts';
import { blockViewer } from '#tests/support/database/viewer-rows.ts';
import { seedAlbum, seedPhoto } from '#tests/support/media/pictures.ts';
import { type SeededVideo, seedVideo } from '#tests/support/media/videos.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { openViewerApi, type ViewerApi } from '#tests/support/viewer-api.ts';
import { countOf, guards, printProof } from '../counts.ts';
import { openAll, placesOf, readSealed, type Sealed } from './sealed-bytes.ts';

guards('src/features/media/**', 'src/features/viewing/**', 'src/features/access/**');

/**
 * The path of the bytes: everybody has every ciphertext that there is, asks for every key in every way, and opens what that
 * opens: one variant of each part of what their link shows, and nothing else.
 */
const pictures = ['p2048', 'thumb512'];
const videoPictures = ['poster', 'posterthumb', 'storyboard'];
const videoTracks = ['v720', 'v480', 'audio'];
const seconds = countOf(2, 10);

let app: TestApp;
let viewerApi: ViewerApi;
let a: Person;
let b: Person;
let all: Sealed[];
/** By name: whose, and which. */
const media: Record<string, string> = {};
const videos: SeededVideo[] = [];
let tries = 0;
const figures = { actors: 0, keys: 0, ciphertexts: 0, opened: 0, tooMuch: 0, tooLittle: 0 };

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  viewerApi = await openViewerApi(app);
  [a, b] = await Promise.all([signUpCreator(app), signUpCreator(app)]);
  for (const [whose, person] of [
    ['A', a],
    ['B', b],
  ] as const) {
    for (const name of whose === 'A' ? ['shown', 'elsewhere', 'hidden'] : ['shown'])
      media[`${whose} ${name}`] = (await seedPhoto(app, person.userId)).mediaId;
    const video = await seedVideo(app, person.userId, { seconds });
    videos.push(video);
    media[`${whose} video`] = video.mediaId;
  }
  all = await readSealed(app);
  figures.ciphertexts = all.length;
});
afterAll(async () => {
  printProof('sealed', tries, figures);
  await app.close();
});

const idsOf = (...names: string[]) => names.map((name) => media[name] ?? '');
const plainOf = ({ mediaId, place, slot }: Sealed): Buffer | undefined => {
  const [track, index] = place.split(' ') as ['v720' | 'v480' | 'audio', string];
  return videos.find((video) => video.mediaId === mediaId)?.tracks[track].plain[slot]?.[Number(index)];
};
const split = (keys: Buffer, bytes: number) =>
  Array.from({ length: keys.length / bytes }, (_, n) => keys.subarray(bytes * n, bytes * (n + 1)));

/** A link of A to the photo that is shown, the one that is hidden in its album, and the video. */
async function shareWith(names: string[], rules: object = {}): Promise<{ id: string; slug: string }> {
  const albumId = await seedAlbum(app, a.userId, idsOf(...names));
  await write('update album_items set hidden = true where album_id = $1 and media_id = $2', [
    albumId,
    media['A hidden'] ?? '',
  ]);
  const input = { albumIds: [albumId], rules: { ageGate: false, ...rules }, isLaxConfirmed: true };
  return (await app.call('links.create', input, a.browser)).body;
}
const write = (text: string, values: string[]) => readRows(app, text, values);

/** The most of a track that is lent at once. */
const tracksOf = (track: string) => [{ track, from: 0, count: track === 'audio' ? 4 : 10 }];

async function askVideoKeys(procedure: string, params: object, browser: Browser): Promise<Buffer[]> {
  const { body, status } = await app.call(procedure, params, browser);
  expect(status).not.toBe(429);
  tries++;
  return ((body.leases ?? []) as VideoLease[]).flatMap(({ keys }) => split(Buffer.from(keys, 'base64url'), 16));
}

/** Asks for every key that there is as somebody before an open screen. @returns all keys that came */
async function askAsViewer(visitId: string, browser: Browser): Promise<Buffer[]> {
  const keys: Buffer[] = [];
  for (const mediaId of Object.values(media)) {
    for (const rendition of [...pictures, ...videoPictures]) {
      const { pictures: lent, status } = await viewerApi.lease(visitId, [{ mediaId, rendition }], browser);
      expect(status).not.toBe(429);
      keys.push(...lent.flatMap((one) => split(one.keys, 32)));
      tries++;
    }
    for (const track of videoTracks) {
      const tracks = tracksOf(track);
      keys.push(...(await askVideoKeys('viewing.videoKeys', { visitId, mediaId, tracks }, browser)));
    }
  }
  return keys;
}

/** Asks for every key as the studio does. */
async function askAsCreator(browser: Browser): Promise<Buffer[]> {
  const keys: Buffer[] = [];
  for (const mediaId of Object.values(media)) {
    for (const rendition of [...pictures, ...videoPictures]) {
      const { pictures: lent } = await viewerApi.preview([{ mediaId, rendition }], browser);
      keys.push(...lent.flatMap((one) => split(one.keys, 32)));
      tries++;
    }
    for (const track of videoTracks)
      keys.push(...(await askVideoKeys('media.videoKeys', { mediaId, tracks: tracksOf(track) }, browser)));
  }
  return keys;
}

/** Somebody who opens a link, and all keys that they get then and later. */
async function open(
  slug: string,
  browser = newBrowser(),
): Promise<{ visitId: string; keys: Buffer[]; browser: Browser }> {
  const { head, pictures: first } = await viewerApi.tap(slug, { firstScreen: 3 }, browser);
  tries++;
  return { visitId: head.visitId, keys: first.flatMap((one) => split(one.keys, 32)), browser };
}

const everythingOf = (names: string[]) =>
  placesOf(all, idsOf(...names), [...pictures, ...videoPictures, ...videoTracks]);

/** Demands that keys open exactly these places, each in one variant. */
function demand(keys: readonly Buffer[], places: readonly string[]): void {
  const opened = openAll(keys, all, plainOf);
  figures.actors++;
  figures.keys += keys.length;
  figures.opened += opened.size;
  const tooMuch = [...opened.keys()].filter((name) => !places.includes(name));
  const tooLittle = places.filter((name) => !opened.has(name));
  figures.tooMuch += tooMuch.length;
  figures.tooLittle += tooLittle.length;
  expect({ tooMuch, tooLittle }).toEqual({ tooMuch: [], tooLittle: [] });
  expect([...opened.values()].filter((slots) => slots.length !== 1)).toEqual([]);
}

const patience = { timeout: 600_000 };

describe('whoever has every ciphertext and asks for every key opens', () => {
  test('as a viewer what the link shows, each part in one variant', patience, async () => {
    const { slug } = await shareWith(['A shown', 'A hidden', 'A video']);
    const { visitId, keys, browser } = await open(slug);
    demand([...keys, ...(await askAsViewer(visitId, browser))], everythingOf(['A shown', 'A video']));
  });

  test('as a viewer of another link of hers what that one shows', patience, async () => {
    const { visitId, keys, browser } = await open((await shareWith(['A elsewhere'])).slug);
    demand([...keys, ...(await askAsViewer(visitId, browser))], everythingOf(['A elsewhere']));
  });

  test('as a creator everything of her own, hidden ones too, each part in one variant', patience, async () => {
    demand(await askAsCreator(a.browser), everythingOf(['A shown', 'A elsewhere', 'A hidden', 'A video']));
    demand(await askAsCreator(b.browser), everythingOf(['B shown', 'B video']));
  });

  test('as nobody, and with the visit of somebody else, nothing', patience, async () => {
    const { visitId } = await open((await shareWith(['A shown', 'A video'])).slug);
    const stranger = newBrowser();
    demand([...(await askAsViewer(visitId, stranger)), ...(await askAsCreator(stranger))], []);
    demand(await askAsViewer(visitId, { cookies: new Map(b.browser.cookies) }), []);
    const other = await open((await shareWith(['A elsewhere'])).slug);
    demand(await askAsViewer(visitId, other.browser), []);
  });

  const ends: [how: string, end: (linkId: string, visitId: string) => Promise<unknown>][] = [
    ['whose link was revoked', (id) => app.call('links.revoke', { linkIds: [id] }, a.browser)],
    ['whose link has expired', (id) => write(`update magic_links set expires_at = '2020-01-01' where id = $1`, [id])],
    ['who was blocked', (_, visitId) => blockViewer(app, visitId)],
    ['whose screen was closed', (_, visitId) => app.call('viewing.closeScreen', { visitId }, a.browser)],
    [
      'whose album was locked',
      (id) =>
        write(`update albums set state = 'locked' where id in (select album_id from link_albums where link_id = $1)`, [
          id,
        ]),
    ],
  ];
  test.each(ends)(
    'as a viewer %s nothing more than the small pictures that came with the opening',
    patience,
    async (_, end) => {
      const { id, slug } = await shareWith(['A shown', 'A video']);
      const { visitId, keys, browser } = await open(slug);
      await end(id, visitId);
      const had = [...openAll(keys, all, plainOf).keys()].sort();
      expect(had.length).toBeGreaterThan(0);
      demand([...keys, ...(await askAsViewer(visitId, browser))], had);
    },
  );

  test('planted: the keys of another link, and both variants of a part, are found', patience, async () => {
    const [link, elsewhere] = [await shareWith(['A shown']), await shareWith(['A elsewhere'])];
    const [one, other] = [await open(link.slug), await open(elsewhere.slug)];
    const places = everythingOf(['A shown']);
    const isOutside = (place: string) => !places.includes(place);
    expect([...openAll(one.keys, all, plainOf).keys()].some(isOutside)).toBe(false);
    expect([...openAll([...one.keys, ...other.keys], all, plainOf).keys()].some(isOutside)).toBe(true);
    const another = await open(link.slug);
    const slots = [...openAll([...one.keys, ...another.keys], all, plainOf).values()];
    expect(slots.some(({ length }) => length === 2)).toBe(true);
  });
});

test('what was tried is all there is: no row names bytes that were left out', async () => {
  const [counted] = await readRows(
    app,
    'select (select count(*)::int from packs) as packs, (select count(*)::int from segment_files) as files',
    [],
  );
  const renditions = new Set(all.map(({ mediaId, place }) => `${mediaId} ${place.split(' ')[0]}`));
  const variants = new Set(
    all.filter(({ iv }) => iv).map(({ mediaId, place, slot }) => `${mediaId} ${place.split(' ')[0]} ${slot}`),
  );
  expect(counted).toEqual({ packs: renditions.size, files: variants.size });
});
