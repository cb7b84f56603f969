import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { DatabaseAway } from '#engines/database/away.ts';
import type { Engines } from '#engines/engines.ts';
import { StorageAway } from '#engines/storage/storage.ts';
import { insertAudit } from '#features/audit/store.ts';
import type { MadePack } from '../decoding/photo-decoder.ts';
import { findMediaKey } from '../keys-store.ts';
import { decryptOriginal } from '../original.ts';
import { beginProcessing, forgetAttempt, listPackPaths, type PackRow } from '../store.ts';
import { retryLater } from './retry-later.ts';

/**
 * How often one medium is begun before it counts as out of time. A child that dies over it is counted elsewhere: here only the
 * whole server died, which is hardly the file's fault, but one that ends it each time must not do so for ever.
 */
const mostAttempts = 10;

/** One try to make a medium ready. */
export interface Attempt {
  mediaId: string;
  creatorId: string;
  /** Which try it is; only the last one may write what it made. */
  number: number;
  /** How often it has run out of time before. */
  timeouts: number;
  mediaKey: Buffer;
  /** Size of the original, and where it lies. */
  sizeBytes: number;
  originalPath: string;
}

/**
 * Tries once to make a medium ready, with nothing left in storage of earlier tries; does nothing where there is nothing to do
 * (any more). A try that fails because a store was away, or with an error that `isNoFault`, says nothing about the file and
 * does not count.
 */
export async function tryOnce(
  engines: Engines,
  mediaId: string,
  isNoFault: (error: unknown) => boolean,
  work: (attempt: Attempt) => Promise<void>,
): Promise<void> {
  const { database } = engines;
  const begun = await beginAttempt(engines, mediaId);
  if (begun === undefined) return;
  try {
    await tidyAfterTheDead(engines, begun);
    if (begun.number <= mostAttempts * (1 + begun.timeouts)) await work(begun);
    else await retryLater(engines, { ...begun, words: 'the server ended over it too often' });
  } catch (error) {
    if (error instanceof StorageAway || error instanceof DatabaseAway || isNoFault(error))
      // When even this cannot be written, it counts.
      await database.work({ kind: 'system' }, (tx) => forgetAttempt(tx, begun)).catch(() => undefined);
    throw error;
  }
}

async function beginAttempt({ database, keys }: Engines, mediaId: string): Promise<Attempt | undefined> {
  const begun = await database.work({ kind: 'system' }, async (tx) => {
    const row = await beginProcessing(tx, mediaId);
    return row && { row, mediaKey: await findMediaKey(tx, keys, mediaId) };
  });
  if (begun === undefined) return undefined;
  const { row, mediaKey } = begun;
  if (mediaKey === undefined || row.original_path === null) throw new Error('A medium without its key or original.');
  return {
    mediaId,
    creatorId: row.creator_id,
    number: row.attempts,
    timeouts: row.timeouts,
    mediaKey,
    sizeBytes: row.bytes,
    originalPath: row.original_path,
  };
}

/** Removes what was stored by attempts that died, of taking the upload over or of processing it. */
async function tidyAfterTheDead(engines: Engines, { mediaId, originalPath }: Attempt): Promise<void> {
  const files = await removeLeftovers(engines, mediaId, originalPath);
  if (files === 0) return;
  engines.log.info({ mediaId, files }, 'files that no row names were removed');
  const target = { type: 'medium', id: mediaId };
  await engines.database.work({ kind: 'system' }, (tx) =>
    insertAudit(tx, { actor: { type: 'system' }, action: 'media.leftovers_removed', target, details: { files } }),
  );
}

/** Removes what is stored of a medium and no row names. @returns how many files */
export async function removeLeftovers(
  { storage, database }: Engines,
  mediaId: string,
  originalPath: string,
): Promise<number> {
  const named = new Set(await database.work({ kind: 'system' }, (tx) => listPackPaths(tx, mediaId)));
  let files = 0;
  for await (const path of storage.list(`media/${mediaId}/`)) {
    if (path === originalPath || named.has(path)) continue;
    await storage.remove(path);
    files++;
  }
  return files;
}

/** The original, decrypted; fails with StorageAway where the store does. */
export async function openOriginal(
  { storage }: Engines,
  { mediaKey, originalPath }: Pick<Attempt, 'mediaKey' | 'originalPath'>,
): Promise<Readable> {
  const plain = decryptOriginal(mediaKey);
  const stored = await storage.open(originalPath);
  plain.once('close', () => stored.destroy()); // who stops reading in the middle leaves no open file behind
  return stored.on('error', (error) => plain.destroy(new StorageAway(error))).pipe(plain);
}

/** A finished pack as its row will name it. */
export const packRowOf = (mediaId: string, { track, packId, bytes, header }: MadePack): PackRow => ({
  id: packId,
  rendition: track,
  path: `media/${mediaId}/${packId}.pfp`,
  sizeBytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest(),
  width: header.width,
  height: header.height,
  columns: header.columns,
  rows: header.rows,
});
