import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDiskStorage } from '#engines/storage/disk.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { drawNoise, type Visitor, visit } from '#tests/support/servers/visitor.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { guards } from '../counts.ts';

guards('src/features/albums/**', 'src/features/media/**', 'src/engines/children/**');

/** An installation whose jobs have all begun and get no further until they are let on; what comes in is stored as ever. */
const folder = mkdtempSync(path.join(tmpdir(), 'pf-working-'));
const gate = Promise.withResolvers<void>();
let waiting = 0;
let app: TestApp;
let visitor: Visitor;
let creator: Person;
beforeAll(async () => {
  const storage = openDiskStorage(folder);
  const held = async () => {
    waiting++;
    await gate.promise;
  };
  app = await openTestApp({
    now: new Date().toISOString(),
    storage: {
      ...storage,
      read: async (...args) => held().then(() => storage.read(...args)),
      open: async (...args) => held().then(() => storage.open(...args)),
    },
  });
  vi.useRealTimers();
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  visitor = visit(`http://127.0.0.1:${(app.fastify.server.address() as AddressInfo).port}`);
  creator = await signUpCreator(app);
  creator.browser.headers = { origin: 'http://localhost:3000' };
});
afterAll(async () => {
  gate.resolve();
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

test('immich#23493: however many photos are being worked on, the next upload waits for none of them', async () => {
  const { browser } = creator;
  const { id: albumId } = await visitor.must('albums.create', { name: 'Busy', peopleConsent: 'only_me' }, browser);
  const upload = async () => {
    const photo = await drawNoise(240, 180);
    const id = await visitor.beginUpload(browser, albumId, photo);
    expect(await visitor.sendFrom(browser, id, photo, 0)).toBe(photo.length);
    return id;
  };
  const first = [await upload(), await upload(), await upload()];
  // Every worker holds one that does not get on.
  await expect.poll(() => waiting).toBeGreaterThan(0);
  const later = [await upload(), await upload()];
  const states = await readRows(app, 'select id, state from media order by id');
  expect(states.map(({ id }) => id)).toEqual([...first, ...later].toSorted());
  expect(states.filter(({ state }) => state === 'ready')).toEqual([]);
  gate.resolve();
  const items = await visitor.untilSettled(browser, albumId);
  expect(items.map(({ state }) => state)).toEqual(items.map(() => 'ready'));
  expect(items).toHaveLength(5);
});
