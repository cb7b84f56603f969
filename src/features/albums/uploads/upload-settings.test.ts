import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SettingKey } from '#features/settings/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { writeSetting } from '#features/settings/store.ts';
import { type Person, signUpCreator } from '#tests/support/people.ts';
import { type Visitor, visit } from '#tests/support/servers/visitor.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let ana: Person;
let visitor: Visitor;
beforeAll(async () => {
  app = await openTestApp();
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  visitor = visit(`http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`);
  ana = await signUpCreator(app);
});
afterAll(() => app.close());

const put = async (key: SettingKey, value: number) => {
  const { database, clock } = app.engines;
  const change = { key, value, by: null, now: new Date(clock()) };
  await database.work({ kind: 'system' }, (tx) => writeSetting(tx, change));
  await expect.poll(async () => (await settingsOf(app.engines))[key]).toBe(value);
};
const newAlbum = async (): Promise<string> =>
  (await app.call('albums.create', { name: 'Sea', peopleConsent: 'only_me' }, ana.browser)).body.id;
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#a05' } })
    .jpeg()
    .toBuffer();

test('an upload is kept as long as the settings say, from its beginning and from its last part', async () => {
  await put('limits.uploadLifeHours', 50);
  const [albumId, bytes] = [await newAlbum(), await plain(300, 200)];
  const uploadId = await visitor.beginUpload(ana.browser, albumId, bytes);
  const expiry = async () =>
    (await app.call('albums.openUploads', { albumId }, ana.browser)).body[0]?.expiresAt.slice(0, 16);
  expect(await expiry()).toBe('2026-11-23T14:00');
  app.setNow('2026-11-23T13:00:00Z');
  expect(await visitor.sendFrom(ana.browser, uploadId, bytes.subarray(0, 100), 0)).toBe(100);
  expect(await expiry()).toBe('2026-11-25T15:00');
  app.setNow('2026-11-25T14:59:59Z');
  expect(await visitor.sendFrom(ana.browser, uploadId, bytes.subarray(100), 100)).toBe(bytes.length);
  app.setNow('2026-11-21T12:00:00Z');
});

test('the page is told how to send, and what to say of links and keys', async () => {
  await put('limits.filesPerBatch', 12);
  await put('limits.parallelUploads', 2);
  await put('limits.chunkBytes', 6_000_000);
  await put('viewing.leaseSeconds', 20);
  await put('links.undoHours', 48);
  expect((await app.call('accounts.me', {})).body.limits).toEqual({
    filesPerBatch: 12,
    parallelUploads: 2,
    chunkBytes: 6_000_000,
    leaseSeconds: 20,
    linkDefaultDays: 30,
    linkUndoHours: 48,
    storageBytes: 20_000_000_000,
    trialStorageBytes: 2_000_000_000,
    photoBytes: 50_000_000,
    clipBytes: 500_000_000,
    clipMinutes: 10,
  });
});

test('a photo that is too large says by which limit, also when it is another later', async () => {
  await put('limits.photoMegapixels', 12);
  const [albumId, bytes] = [await newAlbum(), await plain(4100, 3000)];
  const uploadId = await visitor.beginUpload(ana.browser, albumId, bytes);
  await visitor.sendFrom(ana.browser, uploadId, bytes, 0);
  const [item] = await visitor.untilSettled(ana.browser, albumId);
  const text = 'Photos can be up to 12 megapixels.';
  expect(item).toMatchObject({ state: 'failed', failText: text });
  await put('limits.photoMegapixels', 300);
  expect((await app.call('media.byUpload', { uploadId }, ana.browser)).body.failText).toBe(text);
  const { body } = await app.call('media.retry', { mediaId: uploadId }, ana.browser);
  expect([body.state, body.failText]).toEqual(['uploaded', null]);
  expect(await visitor.untilSettled(ana.browser, albumId)).toMatchObject([{ state: 'ready', failText: null }]);
});
