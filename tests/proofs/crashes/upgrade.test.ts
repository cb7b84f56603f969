import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import type { Database } from '#engines/database/database.ts';
import { migrate } from '#engines/database/migrate.ts';
import { readPackHeader } from '#features/media/formats/pack.ts';
import { firstLanding, layFirstLanding } from '#tests/support/database/first-landing.ts';
import { type Contents, readContents } from '#tests/support/database/row-counts.ts';
import {
  findFreePort,
  listDatabasesIn,
  makeDataDir,
  type ServerProcess,
  spawnServer,
} from '#tests/support/servers/server-process.ts';
import { visit } from '#tests/support/servers/visitor.ts';
import { newBrowser } from '#tests/support/test-app.ts';
import { openTile, type PictureFrame } from '#tests/support/viewer-api.ts';
import { countOf, guards, printProof } from '../counts.ts';

guards('db/migrations/**', 'src/engines/database/migrate.ts', 'src/engines/jobs/**');

/** The installation of the first landing, started by this version without hands. */
const folder = path.resolve('db/migrations');
const migrations = readdirSync(folder).filter((name) => name.endsWith('.sql'));
const newer = migrations.filter((name) => name > firstLanding.lastMigration);
/** In the short form the newest, which nobody has started yet. */
const killedIn = newer.slice(-countOf(12, newer.length));
const patience = { timeout: 240_000 + 20_000 * killedIn.length };
const servers: ServerProcess[] = [];
const databases: Database[] = [];
const folders: string[] = [];
let requests = 0;
let kills = 0;

afterAll(async () => {
  await Promise.all(servers.map((server) => server.end('SIGTERM')));
  await Promise.all(databases.map((database) => database.close()));
  for (const name of folders) rmSync(name, { recursive: true, force: true });
  printProof('upgrade', requests, { migrations: newer.length, kills });
});

function newFolder(): string {
  const dataDir = makeDataDir('pf-upgrade-');
  folders.push(dataDir);
  return dataDir;
}

async function spawnOn(dataDir: string, environment: Record<string, string>): Promise<ServerProcess> {
  const server = spawnServer({ port: await findFreePort(), dataDir, environment });
  servers.push(server);
  return server;
}

async function ask<Row extends object>(connection: pg.PoolConfig, text: string): Promise<Row[]> {
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
const listApplied = async (connection: pg.PoolConfig) =>
  (await ask<{ name: string }>(connection, 'select name from schema_migrations order by name')).map(({ name }) => name);

/** Tables whose rows say after an upgrade what they said before, letter for letter. */
const asTheyWere = ['codeword_log', 'media_keys', 'packs', 'view_events', 'audit_log', 'link_policy_log'];
/** Tables that have lost rows, and those of which a row says something else. */
const changesOf = (before: Contents, after: Contents): string[] =>
  Object.entries(before).flatMap(([name, { rows, hash }]) => [
    ...(after[name]?.rows === rows ? [] : [`${name}: ${after[name]?.rows} rows instead of ${rows}`]),
    ...(asTheyWere.includes(name) && after[name]?.hash !== hash ? [`${name} says something else`] : []),
  ]);

/** Locks that outlive a migration. */
const listHeld = (connection: pg.PoolConfig) =>
  ask<{ locktype: string; mode: string }>(
    connection,
    `select locktype, mode from pg_locks where locktype = 'advisory' or (mode = 'AccessExclusiveLock' and locktype = 'relation')`,
  );

/** Opens every tile of a picture and decodes it. @returns how many pixels there are */
async function decode({ pack, keys }: PictureFrame): Promise<number> {
  let pixels = 0;
  for (let tile = 0; tile < readPackHeader(pack).tiles; tile++) {
    const { info } = await sharp(openTile(pack, keys, tile))
      .raw()
      .toBuffer({ resolveWithObject: true });
    pixels += info.width * info.height;
  }
  return pixels;
}

test(
  'the first landing starts as this version: every row is there, its demo link opens, its pictures decode',
  patience,
  async () => {
    const dataDir = newFolder();
    const before = await layFirstLanding(dataDir);
    expect(await listApplied(before.connection)).toEqual(
      migrations.filter((name) => name <= firstLanding.lastMigration),
    );
    const contents = await readContents(before.connection);
    expect(contents.media?.rows).toBe(5);
    await before.close();

    const server = await spawnOn(dataDir, firstLanding.environment);
    await server.untilUp();
    const connection = { host: path.join(dataDir, 'pg/run'), port: 5432, user: 'pf', database: 'pf' };
    expect(await listApplied(connection)).toEqual(migrations);
    const after = await readContents(connection);
    expect(changesOf(contents, after)).toEqual([]);

    const { viewerApi, must } = visit(server.url);
    const known = newBrowser();
    known.cookies.set(...firstLanding.viewerCookie);
    const newcomer = newBrowser();
    expect((await viewerApi.tap(firstLanding.demoSlug, {}, newcomer)).refusal?.reason).toBe('NEED_AGE');
    for (const [viewer, passes] of [
      [known, {}],
      [newcomer, { isAdult: true }],
    ] as const) {
      const opened = await viewerApi.tap(firstLanding.demoSlug, { firstScreen: 3, ...passes }, viewer);
      expect([opened.status, opened.head?.items?.length, opened.pictures.length]).toEqual([200, 3, 3]);
      for (const picture of opened.pictures) expect(await decode(picture)).toBeGreaterThan(10_000);
    }
    const creator = newBrowser();
    await must('accounts.signIn', firstLanding.creator, creator);
    const { user } = await must('accounts.me', {}, creator);
    expect(user.email).toBe(firstLanding.creator.email);
    requests += 5;
  },
);

/** Waits until somebody waits for the list of migrations, inside a file that he has run already. */
async function untilStopped(client: pg.Client): Promise<void> {
  const waiting = `select 1 from pg_locks where relation = 'schema_migrations'::regclass and not granted`;
  for (const end = performance.now() + 60_000; performance.now() < end; await wait(5))
    if ((await client.query(waiting)).rowCount !== 0) return;
  throw new Error('No migration was stopped within a minute.');
}

/** Brings a database to the state before a file, as an upgrade that was killed in it has found it. */
async function migrateUpTo(connection: pg.PoolConfig, next: string): Promise<void> {
  const part = mkdtempSync(path.join(tmpdir(), 'pf-part-'));
  folders.push(part);
  for (const name of migrations) if (name < next) copyFileSync(path.join(folder, name), path.join(part, name));
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  await migrate(client, part);
  await client.end();
}

test('killed inside each newer migration, the next start finishes it, and no lock is left', patience, async () => {
  for (const name of killedIn) {
    const dataDir = newFolder();
    const database = await layFirstLanding(dataDir);
    databases.push(database);
    const { connection } = database;
    await migrateUpTo(connection, name);
    const holder = new pg.Client(connection as pg.ClientConfig);
    holder.on('error', () => undefined); // it goes with a failed test
    await holder.connect();
    await holder.query('begin; lock table schema_migrations in share mode');
    const environment = { ...firstLanding.environment, PF_ROLE: 'web' };
    const killed = await spawnOn(dataDir, environment);
    await untilStopped(holder);
    await killed.end('SIGKILL');
    kills++;
    await holder.query('rollback');
    await holder.end();
    const server = await spawnOn(dataDir, environment);
    await server.untilUp();
    expect(await listApplied(connection)).toEqual(migrations);
    // Whoever has just started takes some for a moment; one that was left behind stays.
    await expect.poll(() => listHeld(connection), { timeout: 30_000 }).toEqual([]);
    await server.end('SIGTERM');
  }
});

test(
  'planted: a row that is gone, one that says something else, a file that was left out and a lock that stays are found',
  patience,
  async () => {
    const database = await layFirstLanding(newFolder());
    databases.push(database);
    const { connection } = database;
    const before = await readContents(connection);
    const client = new pg.Client(connection as pg.ClientConfig);
    client.on('error', () => undefined); // it goes with a failed test
    await client.connect();
    await client.query('set role app_system');
    await client.query(`delete from view_events where ctid = (select ctid from view_events limit 1)`);
    await client.query(`update packs set created_at = created_at + interval '1 s'`);
    const [gone, changed] = [before.view_events?.rows ?? 0, 'packs says something else'];
    expect(changesOf(before, await readContents(connection))).toEqual([
      changed,
      `view_events: ${gone - 1} rows instead of ${gone}`,
      'view_events says something else',
    ]);
    expect(await listApplied(connection)).not.toEqual(migrations);
    expect(await listHeld(connection)).toEqual([]);
    await client.query('select pg_advisory_lock(1)');
    expect(await listHeld(connection)).toHaveLength(1);
    await client.end();
  },
);

test(
  'drizzle migrate: of four processes that start at once on an empty folder one migrates, and all serve',
  patience,
  async () => {
    const dataDir = newFolder();
    const four = await Promise.all(Array.from({ length: 4 }, () => spawnOn(dataDir, { PF_ROLE: 'web' })));
    await Promise.all(four.map((server) => server.untilUp()));
    const connection = { host: path.join(dataDir, 'pg/run'), port: 5432, user: 'pf', database: 'pf' };
    expect(await listApplied(connection)).toEqual(migrations);
    const running = listDatabasesIn(path.join(dataDir, 'pg')).filter((line) => !line.startsWith('/bin/sh'));
    expect(running).toHaveLength(1);
    requests += 4;
  },
);
