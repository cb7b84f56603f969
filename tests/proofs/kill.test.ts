import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, expect, test } from 'vitest';
import { type Browser, headersOf, newBrowser } from '#tests/support/house.ts';
import {
  findFreePort,
  listDatabasesIn,
  makeDataDir,
  type ServerProcess,
  spawnServer,
} from '#tests/support/server-process.ts';
import { drawNoise, type Visitor, visit } from '#tests/support/visitor.ts';
import { countOf, tellProof } from './counts.ts';

/** R6: the real server with its own database, killed by SIGKILL as a power cut would, and started again on the same data. */
let room: Room;
let creator: Browser;
let visitor: Visitor;
let albumId: string;
let kills = 0;
let requests = 0;

/** A data folder and the server that works in it. */
interface Room {
  dataDir: string;
  /** Where the walled children work: pictures in the clear lie there while they are decoded. */
  workDir: string;
  port: number;
  server: ServerProcess;
}
const rooms: Room[] = [];
const patience = { timeout: countOf(180_000, 3_600_000) };
const clients: pg.Client[] = [];

async function newRoom(): Promise<Room> {
  const [dataDir, workDir, port] = [makeDataDir('pf-kill-'), makeDataDir('pf-work-'), await findFreePort()];
  // Without a worker nobody draws the demo, whose pictures would only be in the way here.
  const environment = { PF_ROLE: 'web', TMPDIR: workDir };
  const made = { dataDir, workDir, port, server: spawnServer({ port, dataDir, environment }) };
  rooms.push(made);
  return made;
}
async function start(role: 'web' | 'all'): Promise<void> {
  const { dataDir, workDir, port } = room;
  room.server = spawnServer({ port, dataDir, environment: { PF_ROLE: role, TMPDIR: workDir } });
  await room.server.untilUp();
}

/** Kills the server; its database goes with it. */
async function kill({ server, dataDir }: Room = room): Promise<void> {
  kills++;
  await server.end('SIGKILL');
  await expect.poll(() => listDatabasesIn(path.join(dataDir, 'pg')), { timeout: 20_000 }).toEqual([]);
}

afterEach(async () => {
  for (const client of clients.splice(0)) await client.end().catch(() => undefined);
});
afterAll(async () => {
  for (const { server, dataDir, workDir } of rooms) {
    await server.end('SIGTERM');
    for (const folder of [dataDir, workDir]) rmSync(folder, { recursive: true, force: true });
  }
  tellProof('kill', requests, { kills });
}, 60_000);

/** Connects beside the server, as its own database role. */
async function connect({ dataDir }: Room): Promise<pg.Client> {
  const client = new pg.Client({ host: path.join(dataDir, 'pg/run'), port: 5432, user: 'pf', database: 'pf' });
  client.on('error', () => undefined); // it goes with the server
  await client.connect();
  clients.push(client);
  return client;
}
/** What the database holds, whoever it belongs to. */
async function rowsOf<Row extends object>(text: string): Promise<Row[]> {
  const client = await connect(room);
  try {
    await client.query('set role app_system');
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
        entry.isFile() ? [path.relative(folder, path.join(entry.parentPath, entry.name))] : [],
      )
    : [];

/** Asks until there is an answer, as often as it can. */
async function until<T>(ask: () => Promise<T | undefined> | T | undefined, what: string): Promise<T> {
  for (const end = performance.now() + 60_000; performance.now() < end; await wait(2)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
  }
  throw new Error(`${what} did not come within a minute.`);
}

const migrations = readdirSync('db/migrations').filter((name) => name.endsWith('.sql'));

/** Stops the first migration inside a file that comes after `applied` others. @returns false when it was too quick for that */
async function stopMigration(made: Room, applied: number): Promise<boolean> {
  const beside = await until(() => connect(made).catch(() => undefined), 'The database');
  const count = () =>
    beside.query<{ n: number }>('select count(*)::int as n from schema_migrations').then(
      ({ rows }) => rows[0]?.n,
      () => undefined,
    );
  await until(async () => ((await count()) ?? -1) >= applied || undefined, 'The first migrations');
  await beside.query('begin; lock table schema_migrations in share mode');
  if (((await count()) ?? 0) >= migrations.length) return false;
  const waiting = `select 1 from pg_locks where relation = 'schema_migrations'::regclass and not granted`;
  await until(async () => (await beside.query(waiting)).rows[0], 'The next migration');
  return true;
}

test('killed inside the first migration, the next start finishes it without hands', patience, async () => {
  for (let n = 0; n < countOf(1, 30, 200); n++) {
    let isStopped = false;
    for (let tries = 0; tries < 5 && !isStopped; tries++) {
      room = await newRoom();
      isStopped = await stopMigration(room, n % (migrations.length - 1));
      await kill();
    }
    expect(isStopped).toBe(true);
    await start('web');
    const beside = await connect(room);
    const { rows } = await beside.query<{ name: string }>('select name from schema_migrations order by name');
    expect(rows.map(({ name }) => name)).toEqual(migrations);
  }
  visitor = visit(room.server.url);
  creator = await visitor.signUp('kill@example.com');
  albumId = (await visitor.must('albums.create', { name: 'Killed' }, creator)).id;
});

/** Sends the first half of a chunk and leaves the call open; what is answered or broken later is nobody's concern. */
function sendHalf(uploadId: string, chunk: Buffer, offset: number): void {
  const headers = {
    'tus-resumable': '1.0.0',
    ...headersOf(creator),
    'upload-offset': String(offset),
    'content-type': 'application/offset+octet-stream',
    'content-length': String(chunk.length),
  };
  const call = request(`${room.server.url}/files/${uploadId}`, { method: 'PATCH', headers });
  call.on('error', () => undefined);
  call.write(chunk.subarray(0, chunk.length >> 1));
}
const stagedBytes = (uploadId: string) =>
  statSync(path.join(room.dataDir, 'staging', uploadId), { throwIfNoEntry: false })?.size ?? 0;

test(
  'killed in the middle of a chunk, an upload goes on behind no acknowledged byte and is the same file',
  patience,
  async () => {
    for (let n = 0; n < countOf(1, 30, 200); n++) {
      const photo = await drawNoise(1000, 700);
      const chunkBytes = 400_000 + (n % 7) * 50_000;
      const uploadId = await visitor.beginUpload(creator, albumId, photo);
      const acknowledged = await visitor.sendFrom(creator, uploadId, photo.subarray(0, chunkBytes), 0);
      expect(acknowledged).toBe(chunkBytes);
      sendHalf(uploadId, photo.subarray(acknowledged, acknowledged + chunkBytes), acknowledged);
      await until(() => stagedBytes(uploadId) > acknowledged || undefined, 'The half of a chunk');
      await kill();
      await start('all');
      const offset = await visitor.offsetOf(creator, uploadId);
      expect(offset).toBeGreaterThanOrEqual(acknowledged);
      expect(offset).toBeLessThanOrEqual(acknowledged + chunkBytes);
      expect(await visitor.sendFrom(creator, uploadId, photo.subarray(offset), offset)).toBe(photo.length);
      expect((await visitor.download(creator, uploadId)).equals(photo)).toBe(true);
      await visitor.untilSettled(creator, albumId); // who waits through ten kills is rightly given up
      requests += 5;
    }
  },
);

/** What has a name in the database and what lies in the store must be the same, and nothing may lie in the clear. */
async function findUntidy(): Promise<string[]> {
  const rows = await rowsOf<{ path: string }>(
    'select path from packs union all select original_path from media where original_path is not null',
  );
  const named = new Set(rows.map((row) => row.path));
  const stored = new Set(filesIn(path.join(room.dataDir, 'files')));
  const ofTheDead = readdirSync(room.workDir).filter(
    (name) => name.startsWith('privatefans-child-') && !name.startsWith(`privatefans-child-${room.server.pid}-`),
  );
  return [
    ...[...stored].filter((file) => !named.has(file)).map((file) => `${file} has no name`),
    ...[...named].filter((file) => !stored.has(file)).map((file) => `${file} is not there`),
    ...readdirSync(path.join(room.dataDir, 'staging')).map((name) => `${name} lies in staging`),
    ...ofTheDead.map((name) => `${name} has outlived its server`),
  ];
}

const storedOf = (uploadId: string, ending: string) =>
  filesIn(path.join(room.dataDir, 'files/media', uploadId)).some((name) => name.endsWith(ending));

/** When the kill comes while two photos go up one after the other, by what can be seen from outside. */
const moments: ((first: string, second: string) => Promise<unknown>)[] = [
  (_, second) => until(() => storedOf(second, '.pfo') || undefined, 'The original'),
  (first) => until(() => storedOf(first, '.pfp') || undefined, 'The first pack'),
  () => until(() => readdirSync(room.workDir).find((name) => name.includes(`-${room.server.pid}-`)), 'A child'),
  () => wait(Math.random() * 2000),
];

/** Sends what the server does not have yet, as a page does that comes back. */
async function sendRest(uploadId: string, photo: Buffer): Promise<void> {
  const offset = await visitor.offsetOf(creator, uploadId);
  if (offset < photo.length) await visitor.sendFrom(creator, uploadId, photo.subarray(offset), offset);
}

test(
  'killed while a photo is taken over, decoded or stored, it becomes ready once and leaves nothing behind',
  patience,
  async () => {
    for (let n = 0; n < countOf(2, 30, 200); n++) {
      const [one, other] = [await drawNoise(1000, 700), await drawNoise(1000, 700)];
      const first = await visitor.beginUpload(creator, albumId, one);
      const second = await visitor.beginUpload(creator, albumId, other);
      await visitor.sendFrom(creator, first, one, 0);
      const sending = visitor.sendFrom(creator, second, other, 0).catch(() => undefined); // a killed server never answers
      await moments[n % moments.length]?.(first, second);
      await kill();
      await sending;
      await start('all');
      await sendRest(first, one);
      await sendRest(second, other);
      const isOver = async () => (await rowsOf(`select 1 from uploads where state = 'open'`)).length === 0 || undefined;
      await until(isOver, 'The end of every upload');
      const items = await visitor.untilSettled(creator, albumId);
      for (const { id, state, failText } of items) expect([id, state, failText]).toEqual([id, 'ready', null]);
      expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining([first, second]));
      expect((await visitor.download(creator, second)).equals(other)).toBe(true);
      const packs = await rowsOf<{ n: number }>('select count(*)::int as n from packs group by media_id');
      expect(packs).toEqual(items.map(() => ({ n: 2 })));
      expect(await findUntidy()).toEqual([]);
      requests += 6;
    }
  },
);

test('R6, planted: a file without a name, one that is gone, what lies in the clear and a changed byte are found', async () => {
  const photo = await drawNoise(600, 400);
  const uploadId = await visitor.beginUpload(creator, albumId, photo);
  await visitor.sendFrom(creator, uploadId, photo, 0);
  await visitor.untilSettled(creator, albumId);
  const read = () => visitor.download(creator, uploadId).catch(() => undefined);
  const isSame = async () => (await read())?.equals(photo) === true;
  expect([await findUntidy(), await isSame()]).toEqual([[], true]);
  const files = path.join(room.dataDir, 'files');
  const own = filesIn(files).filter((name) => name.includes(uploadId));
  const [pack = '', original = ''] = ['.pfp', '.pfo'].map((ending) => own.find((name) => name.endsWith(ending)));
  const bytes = readFileSync(path.join(files, original));
  bytes[bytes.length >> 1] = ~(bytes[bytes.length >> 1] ?? 0);
  writeFileSync(path.join(files, original), bytes);
  renameSync(path.join(files, pack), path.join(files, `${pack}-planted`));
  writeFileSync(path.join(room.dataDir, 'staging', 'planted'), photo);
  expect(await findUntidy()).toEqual([
    `${pack}-planted has no name`,
    `${pack} is not there`,
    'planted lies in staging',
  ]);
  expect(await isSame()).toBe(false);
  rmSync(path.join(room.dataDir, 'staging', 'planted'));
  renameSync(path.join(files, `${pack}-planted`), path.join(files, pack));
  await visitor.must('media.remove', { mediaId: uploadId }, creator);
}, 120_000);

test('killed as soon as revoke is answered, no lease is given after the restart', patience, async () => {
  for (let n = 0; n < countOf(1, 30, 200); n++) {
    const link = await visitor.must(
      'links.create',
      { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true },
      creator,
    );
    const viewer = newBrowser();
    const { head } = await visitor.salon.tap(link.slug, { firstScreen: 1 }, viewer);
    const { visitId, items } = head;
    const wanted = [{ mediaId: items[0].mediaId, rendition: 'thumb512' }];
    expect((await visitor.salon.lease(visitId, wanted, viewer)).pictures).toHaveLength(1);
    await visitor.must('links.revoke', { linkIds: [link.id] }, creator);
    await kill();
    await start('all');
    const leases = () => rowsOf<{ n: number }>('select count(*)::int as n from key_leases');
    const before = await leases();
    const refused = await visitor.salon.lease(visitId, wanted, viewer);
    expect([refused.status, refused.refusal?.reason, refused.pictures]).toEqual([410, 'REVOKED', []]);
    const renewed = await visitor.call('viewing.renew', { visitId, samples: [], idleMs: 0 }, viewer);
    expect([renewed.status, renewed.body.data.reason]).toEqual([410, 'REVOKED']);
    expect((await visitor.salon.tap(link.slug, {}, viewer)).refusal?.reason).toBe('REVOKED');
    expect((await visitor.salon.tap(link.slug)).refusal?.reason).toBe('NOT_FOUND');
    expect(await leases()).toEqual(before);
    requests += 9;
  }
});
