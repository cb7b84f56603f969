import { createReadStream } from 'node:fs';
import path from 'node:path';
import { layCluster } from '#engines/database/copy-cluster.ts';
import { openDatabase } from '#engines/database/database.ts';
import type { Log } from '#engines/engines.ts';
import type { Storage } from '#engines/storage/storage.ts';
import { countUsers } from '#features/accounts/store.ts';
import { listNamedFiles } from '#features/media/missing-files-store.ts';
import type { Config } from '../config.ts';
import { openStorage } from '../engines.ts';
import { checkFiles, copyCounted, type Manifest, readManifest } from './archive.ts';
import { checkEmpty, checkKeys, fillInstallation } from './empty-installation.ts';

/**
 * Brings a backup back into an empty data folder: whole, or nothing at all. Everything is checked before anything is touched,
 * and the database is started and counted before it is called done.
 * @returns what to print @throws a sentence that says what to do
 */
export async function restore(config: Config, log: Log, folder: string): Promise<string> {
  const manifest = await readManifest(folder);
  checkKind(config, manifest);
  await checkPlace(config, folder, manifest);
  return fillInstallation(config, async () => {
    await bringFiles(await openStorage(config), folder, manifest);
    if (manifest.database === 'cluster') (await bringCluster(config.dataDir, folder, manifest)).handOver();
    return `${await countRestored(config, log, manifest)}\nIt is the state of ${manifest.at}: anything revoked later is open again.`;
  });
}

/** @throws when the environment is of another kind than what was backed up */
export function checkKind({ DATABASE_URL }: Config, { database }: Manifest): void {
  if (database === 'rows') throw new Error('This is an export: use `npm run pf -- import`.');
  if (database === 'cluster' && DATABASE_URL !== undefined)
    throw new Error(
      'This backup holds an embedded database. Restore it without DATABASE_URL; to move to another server, export it there.',
    );
  if (database === 'none' && DATABASE_URL === undefined)
    throw new Error(
      'This backup is of an installation with DATABASE_URL. Set it to the database that you have restored.',
    );
}

/**
 * Returns whether everything is there and nothing is in the way; touches nothing.
 * @param more names of files that may come beside those of the manifest
 * @throws a sentence that says what to do
 */
export async function checkPlace(
  config: Config,
  folder: string,
  manifest: Manifest,
  more: ReadonlySet<string> = new Set(),
): Promise<void> {
  checkEmpty(config);
  checkKeys(config, manifest);
  if (config.S3_BUCKET !== undefined) await checkBucket(await openStorage(config), manifest, more);
  await checkFiles(folder, manifest);
}

async function checkBucket(storage: Storage, { files }: Manifest, more: ReadonlySet<string>): Promise<void> {
  const ours = new Set(files.map(({ name }) => name));
  for await (const name of storage.list(''))
    if (!ours.has(`files/${name}`) && !more.has(name))
      throw new Error(`The ${storage.place} holds other files (${name}). Choose an empty one; nothing was changed.`);
}

/** Stores the encrypted files of a backup. */
export async function bringFiles(storage: Storage, folder: string, { files }: Manifest): Promise<void> {
  for (const { name, sizeBytes } of files)
    if (name.startsWith('files/'))
      await storage.put(name.slice('files/'.length), createReadStream(path.join(folder, name)), sizeBytes);
}

/** Lays the cluster of a backup into a data folder. @returns its folder, and what gives it to the server's account */
export async function bringCluster(
  dataDir: string,
  folder: string,
  { files, folders }: Manifest,
): Promise<ReturnType<typeof layCluster>> {
  const cluster = layCluster(dataDir, folders);
  for (const { name, sha256 } of files) {
    if (!name.startsWith('pg/')) continue;
    const copied = await copyCounted(createReadStream(path.join(folder, name)), path.join(cluster.data, name.slice(3)));
    if (copied.sha256 !== sha256) throw new Error(`${name} changed while it was being restored.`);
  }
  return cluster;
}

/**
 * Starts the database that was brought and compares it with the files.
 * @returns what was counted @throws when a row names a file that was not in the backup
 */
async function countRestored(config: Config, log: Log, manifest: Manifest): Promise<string> {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, dataDir } = config;
  const words = (text: string) => log.info({ engine: 'database' }, text.trim());
  const database = await openDatabase({ url, directUrl, dataDir, migrations: null, log: words });
  try {
    const [accounts, named] = await database.work({ kind: 'system' }, async (tx) => [
      await countUsers(tx),
      await listNamedFiles(tx),
    ]);
    const brought = new Set(manifest.files.map(({ name }) => name));
    const missing = named.filter((name) => !brought.has(`files/${name}`));
    if (missing.length > 0)
      throw new Error(
        `The database refers to ${missing.length} files that this backup does not have, the first is ${missing[0]}. ` +
          (manifest.database === 'none' ? `Restore your database to ${manifest.at} first.` : 'Use another one.'),
      );
    return `${accounts} accounts and ${named.length} stored files are in ${dataDir}.`;
  } finally {
    await database.close();
  }
}
