import { readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const memory = '/dev/shm';
const neededBytes = 3 * 2 ** 30;

/**
 * The folder for databases that end with the tests: in memory, where the machine has enough of it. A database is 1,200 files,
 * and copying one is mostly making them: 750 ms on the disk of a small cloud machine, 50 ms in memory.
 */
export function databaseFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, process.availableMemory()) >= neededBytes ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** No run takes that long. */
const longestRunMs = 6 * 3_600_000;

/** A run that was killed leaves its databases, which would take memory away until the machine is started again. */
export function sweepDatabaseFolder(): void {
  if (databaseFolder() !== memory) return;
  for (const name of readdirSync(memory).filter((one) => one.startsWith('pf-'))) {
    const folder = path.join(memory, name);
    if (Date.now() - statSync(folder).mtimeMs > longestRunMs) rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns whether what is left in a folder takes memory away. */
export const isInMemory = (folder: string): boolean => folder.startsWith(`${memory}/`);
