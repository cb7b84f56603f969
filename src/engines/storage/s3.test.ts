import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FaultyS3, openFaultyS3 } from '#tests/support/servers/faulty-s3.ts';
import { type LocalS3, openLocalS3 } from '#tests/support/servers/local-s3.ts';
import { openS3Storage } from './s3.ts';
import { type Storage, StorageAway, StorageMissing } from './storage.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'pf-s3-missing-'));
let s3: LocalS3;
let proxy: FaultyS3;
let storage: Storage;

beforeAll(async () => {
  s3 = await openLocalS3(directory);
  proxy = await openFaultyS3(s3.environment.S3_ENDPOINT ?? '');
  const access = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  storage = openS3Storage({ bucket: 'pf', endpoint: proxy.endpoint, region: 'auto', ...access });
});
afterAll(async () => {
  proxy.close();
  await s3.close();
  rmSync(directory, { recursive: true });
});

/** Whatever is asked by this method is answered as if nothing were there. */
const denyTo = (method: string) => proxy.plant((call) => (call.method === method ? 'late missing' : undefined));

it('a server that says "not there" of what is being put is away, and the file can be put later', async () => {
  denyTo('PUT');
  await expect(storage.put('a', Buffer.from('one'))).rejects.toThrow(StorageAway);
  proxy.plant(() => undefined);
  await storage.put('a', Buffer.from('one'));
  expect(String(await storage.read('a'))).toBe('one');
});

it('a server that says "not there" of what is to be removed is believed when it is not there', async () => {
  await storage.put('b', Buffer.from('two'));
  denyTo('DELETE');
  await expect(storage.remove('b')).rejects.toThrow(StorageAway);
  await storage.remove('never');
  proxy.plant(() => undefined);
  await storage.remove('b');
  await expect(storage.read('b')).rejects.toThrow(StorageMissing);
});
