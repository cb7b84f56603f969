import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Tx } from '#engines/database/work.ts';
import { seedAlbum, seedPhoto } from '#tests/support/media/pictures.ts';
import { advance, type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { destroyAlbum } from '../items/leaving-store.ts';
import { destroyDeletedAlbums } from '../jobs.ts';
import { moveAlbum, publishAlbumsOf } from '../store.ts';

let app: TestApp;
let ana: Person;
let albumId: string;
let mediaId: string;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  ana = await signUpCreator(app);
});
/** A draft with a photo that is being made, just deleted. */
beforeEach(async () => {
  ({ mediaId } = await seedPhoto(app, ana.userId));
  albumId = await seedAlbum(app, ana.userId, [mediaId]);
  await readRows(app, `update albums set state = 'draft' where id = $1`, [albumId]);
  await readRows(app, `update media set state = 'processing' where id = $1`, [mediaId]);
  await app.call('albums.remove', { albumId }, ana.browser);
});
afterAll(() => app.close());

const asSystem = <T>(run: (tx: Tx) => Promise<T>) => app.engines.database.work({ kind: 'system' }, run);
const now = () => new Date(app.engines.clock());
const stateOf = async () => (await readRows(app, 'select state from albums where id = $1', [albumId]))[0]?.state;
const makeReady = async (tx: Tx) => {
  await tx.db.updateTable('media').set({ state: 'ready' }).where('id', '=', mediaId).execute();
  await publishAlbumsOf(tx, mediaId, now());
};

test('an album that was brought back is open when its first photo became ready meanwhile', async () => {
  await asSystem(makeReady);
  expect(await stateOf()).toBe('deleting');
  expect((await app.call('albums.restore', { albumId }, ana.browser)).body.state).toBe('ready');
});

test('a photo that becomes ready while its album is being brought back opens it', async () => {
  let making: Promise<void> | undefined;
  await asSystem(async (tx) => {
    await moveAlbum(tx, albumId, ['deleting'], { state: 'draft', state_before: null, delete_at: null });
    making = asSystem(makeReady);
    await wait(300);
  });
  await making;
  expect(await stateOf()).toBe('ready');
});

test('an album that was brought back just before its time was over is not destroyed', async () => {
  advance(app, 40 * 86_400_000);
  const over = now();
  let destroying: Promise<void> | undefined;
  await asSystem(async (tx) => {
    await moveAlbum(tx, albumId, ['deleting'], { state: 'draft', state_before: null, delete_at: null });
    destroying = asSystem((other) => destroyAlbum(other, albumId, over));
    await wait(300);
  });
  await destroying;
  expect(await stateOf()).toBe('draft');
  expect(await readRows(app, 'select state from media where id = $1', [mediaId])).toEqual([{ state: 'processing' }]);
  await readRows(app, `update albums set state = 'deleting', delete_at = $2 where id = $1`, [albumId, over]);
  await destroyDeletedAlbums(app.engines);
  expect(await stateOf()).toBeUndefined();
  expect(await readRows(app, 'select state from media where id = $1', [mediaId])).toEqual([{ state: 'deleted' }]);
});
