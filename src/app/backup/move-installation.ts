import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fillDatabase } from '#engines/database/fill-database.ts';
import { exportRows, importRows } from '#engines/database/move-rows.ts';
import type { Engines, Log } from '#engines/engines.ts';
import type { Config } from '../config.ts';
import { bootEngines, migrationsOf, openStorage } from '../engines.ts';
import { declareJobs } from '../jobs.ts';
import { type Manifest, readManifest } from './archive.ts';
import { describeContents, keepInstallation } from './backup.ts';
import { fillInstallation } from './empty-installation.ts';
import { bringFiles, checkPlace } from './restore.ts';

const rowsOf = (table: string) => `rows/${table}.jsonl.gz`;

/**
 * Writes the running installation into a new folder in a form that every engine takes: rows as text, files as they are.
 * @returns what to print @throws a sentence that says what to do
 */
export async function exportInstallation(engines: Engines, config: Config, folder: string): Promise<string> {
  const manifest = await keepInstallation(engines, config, folder, async (draft) => {
    await exportRows(engines.database.connection, (table, lines) => draft.keep(rowsOf(table), lines));
    return { database: 'rows', folders: [] };
  });
  const keys = Object.keys(manifest.keys).join(', ');
  return `${describeContents(manifest, folder)}\nThe master keys (${keys}) are not in it: the new installation needs them too.`;
}

/**
 * Brings an export into an empty installation on whatever engines the environment names: whole, or nothing at all. The
 * database is first brought to the version that exported it, and to this one when the rows are there.
 * @param root folder of the project, where the migrations are
 * @returns what to print @throws a sentence that says what to do
 */
export async function importInstallation(given: Config, log: Log, root: string, folder: string): Promise<string> {
  // What is brought belongs to nobody's backup before it is whole: that begins with the first start.
  const config = { ...given, backupDir: undefined };
  const manifest = await readManifest(folder);
  if (manifest.database !== 'rows') throw new Error('This is a backup: use `npm run pf -- restore`.');
  checkVersion(root, manifest);
  await checkPlace(config, folder, manifest);
  const rows = await fillInstallation(config, () =>
    fillGiven(config, manifest, async () => {
      await bringFiles(await openStorage(config), folder, manifest);
      const count = await bringRows(config, log, root, folder, manifest);
      const engines = await bootEngines(config, log, migrationsOf(root));
      await engines.database.close();
      return count;
    }),
  );
  return `${rows} rows and ${manifest.files.length} files were imported: the state of ${manifest.at}.`;
}

function checkVersion(root: string, { migrations }: Manifest): void {
  const unknown = migrations.find((name) => !existsSync(path.join(migrationsOf(root), name)));
  if (unknown !== undefined)
    throw new Error(
      `This export was made by a newer version (${unknown}). Import it with that version; nothing was changed.`,
    );
}

/** What lies outside the data folder is whole, or as empty as before, as well. */
async function fillGiven<T>(config: Config, manifest: Manifest, fill: () => Promise<T>): Promise<T> {
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  const fillAll = () => (config.S3_BUCKET === undefined ? fill() : fillBucket(config, manifest, fill));
  return url === undefined ? fillAll() : fillDatabase({ connectionString: url }, fillAll);
}

/** What the bucket held before stays in it, and what others store meanwhile: it may be the bucket of the installation that moves. */
async function fillBucket<T>(config: Config, { files }: Manifest, fill: () => Promise<T>): Promise<T> {
  const storage = await openStorage(config);
  const brought = new Set(files.map(({ name }) => name));
  for await (const name of storage.list('')) brought.delete(`files/${name}`);
  try {
    return await fill();
  } catch (error) {
    for await (const name of storage.list('')) if (brought.has(`files/${name}`)) await storage.remove(name);
    throw error;
  }
}

/** Rows go into the tables that they came from, so the database is of their version until they are there. */
async function bringRows(config: Config, log: Log, root: string, folder: string, manifest: Manifest): Promise<number> {
  const migrations = mkdtempSync(path.join(tmpdir(), 'pf-import-'));
  try {
    for (const name of manifest.migrations)
      copyFileSync(path.join(migrationsOf(root), name), path.join(migrations, name));
    const engines = await bootEngines(config, log, migrations);
    try {
      await makeQueues(engines);
      const files = new Set(manifest.files.map(({ name }) => name));
      return await importRows(engines.database.connection, (table) =>
        files.has(rowsOf(table)) ? path.join(folder, rowsOf(table)) : undefined,
      );
    } finally {
      await engines.database.close();
    }
  } finally {
    rmSync(migrations, { recursive: true });
  }
}

/** Waiting jobs need the queues that they wait in. */
async function makeQueues(engines: Engines): Promise<void> {
  const stopJobs = declareJobs(engines);
  await engines.jobs.start(false);
  await stopJobs();
}
