import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

let folder: string;
let database: Database;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'pf-migrations-'));
  const name = `migrate_${randomUUID().slice(0, 8)}`;
  database = await openDatabase({ dataDir: inject('cluster'), name, migrations: null, log: () => undefined });
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);

/** One process's migration: a connection of its own. */
async function run(): Promise<string[]> {
  const client = new pg.Client(database.connection as pg.ClientConfig);
  await client.connect();
  try {
    return await migrate(client, folder);
  } finally {
    await client.end();
  }
}

async function ask(text: string) {
  const client = new pg.Client(database.connection as pg.ClientConfig);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('migrations', () => {
  it('are applied once, in the order of their names', async () => {
    write('0002_b.sql', 'alter table a add column y integer;');
    write('0001_a.sql', 'create table a (x integer);');
    expect(await run()).toEqual(['0001_a.sql', '0002_b.sql']);
    expect(await run()).toEqual([]);
    write('0003_c.sql', 'alter table a add column z integer;');
    expect(await run()).toEqual(['0003_c.sql']);
  });

  it('are applied by one of several processes that start together (drizzle migrate)', async () => {
    write('0001_a.sql', 'create table a (x integer); select pg_sleep(0.1);');
    const all = await Promise.all([run(), run(), run(), run()]);
    expect(all.flat()).toEqual(['0001_a.sql']);
  });

  it('stop the start when an applied file was changed or is gone', async () => {
    write('0001_a.sql', 'create table a (x integer);');
    write('0002_b.sql', 'create table b (x integer);');
    await run();
    write('0001_a.sql', 'create table a (x bigint);');
    await expect(run()).rejects.toThrow('0001_a.sql was changed after it was applied');
    write('0001_a.sql', 'create table a (x integer);');
    rmSync(path.join(folder, '0002_b.sql'));
    await expect(run()).rejects.toThrow(/newer version \(0002_b\.sql\)/);
  });

  it('leave no trace of a file that fails, and keep those before it', async () => {
    write('0001_a.sql', 'create table a (x integer);');
    write('0002_b.sql', 'create table b (x integer); create table a (x integer);');
    await expect(run()).rejects.toThrow('Migration 0002_b.sql: relation "a" already exists');
    expect(await ask(`select to_regclass('a') is not null as a, to_regclass('b') is not null as b`)).toEqual([
      { a: true, b: false },
    ]);
    write('0002_b.sql', 'create table b (x integer);');
    expect(await run()).toEqual(['0002_b.sql']);
  });

  it('may build an index without a transaction', async () => {
    write('0001_a.sql', 'create table a (x integer, y integer);');
    write(
      '0002_i.sql',
      '-- no transaction\ncreate index concurrently if not exists a_x on a (x);\ncreate index concurrently if not exists a_y on a (y);\n',
    );
    expect(await run()).toEqual(['0001_a.sql', '0002_i.sql']);
    expect(await ask(`select count(*)::int as n from pg_indexes where tablename = 'a'`)).toEqual([{ n: 2 }]);
  });
});
