import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProcessing, type Processing } from '#features/media/processing.ts';
import { paintJpeg } from '#tests/support/media/paint.ts';
import { readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { seedAlbum, seedCreator } from './seeding.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pf-seeding-'));
let app: TestApp;
let processing: Processing;
beforeAll(async () => {
  // Nothing works on pictures here until the test does, as on a machine that has no time.
  app = await openTestApp({ workJobs: false });
  processing = openProcessing(app.engines);
});
afterAll(async () => {
  await processing.end();
  await app.close();
  rmSync(folder, { recursive: true });
});

it('an album of a seed is waited for as long as it takes, and it is said how far it is', async () => {
  const files = [1, 2].map((n) => path.join(folder, `${n}.jpg`));
  for (const [n, file] of files.entries()) writeFileSync(file, await paintJpeg(n, 300, 200));
  const creator = await seedCreator(app.engines, { email: 'ana@example.com', displayName: 'Ana', handle: 'ana' });
  const makeOne = async () => {
    const [next] = await readRows<{ id: string }>(app, `select id from media where state = 'uploaded' limit 1`);
    if (next === undefined) return;
    await processing.makePhoto(next.id, new AbortController().signal, async () => undefined);
  };
  const received: number[] = [];
  let working = Promise.resolve();
  const onWaiting = (done: number) => {
    received.push(done);
    if (received.length === 3 || done === 1) working = working.then(makeOne);
  };
  const looks = { everyMs: 1, ofWhile: 5 };
  const albumId = await seedAlbum(app.engines, creator, { name: 'Slow', files, onWaiting, looks });
  await working;
  expect(received.slice(0, 3)).toEqual([0, 0, 0]);
  expect(received).toContain(1);
  const { items } = await creator.caller.albums.one({ albumId });
  expect(items.map(({ state }) => state)).toEqual(['ready', 'ready']);
});

it('what somebody deletes meanwhile is not waited for', async () => {
  const files = [3, 4].map((n) => path.join(folder, `${n}.jpg`));
  for (const [n, file] of files.entries()) writeFileSync(file, await paintJpeg(n + 3, 300, 200));
  const creator = await seedCreator(app.engines, { email: 'eva@example.com', displayName: 'Eva', handle: 'eva' });
  const end = new AbortController();
  let looks = 0;
  let working: Promise<unknown> = Promise.resolve();
  const deleteAll = async () => {
    const { albums } = creator.caller;
    const albumId = (await albums.list({ search: 'Tidied' })).albums[0]?.id ?? '';
    const { items } = await albums.one({ albumId });
    await albums.deleteItems({ albumId, mediaIds: items.map(({ id }) => id) });
  };
  const onWaiting = () => {
    looks++;
    if (looks === 1) working = deleteAll();
    // Where it waits for ever, its looks are many.
    if (looks === 400) end.abort(new Error('it waits for what was deleted'));
  };
  const params = { name: 'Tidied', files, onWaiting, looks: { everyMs: 1, ofWhile: 1 }, signal: end.signal };
  const albumId = await seedAlbum(app.engines, creator, params);
  await working;
  expect((await creator.caller.albums.one({ albumId })).items).toEqual([]);
});
