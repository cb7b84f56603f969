import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { filesBelow } from '#tests/support/database/list-below.ts';
import { drawNoise, type Visitor, visit } from '#tests/support/servers/visitor.ts';
import type { Browser } from '#tests/support/test-app.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import { type KillRoom, mostMedianReadyMs, openKillRoom, readyFiguresOf, until } from './kill-room.ts';

guards('src/features/albums/**', 'src/features/media/**', 'src/engines/jobs/**', 'db/migrations/**');

/** The real server with its own database, killed while it migrates and while it works on photos. */
const rooms: KillRoom[] = [];
const readyFigures = () => readyFiguresOf(rooms.flatMap(({ readyMs }) => readyMs));
const patience = { timeout: countOf(180_000, 3_600_000, 14_400_000) };
let room: KillRoom;
let creator: Browser;
let visitor: Visitor;
let albumId: string;
let requests = 0;

async function newRoom(): Promise<KillRoom> {
  const made = await openKillRoom();
  rooms.push(made);
  return made;
}

afterAll(async () => {
  for (const { close } of rooms) await close();
  printProof('kill', requests, { kills: rooms.reduce((sum, { kills }) => sum + kills, 0), ...readyFigures() });
});

const migrations = readdirSync('db/migrations').filter((name) => name.endsWith('.sql'));

/** Stops the first migration inside a file that comes after `applied` others. @returns false when it was too quick for that */
async function stopMigration(made: KillRoom, applied: number): Promise<boolean> {
  const beside = await until(() => made.connect().catch(() => undefined), 'The database');
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

async function migrated(): Promise<string[]> {
  const beside = await room.connect();
  const { rows } = await beside.query<{ name: string }>('select name from schema_migrations order by name');
  return rows.map(({ name }) => name);
}

test(
  'killed inside the first migration, the next start finishes it without hands (UNITRONIX/BetterDesk#377, polytope-labs/hyperbridge#1105, chandra447/pi-hermes-memory#205)',
  patience,
  async () => {
    for (let n = 0; n < countOf(1, 30, 200); n++) {
      await rooms.at(-1)?.close();
      let isStopped = false;
      for (let tries = 0; tries < 5 && !isStopped; tries++) {
        room = await newRoom();
        room.spawn('web');
        isStopped = await stopMigration(room, n % (migrations.length - 1));
        await room.kill();
      }
      expect(isStopped).toBe(true);
      await room.start('web');
      expect(await migrated()).toEqual(migrations);
    }
    visitor = visit(room.server);
    creator = await visitor.signUp('kill@example.com');
    albumId = (await visitor.must('albums.create', { name: 'Killed', peopleConsent: 'only_me' }, creator)).id;
  },
);

const storedOf = (uploadId: string, ending: string) =>
  filesBelow(path.join(room.dataDir, 'files/media', uploadId)).some((name) => name.endsWith(ending));

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
      await room.kill();
      await sending;
      await room.start('all');
      await sendRest(first, one);
      await sendRest(second, other);
      const isOver = async () =>
        (await room.rowsOf(`select 1 from uploads where state = 'open'`)).length === 0 || undefined;
      await until(isOver, 'The end of every upload');
      const items = await visitor.untilSettled(creator, albumId);
      for (const { id, state, failText } of items) expect([id, state, failText]).toEqual([id, 'ready', null]);
      expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining([first, second]));
      expect((await visitor.download(creator, second)).equals(other)).toBe(true);
      const packs = await room.rowsOf<{ n: number }>('select count(*)::int as n from packs group by media_id');
      expect(packs).toEqual(items.map(() => ({ n: 2 })));
      expect(await room.findUntidy()).toEqual([]);
      requests += 6;
    }
    if (isFull) expect(readyFigures().medianReadyMs).toBeLessThanOrEqual(mostMedianReadyMs);
  },
);

test('planted: a file without a name, one that is gone, what lies in the clear and a changed byte are found', async () => {
  const photo = await drawNoise(600, 400);
  const uploadId = await visitor.beginUpload(creator, albumId, photo);
  await visitor.sendFrom(creator, uploadId, photo, 0);
  await visitor.untilSettled(creator, albumId);
  const read = () => visitor.download(creator, uploadId).catch(() => undefined);
  const isSame = async () => (await read())?.equals(photo) === true;
  expect([await room.findUntidy(), await isSame()]).toEqual([[], true]);
  const files = path.join(room.dataDir, 'files');
  const own = filesBelow(files).filter((name) => name.includes(uploadId));
  const [pack = '', original = ''] = ['.pfp', '.pfo'].map((ending) => own.find((name) => name.endsWith(ending)));
  const bytes = readFileSync(path.join(files, original));
  bytes[bytes.length >> 1] = ~(bytes[bytes.length >> 1] ?? 0);
  writeFileSync(path.join(files, original), bytes);
  renameSync(path.join(files, pack), path.join(files, `${pack}-planted`));
  writeFileSync(path.join(room.dataDir, 'staging', 'planted'), photo);
  mkdirSync(path.join(room.workDir, 'privatefans-child-1-planted'));
  expect(await room.findUntidy()).toEqual([
    `${pack}-planted has no name`,
    `${pack} is not there`,
    'planted lies in staging',
    'privatefans-child-1-planted has outlived its server',
  ]);
  expect(await isSame()).toBe(false);
  rmSync(path.join(room.dataDir, 'staging', 'planted'));
  rmSync(path.join(room.workDir, 'privatefans-child-1-planted'), { recursive: true });
  renameSync(path.join(files, `${pack}-planted`), path.join(files, pack));
  await visitor.must('media.remove', { mediaId: uploadId }, creator);
});
