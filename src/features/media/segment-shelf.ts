import type { Engines } from '#engines/engines.ts';
import type { ByteRange, Storage } from '#engines/storage/storage.ts';

/** Parts of stored films in memory, a bounded number of bytes of them: who looks at a film is seldom alone. Immutable ciphertext. */
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
  const shelf = new Map<string, Buffer>();
  const coming = new Map<string, Promise<Buffer>>();
  let heldBytes = 0;
  const weigh = ({ length }: Buffer) => length + entryBytes;
  const drop = (name: string, bytes: Buffer) => {
    if (shelf.delete(name)) heldBytes -= weigh(bytes);
  };
  const put = (name: string, bytes: Buffer) => {
    shelf.set(name, bytes);
    heldBytes += weigh(bytes);
    for (const [oldest, old] of shelf) {
      if (heldBytes <= mostBytes) break;
      drop(oldest, old);
    }
  };
  const load = async (name: string, path: string, range: ByteRange | undefined) => {
    const bytes = await storage.read(path, range);
    put(name, bytes);
    return bytes;
  };
  return {
    async read(path, range) {
      const name = `${path} ${range?.from ?? ''}-${range?.to ?? ''}`;
      const known = shelf.get(name);
      if (known !== undefined) {
        drop(name, known);
        put(name, known);
        return known;
      }
      const loading = coming.get(name) ?? load(name, path, range).finally(() => coming.delete(name));
      coming.set(name, loading);
      return loading;
    },
    sizeBytes: () => heldBytes,
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
