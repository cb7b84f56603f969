import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';

interface Folders {
  DATA_DIR?: string | undefined;
  BACKUP_DIR?: string | undefined;
}

/** The folder itself, or the one in which it would be made. */
function nearestOf(folder: string): string {
  let nearest = path.resolve(folder);
  while (!existsSync(nearest)) nearest = path.dirname(nearest);
  return nearest;
}

/** Returns what keeps a folder from being there and being written into. */
function folderTroubles(folder: string): string[] {
  const nearest = nearestOf(folder);
  if (!statSync(nearest).isDirectory()) return [`${nearest} is not a folder`];
  try {
    accessSync(nearest, constants.W_OK | constants.X_OK);
    return [];
  } catch {
    return [`${nearest} is not writable`];
  }
}

/** What is wrong with the folder of the data. */
export const dataTroubles = ({ DATA_DIR }: Folders): string[] =>
  DATA_DIR === undefined ? [] : folderTroubles(DATA_DIR);

/** What is wrong with the folder of the backups. @param isOutside the database is not ours */
export function backupTroubles({ BACKUP_DIR, DATA_DIR = '' }: Folders, isOutside: boolean): string[] {
  if (BACKUP_DIR === undefined) return [];
  if (isOutside) return ['does not work with DATABASE_URL: back up that database yourself'];
  const folder = path.resolve(BACKUP_DIR);
  const [first] = path.relative(path.resolve(DATA_DIR), folder).split(path.sep);
  if (first !== '..') return [`${folder} is inside DATA_DIR and would be lost with it`];
  return folderTroubles(folder);
}
