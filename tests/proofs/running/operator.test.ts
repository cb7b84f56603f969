import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { exportInstallation, importInstallation } from '#app/backup/move-installation.ts';
import { readConfig } from '#app/config.ts';
import { openEngines } from '#app/engines.ts';
import { openLog } from '#app/log.ts';
import { openDatabase } from '#engines/database/database.ts';
import { fillDatabase } from '#engines/database/fill-database.ts';
import { migrate } from '#engines/database/migrate.ts';
import { openKeyRing } from '#engines/keys/open-key-ring.ts';
import { signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { guards } from '../counts.ts';

guards(
  'src/app/pf*.ts',
  'src/app/config.ts',
  'src/app/settings-command.ts',
  'src/app/backup/**',
  'src/engines/database/**',
  'db/migrations/**',
);

const root = path.resolve(import.meta.dirname, '../../..');
const migrations = path.join(root, 'db/migrations');
const names = readdirSync(migrations).filter((name) => name.endsWith('.sql'));
const log = openLog('silent');
let app: TestApp;
let folder: string;
let made = 0;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'pf-verbs-'));
  app = await openTestApp({ workJobs: false });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

/** A new database without anything, as an operator names it. */
async function makeDatabase(): Promise<{ url: string; ask: (text: string) => Promise<pg.QueryResult> }> {
  const { host, port, user } = app.engines.database.connection;
  const name = `verbs_${process.pid}_${++made}`;
  await (await openDatabase({ dataDir: inject('cluster'), name, migrations: null, log: () => undefined })).close();
  const url = `postgres://${user}@localhost/${name}?host=${encodeURIComponent(String(host))}&port=${port}`;
  const ask = async (text: string) => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  };
  return { url, ask };
}

async function migrateUpTo(url: string, count: number): Promise<void> {
  const part = mkdtempSync(path.join(folder, 'part-'));
  for (const name of names.slice(0, count)) cpSync(path.join(migrations, name), path.join(part, name));
  const client = new pg.Client(url);
  await client.connect();
  await migrate(client, part);
  await client.end();
}

const newFolder = () => mkdtempSync(path.join(folder, 'data-'));
const configOf = (url: string, dataDir = newFolder()) =>
  readConfig({ ...secrets, DATABASE_URL: url, DATA_DIR: dataDir });
const word = Buffer.alloc(32, 7).toString('base64');
const secrets = { PF_KEYS: `first:${word}`, PF_SECRET: word };

/** Runs `npm run pf -- …` in a process of its own. */
function runPf(environment: Record<string, string>, ...args: string[]): Promise<{ code: number | null; said: string }> {
  const child: ChildProcess = spawn(process.execPath, ['src/app/pf.ts', ...args], {
    cwd: root,
    env: { ...secrets, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (words: Buffer) => {
      said += words.toString();
    });
  return new Promise((done) => child.once('close', (code) => done({ code, said })));
}

const patience = { timeout: 60_000 };

describe.runIf(inject('outside') === null)('the verbs of an operator', () => {
  const listApplied = 'select name from schema_migrations order by name';

  it('leave a database as it is, and say what to do with one of another version', patience, async () => {
    const { url, ask } = await makeDatabase();
    const environment = { DATABASE_URL: url, DATA_DIR: newFolder() };
    const none = await runPf(environment, 'health');
    expect(none).toEqual({ code: 1, said: expect.stringContaining('PrivateFans is not set up in this database yet') });
    await migrateUpTo(url, names.length - 1);
    const target = path.join(newFolder(), 'kept');
    for (const verb of [['health'], ['backup', target, '--keys-kept', 'first'], ['export', target]]) {
      const { code, said } = await runPf(environment, ...verb);
      expect([verb[0], code, said]).toEqual([verb[0], 1, expect.stringContaining('from an older version')]);
      expect(existsSync(target)).toBe(false);
    }
    expect((await ask(listApplied)).rowCount).toBe(names.length - 1);
    await migrateUpTo(url, names.length);
    expect(await runPf(environment, 'health')).toMatchObject({ code: 0 });
    expect(await runPf(environment, 'set', 'limits.albums', '7')).toMatchObject({ code: 0 });
    expect((await runPf(environment, 'settings')).said).toContain('* limits.albums = 7\n    default 200 · 1–10000');
    expect(await runPf(environment, 'set', 'limits.albums', 'many')).toMatchObject({ code: 1 });
    await ask(`insert into schema_migrations (name, sha256) values ('9999_later.sql', '')`);
    const newer = await runPf(environment, 'health');
    expect(newer).toEqual({ code: 1, said: expect.stringContaining('newer version (9999_later.sql)') });
  });

  it('begin no installation in an empty folder', patience, async () => {
    const dataDir = newFolder();
    const { code, said } = await runPf({ DATA_DIR: dataDir }, 'health');
    expect([code, said]).toEqual([1, expect.stringContaining(`PrivateFans is not set up in ${dataDir} yet`)]);
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

describe.runIf(inject('outside') === null)('an import into a given database', () => {
  const listTables = `select relname from pg_class where relkind in ('r', 'p', 'S', 'v') and relnamespace in
    (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')`;
  const countUsers = 'set role app_system; select count(*)::int as n from users';
  let moved: string;
  /** The project with one migration more, which fails. */
  let broken: string;

  beforeAll(async () => {
    await signUpCreator(app);
    moved = path.join(folder, 'moved');
    const keys = openKeyRing({ dataDir: newFolder(), pfKeys: secrets.PF_KEYS });
    await exportInstallation({ ...app.engines, keys }, readConfig({ DATA_DIR: newFolder() }), moved);
    broken = path.join(folder, 'broken');
    cpSync(migrations, path.join(broken, 'db/migrations'), { recursive: true });
    writeFileSync(path.join(broken, 'db/migrations/9999_broken.sql'), 'create table later (x integer); select 1 / 0;');
  });
  const bring = (url: string, from = root) => importInstallation(configOf(url), log, from, moved);

  it('leaves it empty when it fails after the rows, and the next one brings everything', patience, async () => {
    const { url, ask } = await makeDatabase();
    await expect(bring(url, broken)).rejects.toThrow('division by zero');
    expect((await ask(listTables)).rows).toEqual([]);
    expect(await bring(url)).toContain('rows and');
    expect(await count(ask)).toBe(1);
    const known = `select reltuples::int as users from pg_class where oid = 'users'::regclass`;
    expect((await ask(known)).rows, 'the database has counted what was brought').toEqual([{ users: 1 }]);
    await expect(bring(url)).rejects.toThrow('This database already has accounts');
    expect(await count(ask)).toBe(1);
  });

  it('cut off, it cannot be started until the next one has cleared it and brought everything', patience, async () => {
    const { url, ask } = await makeDatabase();
    const cut =
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()';
    await expect(
      fillDatabase({ connectionString: url }, async () => {
        await migrateUpTo(url, 3);
        await ask(cut);
      }),
    ).rejects.toThrow();
    await expect(openEngines(configOf(url), log, root)).rejects.toThrow('did not finish');
    expect(await runPf({ DATABASE_URL: url, DATA_DIR: newFolder() }, 'health')).toMatchObject({ code: 1 });
    expect(await bring(url)).toContain('rows and');
    expect(await count(ask)).toBe(1);
    await (await openEngines(configOf(url), log, root)).database.close();
  });

  it('takes nothing away that somebody else put there', patience, async () => {
    const { url, ask } = await makeDatabase();
    await ask('create table theirs (x integer)');
    await expect(bring(url)).rejects.toThrow('This database is not empty (theirs)');
    expect((await ask(listTables)).rows).toEqual([{ relname: 'theirs' }]);
  });

  it('of a newer version is refused in a sentence, before anything is touched', patience, async () => {
    const { url, ask } = await makeDatabase();
    const older = path.join(folder, 'older');
    for (const name of names.slice(0, -1)) cpSync(path.join(migrations, name), path.join(older, 'db/migrations', name));
    await expect(bring(url, older)).rejects.toThrow(`was made by a newer version (${names.at(-1)})`);
    expect((await ask(listTables)).rows).toEqual([]);
  });

  const count = async (ask: (text: string) => Promise<pg.QueryResult>) => {
    const results = (await ask(countUsers)) as unknown as pg.QueryResult<{ n: number }>[];
    return results.at(-1)?.rows[0]?.n;
  };
});
