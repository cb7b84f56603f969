import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DatabaseAway } from '#engines/database/away.ts';
import { type Database, openDatabase } from '#engines/database/database.ts';
import { guards } from '../counts.ts';

guards('src/engines/database/**', 'tests/support/database/hold-database.ts');

let made: string;
let root: string;
let migrations: string;
const opened: Database[] = [];
const children: ChildProcess[] = [];

/** One cluster that most tests copy, since making one is the slowest part. */
beforeAll(async () => {
  made = mkdtempSync(path.join(tmpdir(), 'pf-made-'));
  chmodSync(made, 0o755);
  await (await openDatabase({ dataDir: made, migrations: null, log: () => undefined })).close();
});
afterAll(() => rmSync(made, { recursive: true }));

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'pf-embedded-'));
  chmodSync(root, 0o755);
  migrations = path.join(root, 'migrations');
  mkdirSync(migrations);
  writeFileSync(
    path.join(migrations, '0001_a.sql'),
    'create table acknowledged (n integer primary key); grant select, insert on acknowledged to app_system;',
  );
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const database of opened.splice(0)) await database.close();
  await expect.poll(() => serversIn(root)).toEqual([]);
  rmSync(root, { recursive: true, force: true });
});

const dataDir = () => path.join(root, 'data');
const useMade = () => execFileSync('cp', ['-a', made, dataDir()]);

async function open(folder = dataDir()): Promise<Database> {
  const database = await openDatabase({ dataDir: folder, migrations, log: () => undefined });
  opened.push(database);
  return database;
}

/** Another process that holds the database; resolves when it is ready. */
async function hold(mode?: 'write', as: { uid?: number; gid?: number } = {}) {
  const script = path.resolve('tests/support/database/hold-database.ts');
  const child = spawn(process.execPath, [script, dataDir(), migrations, ...(mode ? [mode] : [])], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...as,
  });
  children.push(child);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  await once(reader, 'line');
  const { isAlone } = JSON.parse(lines[0]?.replace('ready ', '') ?? '') as { isAlone: boolean };
  return { child, isAlone, numbers: () => lines.slice(1).map(Number) };
}

/** Command lines of PostgreSQL's servers that work below a folder. */
const serversIn = (folder: string) =>
  execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`-D ${folder}`) || line.includes(`postgres -D ${folder}`));

const numbersIn = (database: Database) =>
  database.work({ kind: 'system' }, async (tx) =>
    (await tx.client.query<{ n: number }>('select n from acknowledged order by n')).rows.map(({ n }) => n),
  );

const serverOf = (folder: string) =>
  Number(readFileSync(path.join(folder, 'pg/pgdata/postmaster.pid'), 'utf8').split('\n')[0]);

describe('the embedded server', () => {
  it('goes with its process, also by kill -9, and no acknowledged write is lost', async () => {
    useMade();
    const { child, isAlone, numbers } = await hold('write');
    expect(isAlone).toBe(true);
    await expect.poll(() => numbers().length).toBeGreaterThan(100);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect.poll(() => serversIn(root)).toEqual([]);
    const stored = new Set(await numbersIn(await open()));
    expect(numbers().filter((n) => !stored.has(n))).toEqual([]);
  });

  it('is made and started by a user whose number has no name, as in a container', async ({ skip }) => {
    const nobodys = { uid: 54_321, gid: 54_321 };
    const mapping = ['--user', '--map-user=65534', '--map-group=65534', 'true'];
    if (process.getuid?.() !== 0) skip('only root can be somebody else');
    if (spawnSync('unshare', mapping, nobodys).status !== 0) skip('no user namespaces here');
    mkdirSync(dataDir());
    chownSync(dataDir(), nobodys.uid, nobodys.gid);
    const { isAlone, child } = await hold(undefined, nobodys);
    expect(isAlone).toBe(true);
    expect(statSync(path.join(dataDir(), 'pg/pgdata/PG_VERSION')).uid).toBe(nobodys.uid);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it('is shared by a second process, which boots it again when the first goes (pglite#1107, #1106, #892)', async () => {
    useMade();
    const first = await hold();
    const database = await open();
    expect([first.isAlone, database.isAlone]).toEqual([true, false]);
    expect(database.place).toContain('attached');
    let gaps = 0;
    const received: string[] = [];
    await database.listen(
      ({ kind }) => received.push(kind),
      () => gaps++,
    );
    await database.work({ kind: 'system' }, (tx) => tx.client.query('insert into acknowledged values (7)'));
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    await expect.poll(() => gaps).toBe(1);
    expect(await numbersIn(database)).toEqual([7]);
    await database.work({ kind: 'system' }, (tx) => tx.publish({ kind: 'after' }));
    await expect.poll(() => received).toEqual(['after']);
    const third = await hold();
    expect(third.isAlone).toBe(false);
  });

  it('answers the next request after a crash, and one that was under way with "away"', async () => {
    useMade();
    const database = await open();
    const underWay = database.work({ kind: 'system' }, (tx) => tx.client.query('select pg_sleep(5)'));
    await wait(100);
    process.kill(serverOf(dataDir()), 'SIGKILL');
    await expect(underWay).rejects.toBeInstanceOf(DatabaseAway);
    expect(await numbersIn(database)).toEqual([]);
    expect(database.isAlone).toBe(true);
  });

  it('is made once when two first starts race on one folder', async () => {
    const both = await Promise.all([hold(), hold()]);
    expect(both.map(({ isAlone }) => isAlone).sort()).toEqual([false, true]);
    expect(readdirSync(path.join(dataDir(), 'pg')).filter((name) => name.includes('.new.'))).toEqual([]);
    expect(serversIn(root).filter((line) => line.includes('/bin/postgres') && !line.includes('/bin/sh'))).toHaveLength(
      1,
    );
  });

  it('boots in a folder whose path is longer than a socket may have', async () => {
    const deep = path.join(root, 'a-folder-with-a-rather-long-name', 'and-another-one-below-it', 'x'.repeat(60));
    const database = await open(deep);
    expect(await numbersIn(database)).toEqual([]);
    expect(String(database.connection.host)).not.toContain(root);
  });

  it('boots beside a stale number that belongs to another living process', async () => {
    useMade();
    writeFileSync(path.join(dataDir(), 'pg/pgdata/postmaster.pid'), `${process.pid}\n${dataDir()}/pg/pgdata\n`);
    const database = await open();
    expect(database.isAlone).toBe(true);
    expect(await numbersIn(database)).toEqual([]);
  });

  it('clears what a killed first start has left', async () => {
    mkdirSync(path.join(dataDir(), 'pg/pgdata.new.999999999'), { recursive: true });
    await open();
    expect(existsSync(path.join(dataDir(), 'pg/pgdata.new.999999999'))).toBe(false);
  });

  it('refuses the data of another major version and says what to do', async () => {
    useMade();
    writeFileSync(path.join(dataDir(), 'pg/pgdata/PG_VERSION'), '19\n');
    await expect(open()).rejects.toThrow(/made by PostgreSQL 19.*includes 18.*export.*import/);
  });

  it('says the last words of a server that cannot start', async () => {
    useMade();
    writeFileSync(path.join(dataDir(), 'pg/pgdata/postgresql.conf'), 'no such setting');
    await expect(open()).rejects.toThrow(/did not start.*syntax error|did not start.*configuration file/);
  });

  it.runIf(process.getuid?.() === 0)('moves where its account can enter, and is found there again', async () => {
    const home = path.join(root, 'home');
    mkdirSync(home, { mode: 0o700 });
    const first = await open(path.join(home, 'data'));
    const moved = readFileSync(path.join(home, 'data/pg/where'), 'utf8').trim();
    expect(moved).toMatch(/^\/var\/lib\/privatefans\/[0-9a-f]{12}$/);
    expect(first.place).toContain(moved);
    await first.work({ kind: 'system' }, (tx) => tx.client.query('insert into acknowledged values (1)'));
    await first.close();
    chmodSync(home, 0o755); // it could enter now, but the data is where it is
    const again = await open(path.join(home, 'data'));
    expect(await numbersIn(again)).toEqual([1]);
    await again.close();
    rmSync(moved, { recursive: true });
    await expect(open(path.join(home, 'data'))).rejects.toThrow(/is gone/);
  });

  it.runIf(process.getuid?.() === 0)('runs as the owner of a cluster that a plain user made', async () => {
    useMade();
    execFileSync('chown', ['-R', '65534:65534', path.join(dataDir(), 'pg')]);
    expect((await open()).place).toContain('(as nobody)');
  });
});
