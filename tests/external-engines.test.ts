import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { as, findAccount } from '#engines/database/account.ts';
import { type Browser, headersOf, newBrowser } from './support/house.ts';
import { openTile, phone } from './support/salon.ts';
import { findFreePort, makeDataDir, type ServerProcess, spawnServer } from './support/server-process.ts';
import { drawNoise, visit } from './support/visitor.ts';

/** The product on engines that are not ours: a PostgreSQL of the system (or TEST_DATABASE_URL) and an S3 server. */
interface LocalS3 {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}
const require = createRequire(import.meta.url);
const S3rver = require('s3rver') as new (options: object) => LocalS3;

const folder = makeDataDir('pf-engines-');
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const given = process.env.TEST_DATABASE_URL;
/** The newest PostgreSQL (15 or later) that Debian installed, if any. */
const programs = findPrograms('/usr/lib/postgresql');

function findPrograms(above: string): string | undefined {
  const versions = existsSync(above) ? readdirSync(above).map(Number) : [];
  const [newest] = versions.filter((version) => version >= 15).toSorted((a, b) => b - a);
  const bin = path.join(above, String(newest), 'bin');
  return newest !== undefined && existsSync(path.join(bin, 'initdb')) ? bin : undefined;
}

/** Boots a server of the system's PostgreSQL with a password, over TCP, as an unprivileged user. @returns its address */
async function bootPostgres(bin: string): Promise<string> {
  const [home, data, word, port] = [
    path.join(folder, 'pg'),
    path.join(folder, 'pg/data'),
    'plain',
    await findFreePort(),
  ];
  mkdirSync(home);
  const account = findAccount(home);
  if (account.uid !== undefined && account.gid !== undefined) chownSync(home, account.uid, account.gid);
  const passwordFile = path.join(folder, 'password');
  writeFileSync(passwordFile, word, { mode: 0o644 });
  const options = { ...as(account), cwd: home, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  const made = ['-D', data, '-U', 'owner', '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8', '--no-sync'];
  execFileSync(path.join(bin, 'initdb'), made, { ...options, stdio: 'ignore' });
  const settings = [`listen_addresses=127.0.0.1`, `port=${port}`, `unix_socket_directories=${home}`, 'fsync=off'];
  const server = spawn(path.join(bin, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
    ...options,
    stdio: 'ignore',
  });
  const gone = new Promise((done) => server.once('exit', done));
  closing.push(async () => {
    server.kill('SIGINT');
    await gone;
  });
  return `postgres://owner:${word}@127.0.0.1:${port}/postgres`;
}

/** Runs one statement as soon as the server is up. */
async function ask(url: string, text: string): Promise<void> {
  const client = await connect(url);
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
async function connect(url: string): Promise<pg.Client> {
  for (let tries = 1; ; tries++) {
    const client = new pg.Client(url);
    client.on('error', () => undefined); // what is under way fails with it
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (tries === 200) throw error;
      await wait(100);
    }
  }
}

/**
 * A database of its own. On a server that we booted its owner is no superuser, as an operator would have it; on a given one it is
 * the given user's, who may have made our roles for an earlier run.
 */
async function makeDatabase(server: string, { isOurs }: { isOurs: boolean }): Promise<string> {
  const name = `pf_${randomBytes(6).toString('hex')}`;
  if (isOurs) await ask(server, `create role ${name} login createrole password 'plain'`);
  await ask(server, `create database ${name}${isOurs ? ` owner ${name}` : ''}`);
  closing.push(() => ask(server, `drop database ${name} with (force)`));
  const url = new URL(server);
  Object.assign(url, { pathname: `/${name}`, ...(isOurs && { username: name, password: 'plain' }) });
  return url.href;
}

async function openS3(): Promise<Record<string, string>> {
  const directory = path.join(folder, 's3');
  mkdirSync(directory);
  const options = { address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: 'pf' }] };
  const server = new S3rver(options);
  const { port } = await server.run();
  closing.push(() => server.close());
  return {
    S3_BUCKET: 'pf',
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_REGION: 'us-east-1',
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  };
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

test('the main job runs on an outside PostgreSQL and S3, and a revoke in one process closes the screen held by another', {
  timeout: 180_000,
}, async ({ skip }) => {
  skip(
    given === undefined && programs === undefined,
    'no PostgreSQL under /usr/lib/postgresql and no TEST_DATABASE_URL',
  );
  const postgres = given ?? (await bootPostgres(programs ?? ''));
  const database = await makeDatabase(postgres, { isOurs: given === undefined });
  const environment = {
    DATABASE_URL: database,
    ...(await openS3()),
    PF_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    PF_SECRET: randomBytes(32).toString('base64'),
  };
  // The second process only serves; without a worker it draws no demo either.
  const other = await start({ ...environment, PF_ROLE: 'web' });
  const mia = await visit(other.url).signUp('mia@example.com');
  const server = await start(environment);
  const creator = visit(server.url);

  const { id: albumId } = await creator.must('albums.create', { name: 'Outside' }, mia);
  const photo = await drawNoise(900, 700);
  const uploadId = await creator.beginUpload(mia, albumId, photo);
  await creator.sendFrom(mia, uploadId, photo.subarray(0, 1_000_000), 0);
  await creator.sendFrom(mia, uploadId, photo.subarray(1_000_000), 1_000_000);
  expect((await creator.untilSettled(mia, albumId)).map(({ state }) => state)).toEqual(['ready']);
  expect((await creator.download(mia, uploadId)).equals(photo)).toBe(true);
  expect(listStored()).toHaveLength(3);

  const rules = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true };
  const link = await creator.must('links.create', rules, mia);
  const { salon } = visit(other.url);
  const viewer = newBrowser();
  const opened = await salon.tap(link.slug, {}, viewer);
  const [picture] = opened.pictures;
  expect(opened.head.items).toHaveLength(1);
  const tile = openTile(picture?.pack ?? Buffer.alloc(0), picture?.keys ?? Buffer.alloc(0), 0);
  expect(tile.subarray(0, 4).toString() + tile.subarray(8, 12)).toBe('RIFFWEBP');

  const closed = await hearRevoke(other.url, opened.head.visitId, viewer);
  await creator.must('links.revoke', { linkIds: [link.id] }, mia);
  await closed();
  const wanted = [{ mediaId: opened.head.items[0].mediaId, rendition: 'thumb512' }];
  for (const url of [other.url, server.url])
    expect((await visit(url).salon.lease(opened.head.visitId, wanted, viewer)).refusal?.reason).toBe('REVOKED');
});

/** What lies in the bucket. */
function listStored(): string[] {
  const names = readdirSync(path.join(folder, 's3/pf'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('_object'));
}

/** Opens the line of news of a screen. @returns waits until the revoke is heard on it */
async function hearRevoke(url: string, visitId: string, browser: Browser): Promise<() => Promise<void>> {
  const headers = { 'user-agent': phone, ...headersOf(browser) };
  const request = http.get(`${url}/api/live/view?visit=${visitId}`, { headers, agent: false });
  closing.push(async () => request.destroy());
  const heard = Promise.withResolvers<void>();
  await new Promise<void>((isOpen, failed) => {
    request.once('error', failed);
    request.once('response', (response) => {
      response.setEncoding('utf8').on('data', (text: string) => {
        isOpen();
        if (text.includes('"link.revoked"')) heard.resolve();
      });
    });
  });
  return () => heard.promise;
}
