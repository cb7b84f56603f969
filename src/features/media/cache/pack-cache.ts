import type { Engines } from '#engines/engines.ts';
import { type Storage, StorageAway } from '#engines/storage/storage.ts';
import type { Track } from '../keys.ts';
import { type PackHeader, packIdBytes, readPackHeader } from '../pack.ts';
import { findStoredPack } from '../packs/packs-store.ts';
import type { StoredPack } from '../stored-pack.ts';
import { createShelf } from './byte-lru.ts';

/** A stored pack in memory with its header read. */
export interface ShelvedPack extends StoredPack {
  bytes: Buffer;
  header: PackHeader;
}

/** Whole packs in memory, a bounded number of bytes of them; immutable, so nothing has to be told when they change. */
export interface PackShelf {
  /** The pack of a row that the caller has read. @throws StorageMissing when its file is gone, StorageAway when it came damaged */
  take(pack: StoredPack): Promise<ShelvedPack>;
  /** The pack of this id, from memory or by its row; undefined when there is none. */
  find(packId: string): Promise<ShelvedPack | undefined>;
  /** What the shelf holds. */
  sizeBytes(): number;
}

/**
 * Makes a shelf over a storage.
 * @param mostBytes what it may hold; the pack that was asked for longest ago goes first
 */
export function createPackShelf(
  storage: Pick<Storage, 'read'>,
  findRow: (packId: string) => Promise<StoredPack | undefined>,
  mostBytes: number,
): PackShelf {
  const shelf = createShelf<ShelvedPack>(mostBytes, ({ bytes }) => bytes.length);
  const load = async (row: StoredPack): Promise<ShelvedPack> => {
    const bytes = await storage.read(row.path);
    return { ...row, bytes, header: headerOf(row, bytes) };
  };
  const take = (row: StoredPack) => shelf.take(row.id, () => load(row));
  return {
    take,
    async find(packId) {
      const known = shelf.find(packId);
      if (known !== undefined) return known;
      const row = await findRow(packId);
      return row && take(row);
    },
    sizeBytes: shelf.sizeBytes,
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

const mostShelvedBytes = 256 * 2 ** 20;
const shelves = new WeakMap<Engines, PackShelf>();

/** The one shelf of this process. */
export function packShelfOf(engines: Engines): PackShelf {
  const known = shelves.get(engines);
  if (known !== undefined) return known;
  const made = createPackShelf(engines.storage, (packId) => findStoredPack(engines.database, packId), mostShelvedBytes);
  shelves.set(engines, made);
  return made;
}

/** Of which track a shelved pack is. */
export const trackOf = ({ rendition }: Pick<StoredPack, 'rendition'>) => rendition as Track;
