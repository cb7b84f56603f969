import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { type Database, openDatabase } from '#engines/database/database.ts';
import { openJobs } from '#engines/jobs/pg-boss.ts';
import { databaseFolder, sweepDatabaseFolder } from '../database/database-folder.ts';
import {
  makeOutsideDatabase,
  makeOutsideOwner,
  noOutsidePostgres,
  openOutsidePostgres,
} from '../database/outside-postgres.ts';
import { openMaterial } from '../media/material.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Data folder of the one embedded PostgreSQL of this run. */
    cluster: string;
    /** Database that every test file copies: migrated, with the queues' tables. */
    template: string;
    /** Address of another server's user who owns the template; null in a run on the embedded server. */
    outside: string | null;
  }
}

const template = 'template_app';
const migrations = path.resolve('db/migrations');
const quiet = () => undefined;

/** What the tests of a run are told, and how it ends. */
interface Ground {
  reported: Pick<ProvidedContext, 'cluster' | 'template' | 'outside'>;
  end(): Promise<void>;
}

/** Each kind of tests loads this file again: what they share stands beside it. */
const shared = globalThis as typeof globalThis & { ground?: Promise<Ground>; grounded?: number };

/**
 * Boots one PostgreSQL for the whole run and prepares the template that each test file copies. With TEST_SERVER=outside it
 * is the server of TEST_DATABASE_URL, or Debian's own.
 */
export async function setup(project: TestProject) {
  shared.ground ??= openGround();
  shared.grounded = (shared.grounded ?? 0) + 1;
  const { reported, end } = await shared.ground;
  for (const name of ['cluster', 'template', 'outside'] as const) project.provide(name, reported[name]);
  return async () => {
    shared.grounded = (shared.grounded ?? 0) - 1;
    if (shared.grounded === 0) await end();
  };
}

async function openGround(): Promise<Ground> {
  sweepDatabaseFolder();
  const folders = [tmpdir(), databaseFolder()].map((place) => mkdtempSync(path.join(place, 'pf-tests-')));
  const [folder = '', cluster = ''] = folders;
  for (const each of folders) chmodSync(each, 0o755); // or PostgreSQL's own account could not enter it, when we are root
  openMaterial(path.join(folder, 'material'));
  const { reported, end } = await (process.env.TEST_SERVER === 'outside'
    ? prepareOutside(folder)
    : prepareEmbedded(cluster));
  return {
    reported,
    async end() {
      await end();
      for (const each of folders) rmSync(each, { recursive: true, force: true });
    },
  };
}

/**
 * Nothing in this cluster outlives the run, so nothing has to reach the disk; proofs that kill a server have their own. On a disk
 * the databases of files that are over stay, and need not be looked after each minute.
 */
async function waiveDurability({ connection }: Database): Promise<void> {
  const { host, port } = connection;
  const postgres = new pg.Client({ host, port, user: 'postgres', database: 'postgres' });
  await postgres.connect();
  const settings = ['fsync = off', 'full_page_writes = off', "autovacuum_naptime = '10min'", "max_wal_size = '256MB'"];
  for (const setting of settings) await postgres.query(`alter system set ${setting}`);
  await postgres.query('select pg_reload_conf()');
  await postgres.end();
}

async function prepareEmbedded(cluster: string): Promise<Ground> {
  const server = await openDatabase({ dataDir: cluster, migrations: null, log: quiet });
  await waiveDurability(server);
  await fill(await openDatabase({ dataDir: cluster, name: template, migrations, log: quiet }));
  return { reported: { cluster, template, outside: null }, end: () => server.close() };
}

async function prepareOutside(folder: string): Promise<Ground> {
  const server = await openOutsidePostgres(folder);
  if (server === undefined) throw new Error(`TEST_SERVER=outside, but there is ${noOutsidePostgres}.`);
  const owner = await makeOutsideOwner(server.url);
  // A server that is not ours may hold a template of somebody else's run.
  const name = `${template}_${new URL(owner.url).username}`;
  const url = await makeOutsideDatabase(owner.url, name);
  await fill(await openDatabase({ url, dataDir: folder, migrations, log: quiet }));
  const end = async () => {
    await owner.remove();
    await server.close();
  };
  return { reported: { cluster: folder, template: name, outside: owner.url }, end };
}

/** Adds the queues' tables to the migrated template. */
async function fill(database: Database): Promise<void> {
  const jobs = openJobs({ database, log: { info: quiet, warn: quiet, error: quiet } });
  await jobs.start(false);
  await jobs.stop();
  await database.close();
}
