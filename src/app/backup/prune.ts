import { readdirSync, rmSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { logFolderOf } from '#engines/database/archiving.ts';
import { isAlive } from '#engines/database/cluster.ts';
import type { Engines } from '#engines/engines.ts';
import { openDiskStorage } from '#engines/storage/disk.ts';
import { readManifest, syncFolder } from './archive.ts';
import { type Base, basesOf, listBases, namesIn, poolOf } from './backup-folder.ts';

/** What was taken out of a backup folder. */
export interface Pruned {
  bases: number;
  segments: number;
  files: number;
}

/**
 * Takes out of a backup folder what none of its newest bases needs, and never more: older bases, the log before the oldest that
 * stays, and files that no kept base has and no row after it can name.
 * @param keep how many bases stay, at least 1
 */
export async function pruneBackups(
  { storage }: Pick<Engines, 'storage'>,
  backupDir: string,
  keep: number,
): Promise<Pruned> {
  sweepUnfinished(basesOf(backupDir));
  const all = listBases(backupDir);
  const kept = all.slice(-keep);
  for (const base of all.slice(0, -keep)) await removeBase(base);
  return {
    bases: all.length - kept.length,
    segments: await pruneLog(logFolderOf(backupDir), kept),
    files: await prunePool(storage, backupDir, kept),
  };
}

/** First it loses its name: what is left of a base is never taken for one. */
async function removeBase({ folder }: Base): Promise<void> {
  const gone = `${folder}.unfinished.${process.pid}`;
  await rename(folder, gone);
  await syncFolder(path.dirname(folder));
  await rm(gone, { recursive: true });
}

/** What was left by backups and removals that were cut off. */
function sweepUnfinished(bases: string): void {
  for (const name of namesIn(bases)) {
    const pid = /\.unfinished\.(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(path.join(bases, name), { recursive: true, force: true });
  }
}

/** The number of the segment that a file of the log is or belongs to; the short histories of timelines have none, and stay. */
function numberOf(name: string): number | undefined {
  const [, log, part] = /^[0-9A-F]{8}([0-9A-F]{8})([0-9A-F]{8})[.]/.exec(name) ?? [];
  return log === undefined || part === undefined
    ? undefined
    : Number.parseInt(log, 16) * 256 + Number.parseInt(part, 16);
}

async function pruneLog(folder: string, kept: readonly Base[]): Promise<number> {
  const first = Math.min(...kept.map((base) => base.first.number));
  if (!Number.isFinite(first)) return 0;
  const old = readdirSync(folder).filter((name) => (numberOf(name) ?? first) < first);
  for (const name of old) await rm(path.join(folder, name), { force: true });
  return old.length;
}

/**
 * A file that was stored before the oldest kept base began and is not in it had been removed by then, together with the rows
 * that named it.
 */
async function prunePool(storage: Engines['storage'], backupDir: string, kept: readonly Base[]): Promise<number> {
  const [oldest] = kept;
  if (oldest === undefined) return 0;
  const needed = new Set<string>();
  for await (const name of storage.list('')) needed.add(name);
  for (const { folder } of kept)
    for (const { name } of (await readManifest(folder)).files)
      if (name.startsWith('files/')) needed.add(name.slice('files/'.length));
  const root = poolOf(backupDir);
  let count = 0;
  for await (const name of openDiskStorage(root).list('')) {
    if (needed.has(name)) continue;
    const place = path.join(root, name);
    if ((await stat(place)).mtime >= oldest.begunAt) continue;
    await rm(place, { force: true });
    count++;
  }
  return count;
}
