import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openStudios } from '#features/media/decoding/decoders.ts';
import { destroyDeletedMedia } from '#features/media/jobs.ts';
import { openPhotoWork } from '#features/media/pipeline/process-photo.ts';
import { type HouseInTest, openHouse } from '#tests/support/house.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { seedAlbum, seedPhoto } from '#tests/support/pictures.ts';
import { tidyItems } from './jobs.ts';

let house: HouseInTest;
let ana: Person;

beforeAll(async () => {
  house = await openHouse({ workJobs: false });
  ana = await signUpCreator(house);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => house.close());

const actions = (action: string) =>
  readRows(house, 'select actor_type, target_id, details from audit_log where action = $1', [action]);
const listStored = async (mediaId: string) => {
  const paths = [];
  for await (const path of house.engines.storage.list(`media/${mediaId}/`)) paths.push(path);
  return paths;
};

test('files that no row names are removed aloud: one line with their number, and a line of the audit', async () => {
  const said = vi.spyOn(house.engines.log, 'info');
  const { mediaId } = await seedPhoto(house, ana.userId);
  const named = await listStored(mediaId);
  const original = `media/${mediaId}/original.pfo`;
  for (const path of [original, `media/${mediaId}/left-1.pfp`, `media/${mediaId}/left-2.pfp`])
    await house.engines.storage.put(path, Buffer.from('noise'));
  await readRows(house, `update media set state = 'uploaded', original_path = $2, attempts = 99 where id = $1`, [
    mediaId,
    original,
  ]);
  await openPhotoWork(house.engines, openStudios(house.engines)).make(
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
  await tidyItems(house.engines);
  const said = vi.spyOn(house.engines.log, 'info');
  const { mediaId } = await seedPhoto(house, ana.userId);
  await tidyItems(house.engines);
  await tidyItems(house.engines);
  expect(said.mock.calls).toEqual([[{ photos: 1 }, 'photos that no album holds were deleted']]);
  expect(await readRows(house, 'select 1 from media where id = $1 and deleted_at is not null', [mediaId])).toHaveLength(
    1,
  );
  expect((await actions('media.orphans_deleted')).at(-1)).toMatchObject({
    actor_type: 'system',
    details: { photos: 1 },
  });
});

test('destroyed photos and their files are counted aloud', async () => {
  const { mediaId } = await seedPhoto(house, ana.userId);
  await seedAlbum(house, ana.userId, [mediaId]);
  await house.call('media.remove', { mediaId }, ana.browser);
  house.setNow('2026-11-25T12:00:00Z');
  const said = vi.spyOn(house.engines.log, 'info');
  await destroyDeletedMedia(house.engines);
  await destroyDeletedMedia(house.engines);
  expect(await listStored(mediaId)).toEqual([]);
  expect(said).toHaveBeenCalledTimes(1);
  const [counts, words] = said.mock.calls[0] ?? [];
  expect([counts, words]).toEqual([
    { media: expect.any(Number), files: expect.any(Number) },
    'deleted media were destroyed',
  ]);
  expect((await actions('media.destroyed')).at(-1)).toEqual({ actor_type: 'system', target_id: null, details: counts });
});
