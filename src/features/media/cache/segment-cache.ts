import type { Engines } from '#engines/engines.ts';
import type { ByteRange, Storage } from '#engines/storage/storage.ts';
import { createByteLru } from './byte-lru.ts';

/** Parts of stored videos in memory, a bounded number of bytes of them: who looks at a video is seldom alone. Immutable ciphertext. */
export interface SegmentCache {
  /** @throws as `Storage.read` does */
  read(path: string, range?: ByteRange): Promise<Buffer>;
  /** Returns what the cache holds. */
  sizeBytes(): number;
}

/** What an entry costs beside its bytes: whoever asks for single bytes fills the cache as well. */
export const entryBytes = 1024;

/** Makes a cache over a storage. @param mostBytes what it may hold; what was asked for longest ago goes first */
export function createSegmentCache(storage: Pick<Storage, 'read'>, mostBytes: number): SegmentCache {
  const cache = createByteLru<Buffer>(mostBytes, ({ length }) => length + entryBytes);
  return {
    read: (path, range) =>
      cache.take(`${path} ${range?.from ?? ''}-${range?.to ?? ''}`, () => storage.read(path, range)),
    sizeBytes: cache.sizeBytes,
  };
}

const mostCachedBytes = 64 * 2 ** 20;
const caches = new WeakMap<Engines, SegmentCache>();

/** The one cache of this process. */
export function segmentCacheOf(engines: Engines): SegmentCache {
  const cache = caches.get(engines) ?? createSegmentCache(engines.storage, mostCachedBytes);
  caches.set(engines, cache);
  return cache;
}
