import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { decryptTile } from '#features/media/formats/keys.ts';
import { readPackHeader, tileBytes } from '#features/media/formats/pack.ts';
import { findMediaKey } from '#features/media/keys-store.ts';
import { findCameraMaterial } from '#tests/support/media/camera-material.ts';
import { chunksOf } from '#tests/support/media/open-pack.ts';
import { seedPhoto } from '#tests/support/media/pictures.ts';
import { uploadMetadata } from '#tests/support/media/send-file.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { openTile, openViewerApi, type ViewerApi } from '#tests/support/viewer-api.ts';
import { guards, isFull, printProof } from '../counts.ts';
import {
  drawShots,
  hasExiftool,
  listTelling,
  type MadePicture,
  type Shot,
  tellingTags,
  tracesOf,
} from '../tracing/camera-traces.ts';

guards('src/features/media/**', 'src/features/albums/**');

let app: TestApp;
let viewerApi: ViewerApi;
let creator: Person;
beforeAll(async () => {
  app = await openTestApp();
  viewerApi = await openViewerApi(app);
  creator = await signUpCreator(app);
});
afterAll(() => app.close());

/** One file by the real way. @returns its id once it is ready, undefined when it is no photo */
async function upload(albumId: string, { name, bytes }: Shot): Promise<string | undefined> {
  const headers = {
    'tus-resumable': '1.0.0',
    origin: 'http://localhost:3000',
    ...headersOf(creator.browser),
    'upload-length': String(bytes.length),
    'upload-metadata': uploadMetadata({ albumId, filename: name }),
    'content-type': 'application/offset+octet-stream',
  };
  const init = { method: 'POST', headers: headers as Record<string, string>, body: new Uint8Array(bytes) };
  const answer = await fetch(`${viewerApi.url}/files`, init);
  expect([name, answer.status]).toEqual([name, 201]);
  const id = answer.headers.get('location')?.split('/').at(-1) ?? '';
  const state = await vi.waitFor(
    async () => {
      const [row] = await readRows(app, 'select state from media where id = $1', [id]);
      expect(['ready', 'failed']).toContain(row?.state);
      return row?.state;
    },
    { interval: 100 },
  );
  return state === 'ready' ? id : undefined;
}

/** What it is, and whether it is a picture by itself. */
type Piece = readonly [what: string, bytes: Buffer, kind: 'picture' | 'bytes'];

/** Everything of one picture that lies somewhere, in the clear; the owner's original as it lies, which is noise. */
async function* openStored(id: string): AsyncGenerator<Piece> {
  const mediaKey = await app.engines.database.work({ kind: 'system' }, (tx) => findMediaKey(tx, app.engines.keys, id));
  if (mediaKey === undefined) throw new Error('no key');
  for await (const file of app.engines.storage.list(`media/${id}/`)) {
    const stored = await app.engines.storage.read(file);
    yield [file, stored, 'bytes'];
    if (!file.endsWith('.pfp')) continue;
    const header = readPackHeader(stored);
    const track = header.width > 512 || header.height > 512 ? 'p2048' : 'thumb512';
    for (const slot of [0, 1] as const)
      for (let tile = 0; tile < header.columns * header.rows; tile++) {
        const closed = tileBytes(stored, header, tile, slot);
        yield [`${file} ${slot} ${tile}`, openAny(mediaKey, header.packId, track, slot, tile, closed), 'picture'];
      }
  }
  const [row] = await readRows(app, 'select * from media where id = $1', [id]);
  yield ['teaser', row?.teaser as Buffer, 'picture'];
  const { original_name: _, ...columns } = row ?? {};
  yield ['its row', Buffer.from(JSON.stringify(columns)), 'bytes'];
}

/** A small picture's full rendition is no larger than a thumbnail: the key says which it is. */
function openAny(
  key: Buffer,
  packId: Uint8Array,
  track: 'p2048' | 'thumb512',
  slot: 0 | 1,
  tile: number,
  closed: Uint8Array,
) {
  try {
    return decryptTile(key, packId, track, slot, tile, closed);
  } catch {
    return decryptTile(key, packId, track === 'p2048' ? 'thumb512' : 'p2048', slot, tile, closed);
  }
}

/** Everything that a viewer of a link with these pictures receives. */
async function* openDelivered(albumId: string, ids: readonly string[]): AsyncGenerator<Piece> {
  const input = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true };
  const { slug } = (await app.call('links.create', input, creator.browser)).body;
  const viewer = newBrowser();
  const opened = await viewerApi.tap(slug, { firstScreen: 24 }, viewer);
  yield ['the list', Buffer.from(JSON.stringify([opened.head, ...opened.headers])), 'bytes'];
  const drawn = [...opened.pictures];
  for (const rendition of ['p2048', 'thumb512'])
    for (let from = 0; from < ids.length; from += 24) {
      const items = ids.slice(from, from + 24).map((mediaId) => ({ mediaId, rendition }));
      const leased = await viewerApi.lease(opened.head.visitId, items, viewer);
      expect(leased.pictures.length).toBe(items.length);
      yield ['leases', Buffer.from(JSON.stringify(leased.head)), 'bytes'];
      drawn.push(...leased.pictures);
    }
  for (const { pack, keys } of drawn) {
    yield ['a composed pack', pack, 'bytes'];
    for (let tile = 0; tile < keys.length / 32; tile++) yield [`tile ${tile}`, openTile(pack, keys, tile), 'picture'];
  }
  const renewal = { visitId: opened.head.visitId, samples: [], idleMs: 0 };
  yield ['a renewal', Buffer.from(JSON.stringify(await app.call('viewing.renew', renewal, viewer))), 'bytes'];
  for (const path of [`/view/${slug}`, '/api/openapi.json', `/api/media/${ids[0]}/original`]) {
    const answer = await viewerApi.fetch(path, undefined, viewer);
    yield [path, Buffer.from(`${await answer.text()}${JSON.stringify([...answer.headers])}`), 'bytes'];
  }
}

/** Real files where there are some: three of different makers, or all in the full form. */
function findShots(): Shot[] {
  const files = (findCameraMaterial() ?? []).filter(
    ({ sniffed, reference }) => sniffed?.startsWith('image/') && reference.startsWith('ok'),
  );
  const few = /Samsung_SM-G935L|IMG_2682|pixel-motion/;
  return files
    .filter(({ name }) => isFull || few.test(name))
    .map(({ name, path }) => ({ name, bytes: readFileSync(path) }));
}

/** Every picture that was searched: stored in either variant, and as a viewer is given it. */
const pictures: { stored: MadePicture[]; given: MadePicture[] } = { stored: [], given: [] };

/** Looks for traces of cameras in whatever it is given. */
function openSearch() {
  const traces = new Map<string, Buffer>();
  const found: string[] = [];
  let objects = 0;
  return {
    traces,
    found,
    objects: () => objects,
    /** Remembers what a camera wrote. @returns how much of it stands in the file itself */
    add(shot: Shot): number {
      const own = tracesOf(shot);
      for (const trace of own) traces.set(trace.toString('latin1'), trace);
      return own.filter((trace) => shot.bytes.includes(trace)).length;
    },
    look([what, bytes, kind]: Piece): void {
      objects++;
      for (const [name, trace] of traces) if (bytes.includes(trace)) found.push(`${name} in ${what}`);
      if (kind === 'picture' && chunksOf(bytes).some((chunk) => chunk !== 'VP8 '))
        found.push(`${chunksOf(bytes)} in ${what}`);
    },
  };
}

test('nothing that a camera wrote is in anything that is stored or delivered, and the creator is told what went (PiGallery2 3.6, Ghost 6.65)', async () => {
  const shots = [...(await drawShots()), ...findShots()];
  const search = openSearch();
  const ready: string[] = [];
  const albumId = (await app.call('albums.create', { name: 'Camera', peopleConsent: 'only_me' }, creator.browser)).body
    .id;
  let inFiles = 0;
  for (const shot of shots) {
    inFiles += search.add(shot);
    const id = await upload(albumId, shot);
    if (id !== undefined) ready.push(id);
  }
  const look = (piece: Piece, among: MadePicture[]) => {
    const [what, bytes, kind] = piece;
    search.look(piece);
    if (kind === 'picture') among.push({ what, bytes });
  };
  for (const id of ready) for await (const piece of openStored(id)) look(piece, pictures.stored);
  for await (const piece of openDelivered(albumId, ready)) look(piece, pictures.given);
  const { items } = (await app.call('albums.one', { albumId }, creator.browser)).body;
  const list = items.map(({ originalName: _, ...item }: Record<string, unknown>) => item);
  search.look(["the creator's list", Buffer.from(JSON.stringify(list)), 'bytes']);
  const own = items.find(({ id }: { id: string }) => id === ready[0]);
  expect(own?.removed).toEqual(expect.arrayContaining(['location', 'device', 'time']));
  printProof('metadata', search.objects(), {
    files: shots.length,
    ready: ready.length,
    traces: search.traces.size,
    tracesInTheFiles: inFiles,
    hits: search.found.length,
  });
  expect(search.found).toEqual([]);
  expect(ready.length).toBeGreaterThanOrEqual(4);
  expect(inFiles).toBeGreaterThanOrEqual(12);
  expect(search.objects()).toBeGreaterThan(300);
}, 1_800_000);

test('planted: a file that is stored as it came, a word in a row and a picture that keeps its EXIF are found', async () => {
  const [shot] = await drawShots();
  if (shot === undefined) throw new Error('no shot');
  const { mediaId, mediaKey, packs } = await seedPhoto(app, creator.userId);
  const search = openSearch();
  search.add(shot);
  const [trace = Buffer.alloc(0)] = [...search.traces.values()].filter((one) => shot.bytes.includes(one));
  const header = readPackHeader(packs.thumb512.bytes);
  const tile = openAny(mediaKey, header.packId, 'thumb512', 0, 0, tileBytes(packs.thumb512.bytes, header, 0, 0));
  const teaser = async (picture: Buffer) =>
    readRows(app, 'update media set teaser = $2 where id = $1', [mediaId, picture]);
  await teaser(tile);
  for await (const piece of openStored(mediaId)) search.look(piece);
  expect(search.found).toEqual([]);

  await app.engines.storage.put(`media/${mediaId}/planted`, shot.bytes);
  await readRows(app, 'update media set fail_text = $2 where id = $1', [mediaId, trace.toString('latin1')]);
  await teaser(
    await sharp(tile)
      .withExif({ IFD0: { Artist: 'Mara' } })
      .webp()
      .toBuffer(),
  );
  for await (const piece of openStored(mediaId)) search.look(piece);
  const places = new Set(search.found.map((found) => found.split(' in ').at(-1)));
  expect([...places].toSorted()).toEqual(['its row', `media/${mediaId}/planted`, 'teaser']);
});

test('the owner, and nobody else, gets her file back as she gave it', async () => {
  const [shot] = await drawShots();
  if (shot === undefined) throw new Error('no shot');
  const albumId = (await app.call('albums.create', { name: 'Own', peopleConsent: 'only_me' }, creator.browser)).body.id;
  const twice = { name: shot.name, bytes: Buffer.concat([shot.bytes, Buffer.from('again')]) };
  const id = await upload(albumId, twice);
  const own = await viewerApi.fetch(`/api/media/${id}/original`, undefined, creator.browser);
  expect(Buffer.from(await own.arrayBuffer()).equals(twice.bytes)).toBe(true);
  expect(own.headers.get('content-disposition')).toMatch(/^attachment/);
  expect((await viewerApi.fetch(`/api/media/${id}/original`, undefined, newBrowser())).status).toBe(401);
});

/** All of them, or one in eight. */
const some = <T>(all: readonly T[]): T[] => all.filter((_, n) => isFull || n % 8 === 0);

test.skipIf(!hasExiftool())(
  'exiftool reads nothing but measures in what is stored for viewers and in what one is given, and everything in the files',
  async () => {
    const [jpeg] = await drawShots();
    expect(tellingTags(jpeg?.bytes ?? Buffer.alloc(0)).length).toBeGreaterThan(10);
    const [stored, given] = [some(pictures.stored), some(pictures.given)];
    const telling = [...listTelling(stored), ...listTelling(given)];
    printProof('metadata, by exiftool', stored.length + given.length, {
      stored: stored.length,
      given: given.length,
      telling: telling.length,
    });
    expect(telling).toEqual([]);
    expect(stored.length).toBeGreaterThan(40);
    expect(given.length).toBeGreaterThan(20);
  },
  600_000,
);

test.skipIf(!hasExiftool())(
  'planted: exiftool finds a picture that keeps its EXIF, and noise that is none',
  async () => {
    const [first] = pictures.given;
    if (first === undefined) throw new Error('Nobody was given a picture.');
    const kept = await sharp(first.bytes)
      .withExif({ IFD0: { Artist: 'Mara' } })
      .webp()
      .toBuffer();
    const reported = listTelling([
      first,
      { what: 'a kept one', bytes: kept },
      { what: 'noise', bytes: randomBytes(900) },
    ]);
    expect(reported).toContain('EXIF:Artist in a kept one');
    expect(reported).toContain('no WebP in noise');
    expect(reported.filter((found) => found.endsWith(first.what))).toEqual([]);
  },
);
