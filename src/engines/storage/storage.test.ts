import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLocalS3 } from '#tests/support/servers/local-s3.ts';
import { openDiskStorage } from './disk.ts';
import { openS3Storage } from './s3.ts';
import { checkPath, type Storage, StorageAway, StorageMissing } from './storage.ts';

const temp = () => mkdtempSync(path.join(tmpdir(), 'pf-storage-'));

const adapters: Record<string, () => Promise<{ storage: Storage; close(): Promise<void> }>> = {
  disk: async () => {
    const folder = temp();
    return { storage: openDiskStorage(folder), close: async () => rmSync(folder, { recursive: true }) };
  },
  s3: async () => {
    const directory = temp();
    const server = await openLocalS3(directory);
    const access = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
    const endpoint = server.environment.S3_ENDPOINT;
    const storage = openS3Storage({ bucket: 'pf', endpoint, region: 'auto', ...access });
    const close = async () => {
      await server.close();
      rmSync(directory, { recursive: true });
    };
    return { storage, close };
  },
};

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A stream in pieces of uneven size; breaks after `breakAfter` bytes when told. */
function streamOf(bytes: Buffer, breakAfter = Number.POSITIVE_INFINITY): Readable {
  return Readable.from(
    (async function* () {
      for (let from = 0, size = 1; from < bytes.length; from += size, size = (size * 7) % 99_991) {
        if (from > breakAfter) throw new Error('the line broke');
        yield bytes.subarray(from, from + size);
      }
    })(),
    { objectMode: false },
  );
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function listed(storage: Storage, prefix: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const name of storage.list(prefix)) paths.push(name);
  return paths.sort();
}

describe.each(Object.keys(adapters))('storage: %s', (name) => {
  let storage: Storage;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ storage, close } = await (adapters[name] as (typeof adapters)[string])());
  });
  afterAll(() => close());

  it('gives back a buffer as it was put', async () => {
    const bytes = randomBytes(70_000);
    await storage.put('media/a/one.pfp', bytes);
    expect(hash(await storage.read('media/a/one.pfp'))).toBe(hash(bytes));
    expect(hash(await collect(await storage.open('media/a/one.pfp')))).toBe(hash(bytes));
  });

  it.each([0, 1, 300_000, 8 * 1024 * 1024, 20_000_000])(
    'stores a stream of %i bytes as exactly these bytes',
    async (size) => {
      const bytes = randomBytes(size);
      await storage.put(`originals/${size}`, streamOf(bytes), size);
      const stored = await storage.read(`originals/${size}`);
      expect(stored.length).toBe(size);
      expect(hash(stored)).toBe(hash(bytes));
    },
  );

  it('replaces a file whole', async () => {
    await storage.put('twice', randomBytes(50_000));
    await storage.put('twice', Buffer.from('short'));
    expect((await storage.read('twice')).toString()).toBe('short');
  });

  it('reads from byte to byte, both included, and nothing that ends too early', async () => {
    await storage.put('ten', Buffer.from('0123456789'));
    const part = async (from: number, to: number) => (await storage.read('ten', { from, to })).toString();
    expect(await part(0, 0)).toBe('0');
    expect(await part(2, 5)).toBe('2345');
    expect(await part(8, 9)).toBe('89');
    await expect(part(8, 10)).rejects.toBeInstanceOf(StorageAway);
    await expect(part(10, 20)).rejects.toBeInstanceOf(StorageAway);
  });

  it('fails with a stream that breaks before its first byte is asked for, and brings nobody down', async () => {
    const broken = new Readable({ read: () => undefined });
    const put = storage.put('media/m2/broken.pfp', broken, 10);
    broken.destroy(new Error('the file is gone'));
    await expect(put).rejects.toThrow('the file is gone');
    await expect(storage.read('media/m2/broken.pfp')).rejects.toThrow(StorageMissing);
  });

  it('says that nothing is there, also for a folder', async () => {
    await storage.put('media/b/one', Buffer.from('x'));
    for (const missing of ['nothing', 'media/b/two', 'media/b', 'ten/below']) {
      await expect(storage.read(missing)).rejects.toBeInstanceOf(StorageMissing);
      await expect(storage.open(missing)).rejects.toBeInstanceOf(StorageMissing);
      await expect(storage.read(missing, { from: 0, to: 1 })).rejects.toBeInstanceOf(StorageMissing);
    }
  });

  it('removes, and removes again', async () => {
    await storage.put('gone', Buffer.from('x'));
    await storage.remove('gone');
    await storage.remove('gone');
    await expect(storage.read('gone')).rejects.toBeInstanceOf(StorageMissing);
  });

  it('lists what begins with a prefix', async () => {
    for (const file of ['list/a/1', 'list/a/2', 'list/ab/1', 'list/b/c/d/1', 'listless'])
      await storage.put(file, Buffer.from(file));
    expect(await listed(storage, 'list/')).toEqual(['list/a/1', 'list/a/2', 'list/ab/1', 'list/b/c/d/1']);
    expect(await listed(storage, 'list/a/')).toEqual(['list/a/1', 'list/a/2']);
    expect(await listed(storage, 'list/a')).toEqual(['list/a/1', 'list/a/2', 'list/ab/1']);
    expect(await listed(storage, 'list/b/c')).toEqual(['list/b/c/d/1']);
    expect(await listed(storage, 'list/none/')).toEqual([]);
    expect(await listed(storage, '')).toContain('listless');
  });

  // An S3 server promises this itself, and the small one here does not keep it.
  if (name === 'disk')
    it('lets the puts of one path race: one of them wins whole', async () => {
      const rivals = Array.from({ length: 8 }, (_, n) => Buffer.alloc(200_000 + n, n + 1));
      await Promise.all(
        rivals.map((bytes, n) => storage.put('race', n % 2 === 0 ? bytes : streamOf(bytes), bytes.length)),
      );
      const winner = await storage.read('race');
      expect(rivals.some((bytes) => bytes.equals(winner))).toBe(true);
    });

  it.each([500, 9_000_000])('stores nothing of a stream that breaks after %i bytes', async (breakAfter) => {
    const before = Buffer.from('before');
    await storage.put('kept', before);
    for (const target of ['broken', 'kept'])
      await expect(storage.put(target, streamOf(randomBytes(20_000_000), breakAfter), 20_000_000)).rejects.toThrow(
        'the line broke',
      );
    await expect(storage.read('broken')).rejects.toBeInstanceOf(StorageMissing);
    expect(await storage.read('kept')).toEqual(before);
    expect((await listed(storage, '')).filter((file) => file.includes('broken'))).toEqual([]);
  });

  it.each([299_999, 300_001, 12_000_000])(
    'stores nothing when 300,000 bytes were announced and %i come',
    async (size) => {
      await expect(storage.put('liar', streamOf(randomBytes(size)), 300_000)).rejects.toThrow(/300000/);
      await expect(storage.read('liar')).rejects.toBeInstanceOf(StorageMissing);
    },
  );

  it('never leaves the store by a path', async () => {
    for (const evil of [
      '../x',
      'a/../../x',
      '/etc/passwd',
      'a//b',
      '',
      '.',
      'a/.hidden',
      'a\\b',
      'a/\0',
      'é',
      'a'.repeat(600),
      '.unfinished/x',
    ]) {
      await expect(storage.put(evil, Buffer.from('x')), evil).rejects.toThrow('no path of the store');
      await expect(storage.read(evil), evil).rejects.toThrow('no path of the store');
      await expect(storage.open(evil), evil).rejects.toThrow('no path of the store');
      await expect(storage.remove(evil), evil).rejects.toThrow('no path of the store');
    }
    expect(checkPath('media/0196f0c2-7b1c-7e2a-8f00-0123456789ab/a_B-9.pfp')).toContain('a_B-9.pfp');
  });
});

describe('storage on disk', () => {
  it('leaves no unfinished file behind, and clears those of a killed process', async () => {
    const folder = temp();
    const dead = path.join(folder, '.unfinished');
    await mkdir(dead, { recursive: true });
    await writeFile(path.join(dead, `${hostname()}.999999999.abc.0`), 'half');
    await writeFile(path.join(dead, `${hostname()}.${process.pid}.abc.0`), 'half of an earlier life with our number');
    await writeFile(path.join(dead, 'another-machine.1.abc.0'), 'being written');
    const storage = openDiskStorage(folder);
    await expect(storage.put('x', streamOf(randomBytes(100_000), 1000))).rejects.toThrow();
    await storage.put('y', Buffer.from('y'));
    expect(await readdir(dead)).toEqual(['another-machine.1.abc.0']);
    expect(readdirSync(folder).sort()).toEqual(['.unfinished', 'y']);
    rmSync(folder, { recursive: true });
  });

  it('tells how much room there is, also before there is a folder', async () => {
    const above = temp();
    const storage = openDiskStorage(path.join(above, 'files'));
    const before = await storage.freeBytes();
    await storage.put('x', Buffer.alloc(1000));
    expect([before ?? 0, (await storage.freeBytes()) ?? 0].every((bytes) => bytes > 1000)).toBe(true);
    rmSync(above, { recursive: true });
  });

  it('makes no folder before the first put', async () => {
    const above = temp();
    const storage = openDiskStorage(path.join(above, 'files'));
    expect(await listed(storage, '')).toEqual([]);
    expect(existsSync(path.join(above, 'files'))).toBe(false);
    rmSync(above, { recursive: true });
  });

  it('shows a reader the old file or the new one, never a part', async () => {
    const folder = temp();
    const storage = openDiskStorage(folder);
    const [old, fresh] = [Buffer.alloc(400_000, 1), Buffer.alloc(300_000, 2)];
    await storage.put('file', old);
    let isDone = false;
    const writing = (async () => {
      for (let n = 0; n < 20; n++) await storage.put('file', n % 2 === 0 ? fresh : old);
      isDone = true;
    })();
    while (!isDone) {
      const seen = await storage.read('file');
      expect(seen.equals(old) || seen.equals(fresh)).toBe(true);
      await wait(1);
    }
    await writing;
    rmSync(folder, { recursive: true });
  });
});
