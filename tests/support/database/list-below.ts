import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';

/** Everything below a folder in which others work: what goes while it is looked at is not there. */
export function listBelow(folder: string): Dirent[] {
  return entriesOf(folder).flatMap((entry) => [
    entry,
    ...(entry.isDirectory() ? listBelow(path.join(folder, entry.name)) : []),
  ]);
}

/** The names of everything below such a folder that is no folder. */
export const filesBelow = (folder: string): string[] =>
  listBelow(folder).flatMap((entry) =>
    entry.isDirectory() ? [] : [path.relative(folder, path.join(entry.parentPath, entry.name))],
  );

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
