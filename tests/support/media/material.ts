import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * What several tests of one run need and nobody changes – drawn clips, marked packs – is made once: whoever needs it first leaves it
 * in this folder, which goes with the run. Without one, as in a journey, everything is made again.
 */
const variable = 'PF_TEST_MATERIAL';

/** Has the tests of this run share what they make. @param folder one that goes with the run */
export function openMaterial(folder: string): void {
  mkdirSync(folder, { recursive: true });
  process.env[variable] = folder;
}

/** @param recipe everything that decides what comes out */
function fileOf(recipe: unknown): string | undefined {
  const folder = process.env[variable];
  return folder && path.join(folder, createHash('sha256').update(JSON.stringify(recipe)).digest('hex'));
}

/** Returns what was made by this recipe in this run; undefined when nobody has made it yet. */
export function findMade(recipe: unknown): Buffer | undefined {
  const file = fileOf(recipe);
  if (file === undefined) return undefined;
  try {
    return readFileSync(file);
  } catch {
    return undefined; // whoever needs it makes it
  }
}

/** Leaves what was made for others. Two who make it at once leave it one after the other, each of them whole. @returns the same bytes */
export function keepMade(recipe: unknown, bytes: Buffer): Buffer {
  const file = fileOf(recipe);
  if (file === undefined) return bytes;
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, bytes);
  renameSync(draft, file);
  return bytes;
}
