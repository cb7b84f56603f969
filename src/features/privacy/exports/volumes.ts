import { hkdfSync } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import type { ByteRange, Storage } from '#engines/storage/storage.ts';
import { decryptPart, encryptOriginal } from '#features/media/original.ts';

/** Where an export lies: all of it, or one attempt. */
export const folderOf = (exportId: string, attempt?: number): string =>
  attempt === undefined ? `exports/${exportId}/` : `exports/${exportId}/${attempt}/`;

/** An export is stored in files of this size, because a store may take no larger ones. Never changed: finished ones are read by it. */
const usualBytes = 8 * 2 ** 30;

export interface Volumes {
  storage: Storage;
  key: Buffer;
  folder: string;
  volumeBytes?: number;
}

/** A key of its own for each file, so that none can stand in another's place. */
const keyOf = (key: Buffer, number: number): Buffer =>
  Buffer.from(hkdfSync('sha512', key, '', `pf1:export:${number}`, 32));
const pathOf = (folder: string, number: number) => `${folder}${number}.pfo`;

/** Stores a stream encrypted, one chunk of it in memory. @returns how many bytes it was */
export async function storeVolumes(
  { storage, key, folder, volumeBytes = usualBytes }: Volumes,
  source: Readable,
): Promise<number> {
  const chunks = (source as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  let rest: Buffer | undefined;
  let total = 0;
  const next = async () => {
    const chunk = rest ?? (await chunks.next()).value;
    rest = undefined;
    return chunk as Buffer | undefined;
  };
  async function* volume(): AsyncGenerator<Buffer> {
    for (let size = 0; size < volumeBytes; ) {
      const chunk = await next();
      if (chunk === undefined) return;
      const part = chunk.subarray(0, volumeBytes - size);
      if (part.length < chunk.length) rest = chunk.subarray(part.length);
      size += part.length;
      total += part.length;
      yield part;
    }
  }
  for (let number = 0; ; number++) {
    rest = await next();
    if (rest === undefined) return total;
    const plain = Readable.from(volume(), { objectMode: false });
    // Whoever stores it is told of an error by the stream itself.
    const sealed = pipeline(plain, encryptOriginal(keyOf(key, number)), () => undefined);
    await storage.put(pathOf(folder, number), sealed);
  }
}

/** Reads a part of what was stored, a chunk at a time. @throws when a byte was changed, or a file is missing */
export async function* readVolumes(
  { storage, key, folder, volumeBytes = usualBytes }: Volumes,
  sizeBytes: number,
  { from, to }: ByteRange,
): AsyncGenerator<Buffer> {
  for (let number = Math.floor(from / volumeBytes); number <= Math.floor(to / volumeBytes); number++) {
    const beginsAt = number * volumeBytes;
    const size = Math.min(volumeBytes, sizeBytes - beginsAt);
    const part = { from: Math.max(0, from - beginsAt), to: Math.min(size - 1, to - beginsAt) };
    const read = (range: ByteRange) => storage.read(pathOf(folder, number), range);
    yield* decryptPart(keyOf(key, number), size, part, read);
  }
}

/** Removes what lies in a folder. @returns how many files */
export async function removeFiles(storage: Storage, folder: string): Promise<number> {
  let count = 0;
  for await (const path of storage.list(folder)) {
    await storage.remove(path);
    count++;
  }
  return count;
}
