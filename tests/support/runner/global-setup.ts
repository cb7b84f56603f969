import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { type Database, openDatabase } from '#engines/database/database.ts';
import { openJobs } from '#engines/jobs/pg-boss.ts';
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

/**
 * Boots one PostgreSQL for the whole run and prepares the template that each test file copies. With TEST_SERVER=outside it
 * is the server of TEST_DATABASE_URL, or Debian's own.
 */
export async function setup(project: TestProject) {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-tests-'));
  chmodSync(folder, 0o755); // or PostgreSQL's own account could not enter it, when we are root
  openMaterial(path.join(folder, 'material'));
  const isOutside = process.env.TEST_SERVER === 'outside';
  const end = await (isOutside ? prepareOutside(project, folder) : prepareEmbedded(project, folder));
  return async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Nothing in this cluster outlives the run, so nothing has to reach the disk; proofs that kill a server have their own. */
async function waiveDurability({ connection }: Database): Promise<void> {
  const { host, port } = connection;
  const postgres = new pg.Client({ host, port, user: 'postgres', database: 'postgres' });
  await postgres.connect();
  for (const name of ['fsync', 'full_page_writes']) await postgres.query(`alter system set ${name} = off`);
  await postgres.query('select pg_reload_conf()');
  await postgres.end();
}

async function prepareEmbedded(project: TestProject, cluster: string): Promise<() => Promise<void>> {
  const keeper = await openDatabase({ dataDir: cluster, migrations: null, log: quiet });
  await waiveDurability(keeper);
  await fill(await openDatabase({ dataDir: cluster, name: template, migrations, log: quiet }));
  project.provide('cluster', cluster);
  project.provide('template', template);
  project.provide('outside', null);
  return () => keeper.close();
}

async function prepareOutside(project: TestProject, folder: string): Promise<() => Promise<void>> {
  const server = await openOutsidePostgres(folder);
  if (server === undefined) throw new Error(`TEST_SERVER=outside, but there is ${noOutsidePostgres}.`);
  const owner = await makeOutsideOwner(server.url);
  // A server that is not ours may hold a template of somebody else's run.
  const name = `${template}_${new URL(owner.url).username}`;
  const url = await makeOutsideDatabase(owner.url, name);
  await fill(await openDatabase({ url, dataDir: folder, migrations, log: quiet }));
  project.provide('cluster', folder);
  project.provide('template', name);
  project.provide('outside', owner.url);
  return async () => {
    await owner.remove();
    await server.close();
  };
}

/** Adds the queues' tables to the migrated template. */
async function fill(database: Database): Promise<void> {
  const jobs = openJobs({ database, log: { info: quiet, warn: quiet, error: quiet } });
  await jobs.start(false);
  await jobs.stop();
  await database.close();
}
