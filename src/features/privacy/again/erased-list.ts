import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Engines } from '#engines/engines.ts';
import { deleteSessionsOf } from '#features/accounts/security-store.ts';
import { revokeWithAccount } from '#features/links/revoking.ts';
import { endSales } from '#features/sales/ending.ts';
import { Uuid } from '#kit/uuid.ts';
import { type Erased, eraseAccountAgain, erasePersonAgain, listErased } from './erased-store.ts';

const system = { kind: 'system' } as const;

/** One line for each erasure; beside the database, so that a restored backup does not take it back. */
const listName = 'erased.jsonl';

const Line = z.object({
  id: Uuid,
  at: z.iso.datetime(),
  subjects: z.array(z.object({ kind: z.enum(['creator', 'viewer', 'buyer']), id: Uuid })).max(500),
});

/** Returns the places of the list: in the data folder, and outside of it where there is a folder for backups. */
const placesOf = ({ installation: { dataDir, backupDir } }: Pick<Engines, 'installation'>): string[] =>
  [dataDir, ...(backupDir === undefined ? [] : [backupDir])].map((folder) => path.join(folder, listName));

/** Reads a list; nothing where there is none. A line that was cut off when it was written is left out. */
async function readList(file: string): Promise<Map<string, Erased>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const lines = text.split('\n').flatMap((line) => {
    const read = Line.safeParse(parse(line));
    return read.success ? [read.data] : [];
  });
  return new Map(lines.map((line) => [line.id, line]));
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * Brings the list of everybody who was erased and the database together: who stands in the list and is not erased here was brought
 * back by a backup, and is erased again; who was erased since is added to it.
 * @param more another list @returns how many are erased again
 */
export async function eraseAgain(engines: Engines, more?: string): Promise<number> {
  const { database, clock } = engines;
  const places = placesOf(engines);
  const lists = await Promise.all([...places, ...(more === undefined ? [] : [more])].map(readList));
  const done = new Map((await database.work(system, listErased)).map((erased) => [erased.id, erased]));
  const known = new Map(lists.flatMap((list) => [...list]));
  let count = 0;
  for (const erased of known.values())
    if (!done.has(erased.id) && (await markAgain(engines, erased, new Date(clock())))) count++;
  const all = new Map([...known, ...done]);
  for (const [at, place] of places.entries()) {
    const missing = [...all.values()].filter(({ id }) => lists[at]?.has(id) !== true);
    if (missing.length > 0) await appendFile(place, missing.map((one) => `\n${JSON.stringify(one)}`).join(''));
  }
  return count;
}

async function markAgain(engines: Engines, erased: Erased, now: Date): Promise<boolean> {
  const { database } = engines;
  const creatorId = erased.subjects.find(({ kind }) => kind === 'creator')?.id;
  return database.work(system, async (tx) => {
    if (creatorId === undefined) return erasePersonAgain(tx, erased, now);
    if (!(await eraseAccountAgain(tx, { id: erased.id, userId: creatorId }, now))) return false;
    await revokeWithAccount(engines, tx, { creatorId, now, undoUntil: now });
    await endSales(engines, tx, { sellerId: creatorId });
    await deleteSessionsOf(tx, creatorId);
    return true;
  });
}
