import { describe, expect, it } from 'vitest';
import { StorageAway } from '#engines/storage/storage.ts';
import { gridOf } from '../formats/grid.ts';
import { newMediaKey, sealPack } from '../formats/keys.ts';
import { encodePack, packIdText } from '../formats/pack.ts';
import { createPackCache } from './pack-cache.ts';

/** Some stored packs of one kilobyte or so, and how often each was read. */
function store(count: number) {
  const files = new Map<string, Buffer>();
  const reads: string[] = [];
  const rows = Array.from({ length: count }, () => {
    const seal = sealPack(newMediaKey(), 'thumb512');
    const ciphertexts = [seal.encryptTile(0, 0, new Uint8Array(500)), seal.encryptTile(1, 0, new Uint8Array(500))];
    const geometry = { width: 32, height: 32, ...gridOf(32, 32, 1) };
    const id = packIdText(seal.packId);
    files.set(id, Buffer.from(encodePack({ packId: seal.packId, codec: 'webp', geometry, ciphertexts })));
    return { id, creatorId: 'creator', mediaId: 'medium', rendition: 'thumb512', path: id };
  });
  const read = async (path: string) => {
    reads.push(path);
    await new Promise((go) => setTimeout(go, 5));
    const bytes = files.get(path);
    if (bytes === undefined) throw new Error('missing');
    return bytes;
  };
  return { rows, reads, files, storage: { read }, findRow: async (id: string) => rows.find((row) => row.id === id) };
}

describe('packs in memory', () => {
  it('are read once, however many ask for them at the same moment', async () => {
    const { rows, reads, storage, findRow } = store(1);
    const cache = createPackCache(storage, findRow, 1e6);
    const [row] = rows;
    if (row === undefined) throw new Error('no pack');
    const taken = await Promise.all([...Array.from({ length: 20 }, () => cache.take(row)), cache.find(row.id)]);
    expect([reads.length, new Set(taken).size]).toEqual([1, 1]);
    expect(await cache.find('nobody')).toBeUndefined();
  });

  it('never hold more bytes than they may; the one that nobody asked for longest goes first', async () => {
    const { rows, reads, files, storage, findRow } = store(5);
    const size = files.get(rows[0]?.id ?? '')?.length ?? 0;
    const cache = createPackCache(storage, findRow, 3 * size);
    for (const row of rows.slice(0, 3)) await cache.take(row);
    await cache.find(rows[0]?.id ?? '');
    for (const row of rows.slice(3)) await cache.take(row);
    expect(cache.sizeBytes()).toBe(3 * size);
    reads.length = 0;
    await cache.find(rows[0]?.id ?? '');
    expect(reads).toEqual([]);
    await cache.find(rows[1]?.id ?? '');
    expect(reads).toEqual([rows[1]?.id]);
  });

  it('are refused when the storage holds another one under their name', async () => {
    const { rows, files, storage, findRow } = store(2);
    const [one, other] = rows;
    if (one === undefined || other === undefined) throw new Error('no packs');
    files.set(one.path, files.get(other.path) ?? Buffer.alloc(0));
    const cache = createPackCache(storage, findRow, 1e6);
    await expect(cache.take(one)).rejects.toThrow(StorageAway);
    expect(cache.sizeBytes()).toBe(0);
  });
});
