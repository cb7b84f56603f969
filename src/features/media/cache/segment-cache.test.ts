import { expect, it } from 'vitest';
import type { ByteRange } from '#engines/storage/storage.ts';
import { createSegmentCache, entryBytes } from './segment-cache.ts';

/** A store that counts how often it is asked. */
function countReads() {
  const asked: string[] = [];
  const read = async (path: string, range?: ByteRange) => {
    asked.push(`${path} ${range?.from}-${range?.to}`);
    if (path === 'away') throw new Error('away');
    return Buffer.alloc(range ? range.to - range.from + 1 : 10, path);
  };
  return { asked, read };
}

it('reads a part once for many who ask at the same time or later, and never mixes parts up', async () => {
  const store = countReads();
  const cache = createSegmentCache(store, 10 * entryBytes);
  const range = { from: 0, to: 4 };
  const all = await Promise.all([cache.read('a', range), cache.read('a', range), cache.read('b', range)]);
  expect(all.map(String)).toEqual(['aaaaa', 'aaaaa', 'bbbbb']);
  expect((await cache.read('a', { from: 0, to: 5 })).length).toBe(6);
  expect((await cache.read('a')).length).toBe(10);
  await cache.read('a', range);
  expect(store.asked).toEqual(['a 0-4', 'b 0-4', 'a 0-5', 'a undefined-undefined']);
});

it('holds no more than it may: what was asked for longest ago goes first', async () => {
  const store = countReads();
  const cache = createSegmentCache(store, 2 * entryBytes + 25);
  for (const path of ['a', 'b', 'a', 'c']) await cache.read(path);
  expect(cache.sizeBytes()).toBe(2 * entryBytes + 20);
  await cache.read('a');
  expect(store.asked).toHaveLength(3);
  await cache.read('b');
  expect(store.asked).toHaveLength(4);
  await cache.read('large', { from: 0, to: 9999 });
  expect(cache.sizeBytes()).toBe(0);
  for (let from = 0; from < 100; from++) await cache.read('single bytes', { from, to: from });
  expect(cache.sizeBytes()).toBe(2 * (entryBytes + 1));
});

it('keeps nothing of a failure', async () => {
  const store = countReads();
  const cache = createSegmentCache(store, 25);
  for (const _ of [1, 2]) await expect(cache.read('away')).rejects.toThrow('away');
  expect([store.asked.length, cache.sizeBytes()]).toEqual([2, 0]);
});
