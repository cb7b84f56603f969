import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  makeOutsideDatabase,
  makeOutsideOwner,
  noOutsidePostgres,
  openOutsidePostgres,
} from './support/database/outside-postgres.ts';
import { openLocalS3 } from './support/servers/local-s3.ts';
import { findFreePort, makeDataDir, type ServerProcess, spawnServer } from './support/servers/server-process.ts';
import { drawNoise, visit } from './support/servers/visitor.ts';
import { type Browser, headersOf, newBrowser } from './support/test-app.ts';
import { openTile, phone } from './support/viewer-api.ts';

/** The product on engines that are not ours: a PostgreSQL of the system (or TEST_DATABASE_URL) and an S3 server. */
const folder = makeDataDir('pf-engines-');
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

async function openS3(): Promise<Record<string, string>> {
  const s3 = await openLocalS3(folder);
  closing.push(() => s3.close());
  return s3.environment;
}

async function start(environment: Record<string, string>): Promise<ServerProcess> {
  const [port, dataDir] = [await findFreePort(), makeDataDir('pf-engines-data-')];
  const server = spawnServer({ port, dataDir, environment });
  closing.push(async () => {
    await server.end('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  });
  await server.untilUp();
  return server;
}

test('the main job runs on an outside PostgreSQL and S3, and a revoke in one process closes the screen held by another', async ({
  skip,
}) => {
  const postgres = await openOutsidePostgres(folder);
  if (postgres === undefined) return skip(noOutsidePostgres);
  closing.push(() => postgres.close());
  const owner = await makeOutsideOwner(postgres.url);
  closing.push(() => owner.remove());
  const database = await makeOutsideDatabase(owner.url, `pf_${randomBytes(6).toString('hex')}`);
  const environment = {
    DATABASE_URL: database,
    ...(await openS3()),
    PF_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    PF_SECRET: randomBytes(32).toString('base64'),
  };
  // The second process only serves; without a worker it draws no demo either.
  const other = await start({ ...environment, PF_ROLE: 'web' });
  const mia = await visit(other).signUp('mia@example.com');
  const server = await start(environment);
  const creator = visit(server.url);

  const { id: albumId } = await creator.must('albums.create', { name: 'Outside', peopleConsent: 'only_me' }, mia);
  const photo = await drawNoise(900, 700);
  const uploadId = await creator.beginUpload(mia, albumId, photo);
  await creator.sendFrom(mia, uploadId, photo.subarray(0, 1_000_000), 0);
  await creator.sendFrom(mia, uploadId, photo.subarray(1_000_000), 1_000_000);
  expect((await creator.untilSettled(mia, albumId)).map(({ state }) => state)).toEqual(['ready']);
  expect((await creator.download(mia, uploadId)).equals(photo)).toBe(true);
  expect(listStored()).toHaveLength(3);

  const rules = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true };
  const link = await creator.must('links.create', rules, mia);
  const { viewerApi } = visit(other.url);
  const viewer = newBrowser();
  const opened = await viewerApi.tap(link.slug, {}, viewer);
  const [picture] = opened.pictures;
  expect(opened.head.items).toHaveLength(1);
  const tile = openTile(picture?.pack ?? Buffer.alloc(0), picture?.keys ?? Buffer.alloc(0), 0);
  expect(tile.subarray(0, 4).toString() + tile.subarray(8, 12)).toBe('RIFFWEBP');

  const closed = await hearRevoke(other.url, opened.head.visitId, viewer);
  await creator.must('links.revoke', { linkIds: [link.id] }, mia);
  await closed();
  const wanted = [{ mediaId: opened.head.items[0].mediaId, rendition: 'thumb512' }];
  for (const url of [other.url, server.url])
    expect((await visit(url).viewerApi.lease(opened.head.visitId, wanted, viewer)).refusal?.reason).toBe('REVOKED');
});

/** Returns what lies in the bucket. */
function listStored(): string[] {
  const names = readdirSync(path.join(folder, 's3/pf'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('_object'));
}

/** Opens the line of news of a screen. @returns waits until the revoke is heard on it */
async function hearRevoke(url: string, visitId: string, browser: Browser): Promise<() => Promise<void>> {
  const headers = { 'user-agent': phone, ...headersOf(browser) };
  const request = http.get(`${url}/api/live/view?visit=${visitId}`, { headers, agent: false });
  closing.push(async () => request.destroy());
  const received = Promise.withResolvers<void>();
  await new Promise<void>((isOpen, failed) => {
    request.once('error', failed);
    request.once('response', (response) => {
      response.setEncoding('utf8').on('data', (text: string) => {
        isOpen();
        if (text.includes('"link.revoked"')) received.resolve();
      });
    });
  });
  return () => received.promise;
}
