import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '#engines/database/database.ts';
import { openJobs } from '#engines/jobs/pg-boss.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Data folder of the one embedded PostgreSQL of this run. */
    cluster: string;
    /** Database that every test file copies: migrated, with the queues' tables. */
    template: string;
  }
}

/** Boots one PostgreSQL for the whole run and prepares the template that each test file copies. */
export async function setup(project: TestProject) {
  const cluster = mkdtempSync(path.join(tmpdir(), 'pf-tests-'));
  chmodSync(cluster, 0o755); // or PostgreSQL's own account could not enter it, when we are root
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const keeper = await openDatabase({ dataDir: cluster, migrations: null, log: () => undefined });
  const template = await openDatabase({
    dataDir: cluster,
    name: 'template_house',
    migrations: path.resolve('db/migrations'),
    log: () => undefined,
  });
  const jobs = openJobs({ database: template, log });
  await jobs.start(false);
  await jobs.stop();
  await template.close();
  project.provide('cluster', cluster);
  project.provide('template', 'template_house');
  return async () => {
    await keeper.close();
    rmSync(cluster, { recursive: true, force: true });
  };
}
