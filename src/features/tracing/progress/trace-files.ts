import { pipeline, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { type Storage, StorageAway, StorageMissing } from '#engines/storage/storage.ts';
import { decryptOriginal, encryptOriginal, storedOriginalBytes } from '#features/media/original.ts';
import type { Reading } from '../findings.ts';

/** What is kept of a copy beside its row, each file encrypted under the trace's own key. */
export type TraceFile = 'leak' | 'preview' | 'original' | 'readings';

const folderOf = (traceId: string) => `traces/${traceId}/`;
/** The last part of a file's path. */
export const fileNameOf = (file: TraceFile) => `${file}.pfo`;
const pathOf = (traceId: string, file: TraceFile) => `${folderOf(traceId)}${fileNameOf(file)}`;

/** A trace and the key of its files. */
export interface TraceFiles {
  traceId: string;
  key: Buffer;
}

/** Stores a file whole or not at all. @param sizeBytes what it must come to */
export async function putTraceFile(
  storage: Storage,
  { traceId, key }: TraceFiles,
  file: TraceFile,
  bytes: Readable | Buffer,
  sizeBytes: number,
): Promise<void> {
  const plain = Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes;
  // The store hears of whatever breaks on the way.
  const sealed = pipeline(plain, encryptOriginal(key), () => undefined);
  await storage.put(pathOf(traceId, file), sealed, storedOriginalBytes(sizeBytes));
}

/** A file in the clear, from its beginning. */
export async function openTraceFile(
  storage: Storage,
  { traceId, key }: TraceFiles,
  file: TraceFile,
): Promise<Readable> {
  const plain = decryptOriginal(key);
  const stored = await storage.open(pathOf(traceId, file));
  plain.once('close', () => stored.destroy()); // who stops reading in the middle leaves no open file behind
  return stored.on('error', (error) => plain.destroy(new StorageAway(error))).pipe(plain);
}

/** A small file in the clear; undefined when there is none. */
export async function readTraceFile(storage: Storage, files: TraceFiles, file: TraceFile): Promise<Buffer | undefined> {
  try {
    return await buffer(await openTraceFile(storage, files, file));
  } catch (error) {
    if (error instanceof StorageMissing) return undefined;
    throw error;
  }
}

/** Removes one file of a trace; there may be none. */
export const removeTraceFile = (storage: Storage, traceId: string, file: TraceFile): Promise<void> =>
  storage.remove(pathOf(traceId, file));

/** Removes everything that is stored of a trace. @returns how many files */
export async function removeTraceFiles(storage: Storage, traceId: string): Promise<number> {
  let files = 0;
  for await (const path of storage.list(folderOf(traceId))) {
    await storage.remove(path);
    files++;
  }
  return files;
}

const numbers = z.array(z.number()).transform((list) => Float64Array.from(list));

/** Readings as a file and in an evidence file. */
export const StoredReadings = z.array(
  z.object({
    mediaId: z.uuid(),
    track: z.enum(['p2048', 'thumb512', 'poster', 'posterthumb', 'storyboard', 'v720', 'v480', 'audio']),
    columns: z.int(),
    rows: z.int(),
    z: numbers,
    visible: numbers,
  }),
);

/** Readings in the form of `StoredReadings`: every number as it was weighed. */
export const writeReadings = (readings: readonly Reading[]) =>
  readings.map(({ z: clearness, visible, ...rest }) => ({
    ...rest,
    z: Array.from(clearness),
    visible: Array.from(visible),
  }));
