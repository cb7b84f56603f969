import { createHash } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { type Database, openDatabase } from '#engines/database/database.ts';

const fixture = path.resolve(import.meta.dirname, '../../fixtures/first-landing');
const wordHash = (words: string) => createHash('sha256').update(words).digest('base64');

/** Who and what is in the installation of the first landing. */
export const firstLanding = {
  environment: { PF_KEYS: `first:${wordHash('first landing')}`, PF_SECRET: wordHash('sessions of the first landing') },
  creator: { email: 'creator@example.com', password: 'YkZmHDj0d7MJSg6H' },
  demoSlug: 'EYSVg9pkMBKbKwyE0wp5H9',
  /** The browser that looked at the demo link then. */
  viewerCookie: ['pf_viewer', 'zkVeVr44MV1-AzCyMg5NMDGcu5W8x3eL8r440h8negs'] as const,
  lastMigration: '0007_insights.sql',
};

/**
 * Puts the installation of the first landing into an empty data folder.
 * @returns its running database, as it was then: closed, it stays where it is
 */
export async function layFirstLanding(dataDir: string): Promise<Database> {
  cpSync(path.join(fixture, 'files'), path.join(dataDir, 'files'), { recursive: true });
  const database = await openDatabase({ dataDir, migrations: null, log: () => undefined });
  const { host, port } = database.connection;
  const admin = new pg.Client({ host, port, user: 'postgres', database: 'pf' } as pg.ClientConfig);
  admin.on('error', () => undefined); // what is under way fails with it
  await admin.connect();
  try {
    // Made by the product's own role, which may then pass them on.
    await admin.query('set session authorization pf');
    for (const role of ['app_user', 'app_system'])
      await admin.query(`create role ${role} nologin nobypassrls; grant ${role} to pf`);
    await admin.query('reset session authorization');
    await admin.query(gunzipSync(readFileSync(path.join(fixture, 'dump.sql.gz'))).toString());
    // Its trials ended with November 2026; whoever comes later would find every link closed.
    await admin.query(
      `update public.users set trial_ends_at = now() + interval '7 days' where trial_ends_at is not null`,
    );
  } finally {
    await admin.end();
  }
  return database;
}
