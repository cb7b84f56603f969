import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { openDiskStorage } from '#engines/storage/disk.ts';
import { folderOf, readVolumes, removeFiles, storeVolumes } from './volumes.ts';

const root = mkdtempSync(path.join(tmpdir(), 'pf-volumes-'));
afterAll(() => rmSync(root, { recursive: true }));
const storage = openDiskStorage(root);
const bytes = randomBytes(2_500_000);
const key = randomBytes(32);
const inPieces = (size: number) =>
  Readable.from(
    (function* () {
      for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
    })(),
    { objectMode: false },
  );

it.each([1_000_000, 2_500_000, 1_250_000, 5_000_000])(
  'gives any part back, stored in files of %i bytes',
  async (volumeBytes) => {
    const volumes = { storage, key, folder: folderOf(`a${volumeBytes}`, 1), volumeBytes };
    expect(await storeVolumes(volumes, inPieces(77_777))).toBe(bytes.length);
    expect(await readdir(path.join(root, volumes.folder))).toHaveLength(Math.ceil(bytes.length / volumeBytes));
    for (const [from, to] of [
      [0, bytes.length - 1],
      [0, 0],
      [999_999, 1_000_000],
      [1_100_000, 2_400_000],
      [2_499_999, 2_499_999],
    ] as const)
      expect(
        (await buffer(Readable.from(readVolumes(volumes, bytes.length, { from, to })))).equals(
          bytes.subarray(from, to + 1),
        ),
      ).toBe(true);
    expect(await removeFiles(storage, volumes.folder)).toBe(Math.ceil(bytes.length / volumeBytes));
  },
);

it('holds nothing that can be read, and notices files that were changed for one another', async () => {
  const volumes = { storage, key, folder: folderOf('b', 1), volumeBytes: 1_000_000 };
  await storeVolumes(volumes, Readable.from([Buffer.alloc(2_000_000, 'A')], { objectMode: false }));
  expect((await storage.read(`${volumes.folder}0.pfo`)).includes('AAAAAAAA')).toBe(false);
  const at = (name: string) => path.join(root, volumes.folder, name);
  await rename(at('0.pfo'), at('x'));
  await rename(at('1.pfo'), at('0.pfo'));
  await rename(at('x'), at('1.pfo'));
  await expect(buffer(Readable.from(readVolumes(volumes, 2_000_000, { from: 0, to: 99 })))).rejects.toThrow();
});

it('breaks with what it stores', async () => {
  const broken = Readable.from(
    (async function* () {
      yield bytes;
      throw new Error('the zip broke');
    })(),
    { objectMode: false },
  );
  await expect(
    storeVolumes({ storage, key, folder: folderOf('c', 1), volumeBytes: 1_000_000 }, broken),
  ).rejects.toThrow('the zip broke');
});
