import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { logFolderOf } from '#engines/database/archiving.ts';
import { major } from '#engines/database/cluster.ts';
import { copyCluster } from '#engines/database/copy-cluster.ts';
import { nameSegment } from '#engines/database/log-chain.ts';
import { listMigrations } from '#engines/database/migrate.ts';
import type { Engines } from '#engines/engines.ts';
import { StorageMissing } from '#engines/storage/storage.ts';
import { listNamedFiles } from '#features/media/missing-files-store.ts';
import type { Config } from '../config.ts';
import { beginDraft, type Draft, type Manifest } from './archive.ts';
import { isProbe, listBases, nameBase, openPool, type Pool } from './backup-folder.ts';
import { keyProofs } from './key-proofs.ts';
import { pruneBackups } from './prune.ts';

/** Takes what there is of the database into a draft. @returns what the manifest says of it */
export type TakeDatabase = (draft: Draft) => Promise<Pick<Manifest, 'database' | 'folders'>>;

/**
 * Makes a backup of the running installation in a new folder: whole, or nothing at all.
 * The master keys are never in it: whoever finds a backup finds noise.
 * @param kept ids of the master keys of which the operator has said that a copy is kept elsewhere
 * @returns what to print @throws a sentence that says what to do
 */
export async function backUp(
  engines: Engines,
  config: Config,
  folder: string,
  kept: readonly string[],
): Promise<string> {
  checkKept(engines, config, `${folder} --keys-kept`, kept);
  const isOurs = config.DATABASE_URL === undefined;
  const manifest = await keepInstallation(engines, config, folder, async (draft) =>
    isOurs ? takeCluster(engines, draft) : { database: 'none', folders: [] },
  );
  return [
    describeContents(manifest, folder),
    ...(isOurs
      ? []
      : ['Back up the database yourself, and restore it to the same moment before you run `pf restore`.']),
    'Anything revoked or deleted from now on comes back if this backup is restored: make new ones often and delete old ones.',
  ].join('\n');
}

/**
 * Makes a new base in BACKUP_DIR, from which the log goes on, and takes out what is older than the newest ones.
 * @param keep how many bases stay
 * @returns what to print @throws a sentence that says what to do
 */
export async function backUpBase(
  engines: Engines,
  config: Config,
  kept: readonly string[],
  keep: number,
): Promise<string> {
  const { backupDir } = config;
  if (backupDir === undefined) throw new Error('Give the folder of the backup, or set BACKUP_DIR.');
  checkKept(engines, config, '--keys-kept', kept);
  const folder = nameBase(backupDir, new Date(engines.clock()));
  const pool = await openPool(engines, backupDir);
  const manifest = await keepInstallation(engines, config, folder, (draft) => takeCluster(engines, draft), pool);
  await untilLogIsKept(backupDir, folder);
  const pruned = await pruneBackups(engines, backupDir, keep);
  return [
    describeContents(manifest, folder),
    `Changes from now on are saved to ${logFolderOf(backupDir)} continuously, at most five minutes later.`,
    `Older backups removed: ${pruned.bases} bases, ${pruned.segments} pieces of the log, ${pruned.files} files.`,
  ].join('\n');
}

/** @throws when the last of what the base has of the log does not arrive: then nothing would go on from it */
async function untilLogIsKept(backupDir: string, folder: string): Promise<void> {
  const base = listBases(backupDir).find((one) => one.folder === folder);
  const last = path.join(logFolderOf(backupDir), `${base && nameSegment(base.last)}.gz`);
  for (let tries = 0; !existsSync(last); tries++) {
    if (tries === 600)
      throw new Error(
        `The base is complete, but the log is not arriving in ${path.dirname(last)}, so nothing older was removed. ` +
          'Was the running installation started with this BACKUP_DIR? `npm run pf -- health` says more.',
      );
    await wait(100);
  }
}

/** Master keys are never in a backup. @throws until the operator has said that they are kept elsewhere */
function checkKept(engines: Engines, config: Config, args: string, kept: readonly string[]): void {
  const ids = [...engines.keys.all.keys()];
  if (ids.every((id) => kept.includes(id))) return;
  throw new Error(
    `Nothing was backed up: a backup is useless without its master keys, and they are never in it.\n` +
      `They are in ${keyPlaceOf(config)}. Keep a copy separate from the backups, then confirm it:\n` +
      `  npm run pf -- backup ${args} ${ids.join(',')}`,
  );
}

const keyPlaceOf = (config: Config) =>
  [...(config.PF_KEYS === undefined ? [] : ['PF_KEYS']), path.join(config.dataDir, 'keys.json')].join(', then ');

/**
 * Keeps files, then the database, then the files that came meanwhile: a file is stored before a row names it, and is only
 * removed when no row does.
 * @param pool where the files lie already, on the disk of the backup
 */
export async function keepInstallation(
  engines: Engines,
  config: Config,
  folder: string,
  takeDatabase: TakeDatabase,
  pool?: Pool,
): Promise<Manifest> {
  if (!path.relative(config.dataDir, folder).startsWith('..'))
    throw new Error(`${folder} is inside DATA_DIR and would be lost with it. Choose a folder elsewhere.`);
  const draft = await beginDraft(folder);
  try {
    await keepFiles(engines, config, draft, pool);
    const taken = await takeDatabase(draft);
    const at = new Date(engines.clock()).toISOString();
    const named = await listNamed(engines);
    await keepFiles(engines, config, draft, pool);
    await checkNamed(engines, draft, named);
    const migrations = await listMigrations(engines.database.connection);
    return await draft.seal({ ...taken, at, postgres: major, migrations, keys: keyProofs(engines.keys) });
  } catch (error) {
    await draft.drop();
    throw error;
  }
}

async function takeCluster({ installation }: Engines, draft: Draft): Promise<Pick<Manifest, 'database' | 'folders'>> {
  const folders = await copyCluster(installation.dataDir, (name, source) => draft.keep(`pg/${name}`, source));
  return { database: 'cluster', folders };
}

async function keepFiles({ storage }: Engines, config: Config, draft: Draft, pool: Pool | undefined): Promise<void> {
  for await (const name of storage.list('')) {
    if (isPassing(name)) continue;
    const kept = `files/${name}`;
    if (draft.has(kept)) continue;
    try {
      const pooled = await pool?.keep(name);
      if (pooled !== undefined) await draft.share(kept, pooled);
      else if (config.S3_BUCKET === undefined) await draft.share(kept, path.join(config.dataDir, 'files', name));
      else await draft.keep(kept, await storage.open(name));
    } catch (error) {
      if (!(await isGone(storage, name))) throw error;
    }
  }
}

/** What is built from the rest and gone in a week: exports. */
const isPassing = (name: string): boolean => name.startsWith('exports/') || isProbe(name);

/** Removed since it was listed, together with the row that named it. */
const isGone = (storage: Engines['storage'], name: string): Promise<boolean> =>
  storage.open(name).then(
    (stream) => {
      stream.destroy();
      return false;
    },
    (error: unknown) => error instanceof StorageMissing,
  );

const listNamed = ({ database }: Engines) => database.work({ kind: 'system' }, (tx) => listNamedFiles(tx));

/** @throws when a row names a file that the backup does not have, and still names it now */
async function checkNamed(engines: Engines, draft: Draft, named: readonly string[]): Promise<void> {
  const isMissing = (name: string) => !draft.has(`files/${name}`);
  if (!named.some(isMissing)) return;
  const now = new Set(await listNamed(engines));
  const missing = named.filter((name) => isMissing(name) && now.has(name));
  if (missing.length > 0)
    throw new Error(
      `Nothing was backed up: the database refers to ${missing.length} files that are not stored, the first is ${missing[0]}.`,
    );
}

/** What is in a backup, in words. */
export function describeContents({ files, at }: Manifest, folder: string): string {
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return `${path.resolve(folder)} holds the state of ${at}: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, each with its hash.`;
}
