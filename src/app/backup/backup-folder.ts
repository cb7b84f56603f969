import { readdirSync } from 'node:fs';
import { access, link, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readSegment, type Segment } from '#engines/database/log-chain.ts';
import type { Engines, Installation } from '#engines/engines.ts';
import { openDiskStorage } from '#engines/storage/disk.ts';
import { StorageMissing } from '#engines/storage/storage.ts';
import { syncFolder } from './archive.ts';

/** A backup in BACKUP_DIR from which the log can be replayed. */
export interface Base {
  folder: string;
  /** When it was begun, which is its name. */
  begunAt: Date;
  /** What it has of the log itself: it is whole from `first` to `last`, and goes on after that. */
  first: Segment;
  last: Segment;
}

/** Where the stored files are kept that came since a base, and those of all kept bases. */
export const poolOf = (backupDir: string) => path.join(backupDir, 'files');
/** A file that is written again whenever all stored files have been kept: its time says when that was. */
export const filesNoteOf = (backupDir: string) => path.join(backupDir, 'files-kept');
/** Returns where the bases are. */
export const basesOf = (backupDir: string) => path.join(backupDir, 'bases');

/** The folder of a base that is begun now. */
export const nameBase = (backupDir: string, begunAt: Date) =>
  path.join(basesOf(backupDir), begunAt.toISOString().replaceAll(':', '-'));

/** The finished bases, the oldest first. */
export function listBases(backupDir: string): Base[] {
  return namesIn(basesOf(backupDir))
    .sort()
    .flatMap((name) => {
      const [, day, hour, minute, rest] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3}Z)$/.exec(name) ?? [];
      const folder = path.join(basesOf(backupDir), name);
      const segments = namesIn(path.join(folder, 'pg/pg_wal')).sort().map(readSegment).filter(isSegment);
      const [first, last] = [segments[0], segments.at(-1)];
      if (day === undefined || first === undefined || last === undefined) return [];
      return [{ folder, begunAt: new Date(`${day}T${hour}:${minute}:${rest}`), first, last }];
    });
}

const isSegment = (segment: Segment | undefined): segment is Segment => segment !== undefined;

/** Returns what is in a folder; nothing is in one that is not there. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The files of the log that are kept, without the ending that says how. */
export const logNames = (folder: string) =>
  namesIn(folder).flatMap((name) => (name.endsWith('.gz') ? [name.slice(0, -'.gz'.length)] : []));

const isThere = (place: string) =>
  access(place).then(
    () => true,
    () => false,
  );

/** Where stored files go one by one: by a second name where the file system can, else as a copy. */
export interface Pool {
  /** @returns where the kept file is; undefined when it was removed from the store meanwhile */
  keep(name: string): Promise<string | undefined>;
}

/** The store, and where its files lie when it is a disk. */
type Stored = Pick<Engines, 'storage'> & { installation: Pick<Installation, 'dataDir'> };

/** Opens the pool of a backup folder beside the app whose files it keeps. */
export async function openPool({ storage, installation }: Stored, backupDir: string): Promise<Pool> {
  const root = poolOf(backupDir);
  await mkdir(root, { recursive: true, mode: 0o700 });
  const pool = openDiskStorage(root);
  /** In a bucket there is no file to link, on another disk no link. */
  const isLinked = async (name: string, place: string) => {
    await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
    try {
      await link(path.join(installation.dataDir, 'files', name), place);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EEXIST';
    }
    await syncFolder(path.dirname(place));
    return true;
  };
  return {
    async keep(name) {
      const place = path.join(root, name);
      if ((await isThere(place)) || (await isLinked(name, place))) return place;
      try {
        await pool.put(name, await storage.open(name));
        return place;
      } catch (error) {
        if (error instanceof StorageMissing) return undefined;
        throw error;
      }
    },
  };
}

/** Returns whether a file is only there to see whether the store works. */
export const isProbe = (name: string): boolean => name.startsWith('pulse/');

/** Brings what was stored since the last time into the backup folder. @returns how many files were there to look at */
export async function keepNewFiles(stored: Stored, backupDir: string): Promise<number> {
  const pool = await openPool(stored, backupDir);
  let count = 0;
  for await (const name of stored.storage.list('')) {
    if (isProbe(name)) continue;
    await pool.keep(name);
    count++;
  }
  await writeFile(filesNoteOf(backupDir), `${count}\n`);
  return count;
}
