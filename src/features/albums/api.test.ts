import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeSetting } from '#features/settings/store.ts';
import { uploadMetadata } from '#tests/support/media/send-file.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { type Browser, headersOf, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let ana: Person;
let eve: Person;
let url: string;
let photo: Buffer;
const folder = mkdtempSync(path.join(tmpdir(), 'pf-albums-'));

beforeAll(async () => {
  app = await openTestApp();
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`;
  [ana, eve] = [await signUpCreator(app), await signUpCreator(app)];
  execFileSync(process.execPath, ['db/scenes/draw-child.ts', folder, 'evening']);
  photo = readFileSync(path.join(folder, 'evening.jpg'));
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const tus = { 'tus-resumable': '1.0.0', 'x-csrf-token': 'orpc' };

async function begin(
  browser: Browser,
  albumId: string,
  bytes: Buffer,
  { type = 'image/jpeg', name = 'evening.jpg', sha256 = createHash('sha256').update(bytes).digest('hex') } = {},
) {
  return fetch(`${url}/files`, {
    method: 'POST',
    headers: {
      ...tus,
      ...headersOf(browser),
      'upload-length': String(bytes.length),
      'upload-metadata': uploadMetadata({ albumId, filename: name, filetype: type, sha256 }),
    },
  });
}
const send = (browser: Browser, location: string, bytes: Buffer, offset: number) =>
  fetch(new URL(location, url), {
    method: 'PATCH',
    headers: {
      ...tus,
      ...headersOf(browser),
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    },
    body: new Uint8Array(bytes),
  });
const newAlbum = async (browser: Browser, name: string): Promise<string> =>
  (await app.call('albums.create', { name, peopleConsent: 'only_me' }, browser)).body.id;

async function upload(browser: Browser, albumId: string, bytes: Buffer): Promise<string> {
  const location = (await begin(browser, albumId, bytes)).headers.get('location') ?? '';
  expect((await send(browser, location, bytes, 0)).status).toBe(204);
  return location.split('/').at(-1) ?? '';
}
const untilReady = (albumId: string, browser: Browser) =>
  vi.waitFor(
    async () => {
      const { body } = await app.call('albums.one', { albumId }, browser);
      expect(body.items.map(({ state }: { state: string }) => state)).not.toContain('processing');
      expect(body.items.every(({ state }: { state: string }) => state === 'ready' || state === 'failed')).toBe(true);
      // The album is read a moment before its items.
      expect(body.album.pendingCount).toBe(0);
      return body;
    },
    { interval: 100 },
  );

test('a photo sent in two parts becomes an item of its album, the album opens, and the owner gets the very bytes back', async () => {
  const albumId = await newAlbum(ana.browser, 'Golden hour');
  const begun = await begin(ana.browser, albumId, photo);
  expect(begun.status).toBe(201);
  const location = begun.headers.get('location') ?? '';
  expect((await send(ana.browser, location, photo.subarray(0, 20_000), 0)).headers.get('upload-offset')).toBe('20000');
  const open = await app.call('albums.openUploads', { albumId }, ana.browser);
  expect(open.body).toMatchObject([{ originalName: 'evening.jpg', sizeBytes: photo.length, receivedBytes: 20_000 }]);
  expect((await send(ana.browser, location, photo.subarray(20_000), 20_000)).status).toBe(204);
  const { album, items } = await untilReady(albumId, ana.browser);
  expect(album).toMatchObject({ state: 'ready', photoCount: 1, pendingCount: 0, cover: { mediaId: items[0].id } });
  expect(items[0]).toMatchObject({ state: 'ready', width: 1080, height: 1350, failText: null });
  const original = await fetch(`${url}/api/media/${items[0].id}/original`, { headers: headersOf(ana.browser) });
  expect(original.headers.get('content-disposition')).toMatch(/^attachment/);
  expect(Buffer.from(await original.arrayBuffer()).equals(photo)).toBe(true);
  const repeated = await fetch(new URL(location, url), {
    method: 'HEAD',
    headers: { ...tus, ...headersOf(ana.browser) },
  });
  expect([repeated.status, repeated.headers.get('upload-offset')]).toEqual([200, String(photo.length)]);
});

test("somebody else's album, upload and original do not exist", async () => {
  const albumId = await newAlbum(ana.browser, 'Mine');
  expect((await begin(eve.browser, albumId, photo)).status).toBe(404);
  const location = (await begin(ana.browser, albumId, photo)).headers.get('location') ?? '';
  expect((await send(eve.browser, location, photo, 0)).status).toBe(404);
  const mediaId = await upload(ana.browser, albumId, photo);
  expect((await fetch(`${url}/api/media/${mediaId}/original`, { headers: headersOf(eve.browser) })).status).toBe(404);
  for (const [procedure, input] of [
    ['one', {}],
    ['update', { name: 'Yours' }],
    ['remove', {}],
    ['reorder', { mediaIds: [mediaId] }],
    ['setCover', { mediaId }],
    ['removeItems', { mediaIds: [mediaId] }],
    ['openUploads', {}],
  ] as const)
    expect((await app.call(`albums.${procedure}`, { albumId, ...input }, eve.browser)).status, procedure).toBe(404);
  const hers = await newAlbum(eve.browser, 'Hers');
  expect((await app.call('albums.addItems', { albumId: hers, mediaIds: [mediaId] }, eve.browser)).status).toBe(404);
});

test('a file whose bytes changed on the way, too large a file, a sound and a stranger are refused with a reason', async () => {
  const albumId = await newAlbum(ana.browser, 'Refused');
  const location =
    (await begin(ana.browser, albumId, photo, { sha256: 'ab'.repeat(32) })).headers.get('location') ?? '';
  expect((await send(ana.browser, location, photo, 0)).status).toBe(422);
  const outcome = await app.call('media.byUpload', { uploadId: location.split('/').at(-1) }, ana.browser);
  expect(outcome.body).toEqual({
    state: 'failed',
    mediaId: null,
    failText: 'This file is damaged – try exporting it again',
  });
  const announce = async (type: string, sizeBytes: number) => {
    const headers = {
      ...tus,
      ...headersOf(ana.browser),
      'upload-length': String(sizeBytes),
      'upload-metadata': uploadMetadata({ albumId, filetype: type }),
    };
    const answer = await fetch(`${url}/files`, { method: 'POST', headers });
    const uploadId = answer.headers.get('location') ?? '';
    return { status: answer.status, uploadId, body: answer.status === 201 ? undefined : await answer.json() };
  };
  const videos = { code: 'FILE_TOO_BIG', message: 'Videos can be up to 4 GB.' };
  expect(await announce('video/mp4', 4_000_000_001)).toMatchObject({ status: 413, body: videos });
  expect((await begin({ cookies: new Map() }, albumId, photo)).status).toBe(401);
  const foreign = await fetch(`${url}/files`, {
    method: 'POST',
    headers: { ...tus, ...headersOf(ana.browser), origin: 'https://elsewhere.example', 'upload-length': '5' },
  });
  expect(foreign.status).toBe(403);

  // What a browser calls a file says nothing of it: its first bytes do.
  const photos = { code: 'FILE_TOO_BIG', message: 'Photos can be up to 50 MB.' };
  const camcorder = Buffer.concat([...Array(30)].map(() => Buffer.concat([Buffer.from([0x47]), Buffer.alloc(187)])));
  const heads: [type: string, head: Buffer, status: number, said: object | undefined][] = [
    ['text/vnd.trolltech.linguist', camcorder, 204, undefined],
    ['video/mp4', Buffer.concat([photo, Buffer.alloc(5000)]), 413, photos],
    ['image/jpeg', Buffer.alloc(5000, 'text '), 415, { message: "This file type isn't supported" }],
  ];
  for (const [type, head, status, said] of heads) {
    const { uploadId } = await announce(type, 60_000_000);
    expect((await send(ana.browser, uploadId, head, 0)).status, type).toBe(204);
    const next = await send(ana.browser, uploadId, Buffer.alloc(10), head.length);
    expect(next.status, type).toBe(status);
    if (said !== undefined) expect(await next.json(), type).toMatchObject(said);
    const again = await send(ana.browser, uploadId, Buffer.alloc(10), head.length + 10);
    expect(again.status, 'its place is free again').toBe(status === 204 ? 204 : 410);
  }
});

test('an album takes as many photos as it can show, those on their way among them, and says so', async () => {
  const albumId = await newAlbum(ana.browser, 'Full');
  const set = (value: number) =>
    app.engines.database.work({ kind: 'system' }, (tx) =>
      writeSetting(tx, { key: 'limits.itemsPerAlbum', value, by: null, now: new Date() }),
    );
  await set(2);
  await upload(ana.browser, albumId, photo);
  const onItsWay = (await begin(ana.browser, albumId, photo)).headers.get('location') ?? '';
  const third = await vi.waitFor(async () => {
    const answer = await begin(ana.browser, albumId, photo);
    expect(answer.status).toBe(422);
    return answer;
  });
  expect(await third.json()).toMatchObject({ message: 'An album can hold up to 2 items.' });
  expect((await send(ana.browser, onItsWay, photo, 0)).status).toBe(204);
  await set(500);
  await vi.waitFor(async () => expect((await begin(ana.browser, albumId, photo)).status).toBe(201));
});

test('a text that calls itself a picture ends with a reason, and the queue goes on', async () => {
  const albumId = await newAlbum(ana.browser, 'Mixed');
  const text = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
  await upload(ana.browser, albumId, text);
  await upload(ana.browser, albumId, photo);
  const { items } = await untilReady(albumId, ana.browser);
  // What became nothing is not offered in place of another try.
  const same = await Promise.all(
    [text, photo].map((bytes) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return app.call('media.findSame', { sha256 }, ana.browser);
    }),
  );
  expect(same.map(({ body }) => body.medium?.state ?? null)).toEqual([null, 'ready']);
  const reported = items.map(({ state, failText }: { state: string; failText: string | null }) => [state, failText]);
  expect(reported).toEqual([
    ['failed', "This file type isn't supported"],
    ['ready', null],
  ]);
});

test('the order is kept whole: a list with a foreign, doubled or unknown item changes nothing', async () => {
  const albumId = await newAlbum(ana.browser, 'Order');
  const ids = [
    await upload(ana.browser, albumId, photo),
    await upload(ana.browser, albumId, photo),
    await upload(ana.browser, albumId, photo),
  ];
  const [first, second, third] = ids as [string, string, string];
  expect((await app.call('albums.reorder', { albumId, mediaIds: [third, first, second] }, ana.browser)).status).toBe(
    200,
  );
  const order = async () =>
    (await app.call('albums.one', { albumId }, ana.browser)).body.items.map(({ id }: { id: string }) => id);
  expect(await order()).toEqual([third, first, second]);
  expect((await app.call('albums.reorder', { albumId, mediaIds: [first, first] }, ana.browser)).status).toBe(409);
  expect((await app.call('albums.reorder', { albumId, mediaIds: [first, albumId] }, ana.browser)).status).toBe(409);
  expect(await order()).toEqual([third, first, second]);
  await app.call('albums.removeItems', { albumId, mediaIds: [first] }, ana.browser);
  expect(await order()).toEqual([third, second]);
  await app.call('albums.restoreItems', { albumId, mediaIds: [first] }, ana.browser);
  expect(await order()).toEqual([third, first, second]);
});

test('a deleted album comes back within 72 hours as it was, and is gone after', async () => {
  const albumId = await newAlbum(ana.browser, 'Gone');
  const mediaId = await upload(ana.browser, albumId, photo);
  await untilReady(albumId, ana.browser);
  expect((await app.call('albums.remove', { albumId }, ana.browser)).body.state).toBe('deleting');
  expect((await app.call('albums.restore', { albumId }, ana.browser)).body.state).toBe('ready');
  await app.call('albums.remove', { albumId }, ana.browser);
  const { destroyDeletedAlbums } = await import('./jobs.ts');
  const { destroyDeletedMedia } = await import('#features/media/jobs.ts');
  app.setNow('2026-11-24T11:59:00Z');
  await destroyDeletedAlbums(app.engines);
  expect((await app.call('albums.one', { albumId }, ana.browser)).status).toBe(200);
  app.setNow('2026-11-24T12:10:00Z');
  await destroyDeletedAlbums(app.engines);
  await destroyDeletedMedia(app.engines);
  expect((await app.call('albums.one', { albumId }, ana.browser)).status).toBe(404);
  const left = [];
  for await (const file of app.engines.storage.list(`media/${mediaId}/`)) left.push(file);
  expect(left).toEqual([]);
  app.setNow('2026-11-21T12:00:00Z');
});

test('two that finish one whole upload at the same moment make one medium, and its original stays whole', async () => {
  const albumId = await newAlbum(ana.browser, 'Race');
  const location = (await begin(ana.browser, albumId, photo)).headers.get('location') ?? '';
  const id = location.split('/').at(-1) ?? '';
  writeFileSync(path.join(app.engines.installation.dataDir, 'staging', id), photo);
  const { finishUpload, sweepUploads } = await import('./uploads.ts');
  const { findUpload } = await import('./uploads-store.ts');
  const row = await app.engines.database.work({ kind: 'user', userId: ana.userId }, (tx) => findUpload(tx, id));
  if (row === undefined) throw new Error('no upload');
  const now = new Date(app.engines.clock());
  await Promise.all(Array.from({ length: 5 }, () => finishUpload(app.engines, row, undefined, now)));
  const { items } = await untilReady(albumId, ana.browser);
  expect(items).toHaveLength(1);
  const original = await fetch(`${url}/api/media/${id}/original`, { headers: headersOf(ana.browser) });
  expect(Buffer.from(await original.arrayBuffer()).equals(photo)).toBe(true);
  // A download that broke off goes on where it stopped.
  const rest = async (range: string, more: Record<string, string> = {}) => {
    const headers = { ...headersOf(ana.browser), range, ...more };
    const answer = await fetch(`${url}/api/media/${id}/original`, { headers });
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, said: answer.headers.get('content-range'), bytes };
  };
  const part = await rest('bytes=100-', { 'if-range': original.headers.get('etag') ?? '' });
  expect([part.status, part.said]).toEqual([206, `bytes 100-${photo.length - 1}/${photo.length}`]);
  expect(part.bytes.equals(photo.subarray(100))).toBe(true);
  expect((await rest('bytes=100-', { 'if-range': '"another"' })).bytes.equals(photo)).toBe(true);
  expect(await rest(`bytes=${photo.length}-`)).toMatchObject({ status: 416, said: `bytes */${photo.length}` });
  await sweepUploads(app.engines, now);
  expect(
    readdirSync(path.join(app.engines.installation.dataDir, 'staging')).filter((file) => file.startsWith(id)),
  ).toEqual([]);
});
