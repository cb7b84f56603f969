import type { Engines } from '#engines/engines.ts';
import { type Storage, StorageAway } from '#engines/storage/storage.ts';
import type { Track } from '../formats/keys.ts';
import { type PackHeader, packIdBytes, readPackHeader } from '../formats/pack.ts';
import { findStoredPack } from '../packs/packs-store.ts';
import type { StoredPack } from '../stored-pack.ts';
import { createByteLru } from './byte-lru.ts';

/** A stored pack in memory with its header read. */
export interface CachedPack extends StoredPack {
  bytes: Buffer;
  header: PackHeader;
}

/** Whole packs in memory, a bounded number of bytes of them; immutable, so nothing has to be told when they change. */
export interface PackCache {
  /** The pack of a row that the caller has read. @throws StorageMissing when its file is gone, StorageAway when it came damaged */
  take(pack: StoredPack): Promise<CachedPack>;
  /** The pack of this id, from memory or by its row; undefined when there is none. */
  find(packId: string): Promise<CachedPack | undefined>;
  /** Reads the first of these that is not here yet: a store that is away is known before anything is sent. @throws StorageAway */
  readAhead(packs: readonly StoredPack[]): Promise<void>;
  /** Returns what the cache holds. */
  sizeBytes(): number;
}

/**
 * Makes a cache over a storage.
 * @param mostBytes what it may hold; the pack that was asked for longest ago goes first
 */
export function createPackCache(
  storage: Pick<Storage, 'read'>,
  findRow: (packId: string) => Promise<StoredPack | undefined>,
  mostBytes: number,
): PackCache {
  const cache = createByteLru<CachedPack>(mostBytes, ({ bytes }) => bytes.length);
  const load = async (row: StoredPack): Promise<CachedPack> => {
    const bytes = await storage.read(row.path);
    return { ...row, bytes, header: headerOf(row, bytes) };
  };
  const take = (row: StoredPack) => cache.take(row.id, () => load(row));
  return {
    take,
    async find(packId) {
      const known = cache.find(packId);
      if (known !== undefined) return known;
      const row = await findRow(packId);
      return row && take(row);
    },
    async readAhead(packs) {
      const first = packs.find(({ id }) => cache.find(id) === undefined);
      if (first === undefined) return;
      await take(first).catch((error: unknown) => {
        if (error instanceof StorageAway) throw error; // one file that is gone is told in its place
      });
    },
    sizeBytes: cache.sizeBytes,
  };
}

/** @throws StorageAway when what came is not exactly that pack: the next try may bring it */
function headerOf(row: StoredPack, bytes: Buffer): PackHeader {
  try {
    const header = readPackHeader(bytes);
    if (packIdBytes(row.id).equals(header.packId)) return header;
  } catch (error) {
    throw new StorageAway(error);
  }
  throw new StorageAway(new Error('A stored pack is not the one its row names.'));
}

const mostCachedBytes = 256 * 2 ** 20;
const caches = new WeakMap<Engines, PackCache>();

/** The one cache of this process. */
export function packCacheOf(engines: Engines): PackCache {
  const known = caches.get(engines);
  if (known !== undefined) return known;
  const made = createPackCache(engines.storage, (packId) => findStoredPack(engines.database, packId), mostCachedBytes);
  caches.set(engines, made);
  return made;
}

/** Of which track a cached pack is. */
export const trackOf = ({ rendition }: Pick<StoredPack, 'rendition'>) => rendition as Track;
