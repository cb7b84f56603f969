import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '#engines/database/work.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { Medium } from './contract.ts';
import { listNamedWithSums, settleLostFiles } from './missing-files-store.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 4 });
});
afterAll(() => app.close());

const asSystem = <T>(run: (tx: Tx) => Promise<T>) => app.engines.database.work({ kind: 'system' }, run);
const idOf = (n: number) => shared.photos[n]?.mediaId ?? '';

/** Gives a photo an original, as an upload does. @returns its files */
async function filesOf(n: number): Promise<{ original: string; packs: string[] }> {
  const original = `media/${idOf(n)}/original.pfo`;
  const packs = await asSystem(async ({ db }) => {
    await db.updateTable('media').set({ original_path: original }).where('id', '=', idOf(n)).execute();
    return db.selectFrom('packs').select('path').where('media_id', '=', idOf(n)).execute();
  });
  return { original, packs: packs.map(({ path }) => path) };
}

test('of what is lost every owner reads what is left to do, and viewers see the rest', async () => {
  const [first, second, third] = [await filesOf(0), await filesOf(1), await filesOf(2)];
  const lost = [first.original, second.packs[0] ?? '', third.original, ...third.packs];
  expect(lost.every((path) => path !== '')).toBe(true);
  const reported = await asSystem((tx) => settleLostFiles(tx, lost));
  expect(reported).toEqual({ originals: 1, pictures: 1, media: 1 });

  const { items } = (await app.call('albums.one', { albumId: shared.albumId }, shared.creator.browser)).body;
  const said = (items as Medium[]).map(({ state, failText, canRetry }) => [state, failText, canRetry]);
  expect(said.map(([state]) => state).sort()).toEqual(['failed', 'failed', 'ready', 'ready']);
  expect(said).toContainEqual(['failed', expect.stringContaining('to recreate them'), true]);
  expect(said).toContainEqual(['failed', expect.stringContaining('Please upload it again'), false]);

  const link = await shared.makeLink();
  const { status, pictures } = await shared.viewerApi.tap(link.slug, { firstScreen: 4 });
  expect([status, pictures.length]).toEqual([200, 2]);
  const download = await app.fastify.inject({
    url: `/api/media/${idOf(0)}/original`,
    headers: { cookie: [...shared.creator.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  });
  expect(download.statusCode).toBe(404);
  const named = (await asSystem(listNamedWithSums)).map(({ path }) => path);
  expect(named.filter((path) => lost.includes(path))).toEqual([]);
  expect(await asSystem((tx) => settleLostFiles(tx, lost))).toEqual({ originals: 0, pictures: 0, media: 0 });
});
