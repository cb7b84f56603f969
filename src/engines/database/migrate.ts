import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

/** Held while migrating, so that of several processes one applies and the others wait. */
const migrationLock = 7_270_017;

/** Codes of two clusters' processes that make or alter the same role at once: try again. */
const roleRaces = new Set(['23505', '42710', 'XX000', '40P01']);

/** Makes the two roles that rows are seen by; roles belong to the cluster, so several databases may race here. */
async function ensureRoles(client: pg.ClientBase): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      for (const role of ['app_user', 'app_system']) {
        const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
        if (rowCount === 0) await client.query(`create role ${role} nologin nobypassrls`);
      }
      await client.query("do $$ begin execute format('grant app_user, app_system to %I', current_user); end $$");
      return;
    } catch (error) {
      if (tries === 5 || !roleRaces.has((error as { code?: string }).code ?? '')) throw error;
      await wait(50 * tries);
    }
}

const listFiles = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();

const furtherOn = (name: string) => `The database was upgraded by a newer version (${name}). Start that version.`;

/**
 * Brings the database to this version: every file of `folder` in the order of its name, one transaction each.
 * @returns names of the files that were applied now
 * @throws when a file that was applied before has changed or is gone, or a statement fails (its file leaves no trace)
 */
export async function migrate(client: pg.ClientBase, folder: string): Promise<string[]> {
  await client.query(`set lock_timeout = 0; select pg_advisory_lock(${migrationLock})`);
  try {
    await ensureRoles(client);
    await client.query(
      'create table if not exists schema_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_migrations');
    const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
    const files = listFiles(folder);
    const unknown = rows.find(({ name }) => !files.includes(name));
    if (unknown !== undefined) throw new Error(furtherOn(unknown.name));
    const fresh: string[] = [];
    for (const name of files) {
      const text = readFileSync(path.join(folder, name), 'utf8');
      const sha256 = createHash('sha256').update(text).digest('hex');
      const before = applied.get(name);
      if (before !== undefined && before !== sha256)
        throw new Error(`The migration ${name} was changed after it was applied. Restore it and add a new file.`);
      if (before !== undefined) continue;
      await apply(client, name, text, sha256);
      fresh.push(name);
    }
    return fresh;
  } finally {
    await client.query(`select pg_advisory_unlock(${migrationLock})`).catch(() => undefined);
  }
}

async function apply(client: pg.ClientBase, name: string, text: string, sha256: string): Promise<void> {
  const note = () => client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256]);
  if (text.startsWith('-- no transaction')) {
    for (const one of text.split(/;[ \t]*\n/)) if (one.replace(/^--.*$/gm, '').trim() !== '') await client.query(one);
    await note();
    return;
  }
  await client.query(`begin; set local lock_timeout = '5s'`);
  try {
    await client.query(text);
    await note();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/**
 * Returns whether a database is of this version exactly; touches nothing.
 * @param folder the migrations of this version
 * @throws a sentence that says what to do when it is older or newer, or nothing was ever begun in it
 */
export async function checkSchema(connection: pg.PoolConfig, folder: string): Promise<void> {
  const applied = await listMigrations(connection);
  const files = listFiles(folder);
  if (applied.length === 0)
    throw new Error('PrivateFans is not set up in this database yet. Start it once (npm start), then run this again.');
  const unknown = applied.find((name) => !files.includes(name));
  if (unknown !== undefined) throw new Error(furtherOn(unknown));
  const missing = files.find((name) => !applied.includes(name));
  if (missing !== undefined)
    throw new Error(
      `The database is from an older version (${missing} is missing). Run this with that version, or start this one once ` +
        '(npm start), which upgrades the database.',
    );
}

/** Names of the migrations that a database has had; none in one where nothing was ever begun. */
export async function listMigrations(connection: pg.PoolConfig): Promise<string[]> {
  const client = new pg.Client(connection as pg.ClientConfig);
  client.on('error', () => undefined); // what is under way fails with it
  await client.connect();
  try {
    const { rowCount } = await client.query(`select 1 where to_regclass('public.schema_migrations') is not null`);
    if (rowCount === 0) return [];
    const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name');
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
