import type { Engines } from '#engines/engines.ts';
import type { ByteRange, Storage } from '#engines/storage/storage.ts';
import { createShelf } from './byte-lru.ts';

/** Parts of stored videos in memory, a bounded number of bytes of them: who looks at a video is seldom alone. Immutable ciphertext. */
export interface SegmentShelf {
  /** @throws as `Storage.read` does */
  read(path: string, range?: ByteRange): Promise<Buffer>;
  /** What the shelf holds. */
  sizeBytes(): number;
}

/** What an entry costs beside its bytes: whoever asks for single bytes fills the shelf as well. */
export const entryBytes = 1024;

/** Makes a shelf over a storage. @param mostBytes what it may hold; what was asked for longest ago goes first */
export function createSegmentShelf(storage: Pick<Storage, 'read'>, mostBytes: number): SegmentShelf {
  const shelf = createShelf<Buffer>(mostBytes, ({ length }) => length + entryBytes);
  return {
    read: (path, range) =>
      shelf.take(`${path} ${range?.from ?? ''}-${range?.to ?? ''}`, () => storage.read(path, range)),
    sizeBytes: shelf.sizeBytes,
  };
}

const mostShelvedBytes = 64 * 2 ** 20;
const shelves = new WeakMap<Engines, SegmentShelf>();

/** The one shelf of this process. */
export function segmentShelfOf(engines: Engines): SegmentShelf {
  const shelf = shelves.get(engines) ?? createSegmentShelf(engines.storage, mostShelvedBytes);
  shelves.set(engines, shelf);
  return shelf;
}
