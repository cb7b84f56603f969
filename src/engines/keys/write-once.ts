import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file for its owner alone, complete or not at all, and the first of two processes wins: a link never replaces what is there. */
export function writeOnce(file: string, text: string): void {
  const draft = writeDraft(file, text);
  try {
    linkSync(draft, file);
  } catch (error) {
    // Some file systems know no hard links: there the whole draft takes the name at once.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(dirname(file));
}

/** Writes a file for its owner alone in place of another one: whoever reads it finds the old or the new, whole. */
export function replaceFile(file: string, text: string): void {
  renameSync(writeDraft(file, text), file);
  syncFolder(dirname(file));
}

function writeDraft(file: string, text: string): string {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return draft;
}

/** Makes the new name itself survive a power cut; Windows has no such call. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
