import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openDecoders } from '#features/media/decoding/decoders.ts';
import { destroyDeletedMedia } from '#features/media/jobs.ts';
import { openPhotoWork } from '#features/media/pipeline/process-photo.ts';
import { seedAlbum, seedPhoto } from '#tests/support/media/pictures.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { tidyItems } from './jobs.ts';

let app: TestApp;
let ana: Person;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  ana = await signUpCreator(app);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => app.close());

const actions = (action: string) =>
  readRows(app, 'select actor_type, target_id, details from audit_log where action = $1', [action]);
const listStored = async (mediaId: string) => {
  const paths = [];
  for await (const path of app.engines.storage.list(`media/${mediaId}/`)) paths.push(path);
  return paths;
};

test('files that no row names are removed aloud: one line with their number, and a line of the audit', async () => {
  const said = vi.spyOn(app.engines.log, 'info');
  const { mediaId } = await seedPhoto(app, ana.userId);
  const named = await listStored(mediaId);
  const original = `media/${mediaId}/original.pfo`;
  for (const path of [original, `media/${mediaId}/left-1.pfp`, `media/${mediaId}/left-2.pfp`])
    await app.engines.storage.put(path, Buffer.from('noise'));
  await readRows(app, `update media set state = 'uploaded', original_path = $2, attempts = 99 where id = $1`, [
    mediaId,
    original,
  ]);
  await openPhotoWork(app.engines, openDecoders(app.engines)).make(
    mediaId,
    new AbortController().signal,
    async () => undefined,
  );
  expect((await listStored(mediaId)).toSorted()).toEqual([...named, original].toSorted());
  expect(said).toHaveBeenCalledWith({ mediaId, files: 2 }, 'files that no row names were removed');
  expect(await actions('media.leftovers_removed')).toEqual([
    { actor_type: 'system', target_id: mediaId, details: { files: 2 } },
  ]);
});

test('photos that no album holds are deleted aloud, and nothing is said when there are none', async () => {
  await tidyItems(app.engines);
  const said = vi.spyOn(app.engines.log, 'info');
  const { mediaId } = await seedPhoto(app, ana.userId);
  await tidyItems(app.engines);
  await tidyItems(app.engines);
  expect(said.mock.calls).toEqual([[{ photos: 1 }, 'photos that no album holds were deleted']]);
  expect(await readRows(app, 'select 1 from media where id = $1 and deleted_at is not null', [mediaId])).toHaveLength(
    1,
  );
  expect((await actions('media.orphans_deleted')).at(-1)).toMatchObject({
    actor_type: 'system',
    details: { photos: 1 },
  });
});

test('destroyed photos and their files are counted aloud', async () => {
  const { mediaId } = await seedPhoto(app, ana.userId);
  await seedAlbum(app, ana.userId, [mediaId]);
  await app.call('media.remove', { mediaId }, ana.browser);
  app.setNow('2026-11-25T12:00:00Z');
  const said = vi.spyOn(app.engines.log, 'info');
  await destroyDeletedMedia(app.engines);
  await destroyDeletedMedia(app.engines);
  expect(await listStored(mediaId)).toEqual([]);
  expect(said).toHaveBeenCalledTimes(1);
  const [counts, words] = said.mock.calls[0] ?? [];
  expect([counts, words]).toEqual([
    { media: expect.any(Number), files: expect.any(Number) },
    'deleted media were destroyed',
  ]);
  expect((await actions('media.destroyed')).at(-1)).toEqual({ actor_type: 'system', target_id: null, details: counts });
});
