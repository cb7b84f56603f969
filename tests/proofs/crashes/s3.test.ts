import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openS3Storage } from '#engines/storage/s3.ts';
import { StorageAway } from '#engines/storage/storage.ts';
import { createPackCache } from '#features/media/cache/pack-cache.ts';
import { readPackHeader, tileBytes } from '#features/media/formats/pack.ts';
import { findStoredPack } from '#features/media/packs/packs-store.ts';
import { readRows, signUpCreator } from '#tests/support/people.ts';
import { type FaultyS3, faults, openFaultyS3 } from '#tests/support/servers/faulty-s3.ts';
import { type LocalS3, openLocalS3 } from '#tests/support/servers/local-s3.ts';
import { drawNoise, type Visitor, visit } from '#tests/support/servers/visitor.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { viewerApiAt } from '#tests/support/viewer-api.ts';
import { countOf, guards, printProof } from '../counts.ts';

guards('src/engines/storage/**');

/** The S3 server errs, dawdles, lies and goes away; nothing that was acknowledged is lost and nothing damaged is shown. */
const directory = mkdtempSync(path.join(tmpdir(), 'pf-s3-'));
let s3: LocalS3;
let proxy: FaultyS3;
let app: TestApp;
let visitor: Visitor;
let creator: Awaited<ReturnType<typeof signUpCreator>>;
let albumId: string;
let requests = 0;
const counts = { damaged: 0, lost: 0, strays: 0 };
const patience = { timeout: countOf(180_000, 3_600_000) };

beforeAll(async () => {
  s3 = await openLocalS3(directory);
  const { S3_BUCKET = '', S3_ENDPOINT = '', S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = s3.environment;
  proxy = await openFaultyS3(S3_ENDPOINT);
  const access = { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY };
  const storage = openS3Storage({ bucket: S3_BUCKET, endpoint: proxy.endpoint, region: 'auto', ...access });
  // The S3 protocol carries the time of day, and the client learns it from what the server says.
  app = await openTestApp({ storage, now: new Date().toISOString() });
  vi.useRealTimers();
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  visitor = visit(`http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`);
  creator = await signUpCreator(app);
  creator.browser.headers = { origin: 'http://localhost:3000' };
  albumId = (await visitor.must('albums.create', { name: 'Far away', peopleConsent: 'only_me' }, creator.browser)).id;
});
afterAll(async () => {
  printProof('s3', requests, { faults: proxy.counts().planted, ...counts });
  await app.close();
  proxy.close();
  await s3.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  proxy.plant(() => undefined);
  // Jobs that fail because the store is away say so in the log.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => void vi.spyOn(console, 'error').mockClear());

/** Sends a photo as a browser does that comes back until all of it is here. @returns its id */
async function upload(photo: Buffer, into = albumId): Promise<string> {
  const uploadId = await visitor.beginUpload(creator.browser, into, photo);
  for (let tries = 0; tries < 40; tries++) {
    requests++;
    const answer = await send(uploadId, photo, await offsetOf(uploadId));
    if (answer === 'here') return uploadId;
  }
  throw new Error('The upload did not come to its end.');
}
const tus = () => ({ 'tus-resumable': '1.0.0', origin: 'http://localhost:3000', cookie: cookieOf() });
const cookieOf = () => [...creator.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
/** The offset, or nothing while the server says "later". */
async function offsetOf(uploadId: string): Promise<number | undefined> {
  const { status, headers } = await fetch(`${visitor.viewerApi.url}/files/${uploadId}`, {
    method: 'HEAD',
    headers: tus(),
  });
  expect([200, 423]).toContain(status);
  return status === 200 ? Number(headers.get('upload-offset')) : undefined;
}
async function send(uploadId: string, photo: Buffer, offset: number | undefined): Promise<'here' | 'not yet'> {
  if (offset === undefined) return 'not yet';
  if (offset === photo.length) return 'here';
  const headers = { ...tus(), 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
  const body = new Uint8Array(photo.subarray(offset));
  const answer = await fetch(`${visitor.viewerApi.url}/files/${uploadId}`, { method: 'PATCH', headers, body });
  if (answer.status === 204) return 'here';
  // In words that a person understands, and nothing of the store in them.
  expect([answer.status, await answer.json()]).toMatchObject([
    503,
    { code: 'UNAVAILABLE', message: /continues automatically/ },
  ]);
  return 'not yet';
}

/** Looks at every stored object against the rows, and at every original against what was sent. */
async function inspect(sent: ReadonlyMap<string, Buffer>) {
  proxy.plant(() => undefined);
  const found = { damaged: [] as string[], lost: [] as string[], strays: [] as string[] };
  const { storage } = app.engines;
  const stored = new Set<string>();
  for await (const at of storage.list('media/')) stored.add(at);
  const packs = await readRows(app, `select path, encode(sha256, 'hex') as sha256 from packs`);
  for (const { path: at, sha256 } of packs)
    if (!stored.delete(String(at))) found.lost.push(String(at));
    else if (
      createHash('sha256')
        .update(await storage.read(String(at)))
        .digest('hex') !== sha256
    )
      found.damaged.push(String(at));
  for (const { path: at } of await readRows(app, 'select original_path as path from media')) stored.delete(String(at));
  found.strays.push(...stored);
  for (const [mediaId, photo] of sent) {
    const original = await visitor.download(creator.browser, mediaId).catch(() => undefined);
    if (original === undefined) found.lost.push(mediaId);
    else if (!original.equals(photo)) found.damaged.push(mediaId);
  }
  return found;
}
/** Every stored pack is the one its row names, byte for byte; every original comes back as it was sent; nothing else is there. */
async function expectWhole(sent: ReadonlyMap<string, Buffer>): Promise<void> {
  const { damaged, lost, strays } = await inspect(sent);
  counts.damaged += damaged.length;
  counts.lost += lost.length;
  counts.strays += strays.length;
  expect({ damaged, lost, strays }).toEqual({ damaged: [], lost: [], strays: [] });
}

test(
  'every tenth call fails in every way there is, and every photo is taken over and made ready',
  patience,
  async () => {
    let calls = 0;
    proxy.plant(() => (++calls % 10 === 0 ? faults[(calls / 10) % faults.length] : undefined));
    const sent = new Map<string, Buffer>();
    for (let n = 0; n < countOf(4, 100); n++) {
      const photo = await drawNoise(700, 500);
      sent.set(await upload(photo), photo);
    }
    const items = await visitor.untilSettled(creator.browser, albumId, countOf(2, 15));
    expect(items.map(({ state, failText }) => [state, failText])).toEqual(items.map(() => ['ready', null]));
    expect(items.map(({ id }) => id).sort()).toEqual([...sent.keys()].sort());
    await expectWhole(sent);
  },
);

test(
  'while every call fails uploads wait; when that is over they are taken over and made ready',
  patience,
  async () => {
    for (const fault of countOf(0, 1) === 1 ? faults : (['error', 'cut call', 'lost'] as const)) {
      const photo = await drawNoise(700, 500);
      const uploadId = await visitor.beginUpload(creator.browser, albumId, photo);
      proxy.plant(() => fault);
      const answer = await send(uploadId, photo, 0);
      if (['error', 'cut call'].includes(fault)) {
        expect([answer, await offsetOf(uploadId)]).toEqual(['not yet', undefined]);
        expect((await visitor.call('albums.list', {}, creator.browser)).status).toBe(200);
      }
      proxy.plant(() => undefined);
      await expect.poll(() => offsetOf(uploadId)).toBe(photo.length);
      const items = await visitor.untilSettled(creator.browser, albumId, countOf(2, 15));
      expect([fault, items.find(({ id }) => id === uploadId)?.state]).toEqual([fault, 'ready']);
      await expectWhole(new Map([[uploadId, photo]]));
    }
  },
);
test('a photo whose original cannot be read for a while is no failed photo', patience, async () => {
  const photo = await drawNoise(700, 500);
  let refused = 0;
  // Every try of the first four attempts is refused: more than a photo of its own fault would be given.
  proxy.plant(({ method, url }) => (method === 'GET' && url?.includes('.pfo') && refused++ < 12 ? 'error' : undefined));
  const uploadId = await upload(photo);
  const items = await visitor.untilSettled(creator.browser, albumId);
  expect(items.find(({ id }) => id === uploadId)).toMatchObject({ state: 'ready', failText: null });
  expect(refused).toBeGreaterThanOrEqual(12);
});

test('what cannot be read is answered as 503, never as half a file and never as missing', patience, async () => {
  const items = await visitor.untilSettled(creator.browser, albumId);
  proxy.plant(() => 'error');
  const { status, headers } = await fetch(`${visitor.viewerApi.url}/api/media/${items[0]?.id}/original`, {
    headers: { cookie: cookieOf() },
  });
  expect([status, headers.get('retry-after')]).toEqual([503, '1']);
});

test('planted: an object of other bytes, one that is gone and one of nobody are found', patience, async () => {
  const photo = await drawNoise(700, 500);
  const mediaId = await upload(photo);
  await visitor.untilSettled(creator.browser, albumId);
  const { storage } = app.engines;
  const rows = await readRows(app, 'select path from packs where media_id = $1 order by path', [mediaId]);
  const [changed = '', gone = ''] = rows.map((row) => String(row.path));
  const kept = [await storage.read(changed), await storage.read(gone)] as const;
  const stray = `media/${mediaId}/planted.pfp`;
  await storage.put(changed, Buffer.concat([kept[0].subarray(0, -1), Buffer.from([(kept[0].at(-1) ?? 0) ^ 1])]));
  await storage.remove(gone);
  await storage.put(stray, kept[1]);
  expect(await inspect(new Map([[mediaId, photo]]))).toEqual({ damaged: [changed], lost: [gone], strays: [stray] });
  await storage.put(changed, kept[0]);
  await storage.put(gone, kept[1]);
  await storage.remove(stray);
  await expectWhole(new Map([[mediaId, photo]]));
});

/** Every hundredth call is answered by an error or by too few bytes. */
function failOneOfHundred(): () => number {
  const kinds = ['error', 'wrong length', 'too few bytes', 'slow down'] as const;
  let [calls, failed] = [0, 0];
  proxy.plant(() => (++calls % 100 === 0 ? kinds[failed++ % kinds.length] : undefined));
  return () => failed;
}

test(
  'one call in a hundred fails or brings too few bytes: what is read is right or refused, and tried a few times only',
  patience,
  async () => {
    for (let n = 0; n < 3; n++) await upload(await drawNoise(700, 500));
    await visitor.untilSettled(creator.browser, albumId);
    const { storage, database } = app.engines;
    const rows = await readRows(app, `select id, path from packs where rendition = 'thumb512' order by id`);
    const truth = new Map<string, Buffer>();
    for (const { id, path: at } of rows) truth.set(String(id), await storage.read(String(at)));
    // A cache that keeps nothing: every look is a read.
    const cache = createPackCache(storage, (packId) => findStoredPack(database, packId), 0);
    const failed = failOneOfHundred();
    const reads = countOf(300, 20_000);
    const before = proxy.counts().calls;
    let refused = 0;
    for (let n = 0; n < reads; n++) {
      const id = String(rows[n % rows.length]?.id);
      const bytes = await cache.find(id).then(
        (pack) => pack?.bytes,
        (error: unknown) => {
          expect(error).toBeInstanceOf(StorageAway);
          refused++;
        },
      );
      if (bytes !== undefined) expect(bytes.equals(truth.get(id) ?? Buffer.alloc(0))).toBe(true);
    }
    requests += reads;
    expect(failed()).toBeGreaterThanOrEqual(3);
    expect(refused).toBeLessThanOrEqual(failed());
    // The client asks three times at most, and only for what failed.
    expect(proxy.counts().calls - before).toBeLessThanOrEqual(reads + 2 * failed());
  },
);

test(
  'a viewer whose picture came broken from the store gets nothing of it, and all of it with the next try',
  patience,
  async () => {
    const viewerApi = viewerApiAt(visitor.viewerApi.url, 'http://localhost:3000');
    for (let n = 0; n < countOf(1, 10); n++)
      for (const fault of ['error', 'late missing', 'wrong length', 'too few bytes', 'cut answer'] as const) {
        const { id: freshId } = await visitor.must(
          'albums.create',
          { name: `Shown ${n} ${fault}`, peopleConsent: 'only_me' },
          creator.browser,
        );
        const mediaId = await upload(await drawNoise(700, 500), freshId);
        await visitor.untilSettled(creator.browser, freshId);
        const link = await visitor.must(
          'links.create',
          { albumIds: [freshId], rules: { ageGate: false }, isLaxConfirmed: true },
          creator.browser,
        );
        const viewer = newBrowser();
        const opened = await viewerApi.tap(link.slug, { firstScreen: 0 }, viewer);
        expect(opened.status).toBe(200);
        const items = [{ mediaId, rendition: 'thumb512' }];
        proxy.plant(({ method }) => (method === 'GET' ? fault : undefined));
        // A stream that cannot go on is broken off, so that nobody takes it for whole.
        const broken = await viewerApi.lease(opened.head.visitId, items, viewer).catch(() => undefined);
        expect(broken?.pictures ?? []).toEqual([]);
        proxy.plant(() => undefined);
        const { pictures } = await viewerApi.lease(opened.head.visitId, items, viewer);
        const [row] = await readRows(app, `select path from packs where media_id = $1 and rendition = 'thumb512'`, [
          mediaId,
        ]);
        const stored = await app.engines.storage.read(String(row?.path));
        expect(tilesAreOf(pictures[0]?.pack ?? Buffer.alloc(0), stored)).toBe(true);
        requests += 3;
      }
  },
);

/** Returns whether every tile of a composed pack is one of the two that are stored, byte for byte. */
function tilesAreOf(composed: Buffer, stored: Buffer): boolean {
  const [own, both] = [readPackHeader(composed), readPackHeader(stored)];
  return Array.from({ length: own.tiles }, (_, tile) => Buffer.from(tileBytes(composed, own, tile, 0))).every(
    (bytes, tile) => ([0, 1] as const).some((slot) => bytes.equals(tileBytes(stored, both, tile, slot))),
  );
}
