import { afterAll, beforeAll, expect, test } from 'vitest';
import { settingRules } from '#features/settings/rules.ts';
import { seedAlbum } from '#tests/support/media/pictures.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

const call = (procedure: string, input: object) => app.call(`albums.${procedure}`, input, shared.creator.browser);

/** Fills the album with copies of its one photo. */
async function fillAlbum(count: number): Promise<void> {
  const copies = `
    with held as (select count(*)::int as n from album_items where album_id = $1::uuid),
    fresh as (select gen_random_uuid() as id, place as n from held, generate_series(held.n + 1, $3::int) place),
    copied as (insert into media (id, creator_id, kind, state, original_name, bytes, sha256, width, height, thumbhash, created_at, ready_at)
      select f.id, m.creator_id, m.kind, m.state, m.original_name, m.bytes, m.sha256, m.width, m.height, m.thumbhash, m.created_at, m.ready_at
      from fresh f, media m where m.id = $2 returning id),
    packed as (insert into packs (id, creator_id, media_id, rendition, mark, path, bytes, sha256, width, height, columns, rows, created_at)
      select gen_random_uuid(), p.creator_id, f.id, p.rendition, p.mark, p.path, p.bytes, p.sha256, p.width, p.height, p.columns, p.rows, p.created_at
      from fresh f, packs p where p.media_id = $2 and p.rendition = 'thumb512')
    insert into album_items (album_id, media_id, user_id, position, added_at)
      select $1, f.id, m.creator_id, f.n, m.created_at from fresh f, media m where m.id = $2`;
  await app.engines.database.work({ kind: 'system' }, ({ client }) =>
    client.query(copies, [shared.albumId, shared.photos[0]?.mediaId, count]),
  );
}

// What comes in at the same moment through two doors may fill an album further: nothing is cut before twice the limit.
test.each([1, 2])(
  'an album of %i times what the setting allows is shown, reordered, shared and opened whole',
  async (times) => {
    const count = times * settingRules['limits.itemsPerAlbum'].max;
    await fillAlbum(count);
    const idsOf = async (): Promise<string[]> =>
      (await call('one', { albumId: shared.albumId })).body.items.map(({ id }: { id: string }) => id);
    const before = await idsOf();
    expect(before.length).toBe(count);
    const order = before.toReversed();
    expect((await call('reorder', { albumId: shared.albumId, mediaIds: order })).status).toBe(200);
    expect(await idsOf()).toEqual(order);
    const { slug } = await shared.makeLink();
    const { head } = await shared.viewerApi.tap(slug, { firstScreen: 0 });
    expect(head.items.map(({ mediaId }: { mediaId: string }) => mediaId)).toEqual(order);
    expect(head.counts).toEqual({ photos: count, videos: 0 });
  },
);

test('a link takes no more albums than it can show whole', async () => {
  const others = [await seedAlbum(app, shared.creator.userId, []), await seedAlbum(app, shared.creator.userId, [])];
  await app.engines.database.work({ kind: 'system' }, ({ client }) =>
    client.query(
      `insert into album_items (album_id, media_id, user_id, position, added_at)
      select o, i.media_id, i.user_id, i.position, i.added_at from album_items i, unnest($2::uuid[]) o where i.album_id = $1`,
      [shared.albumId, others],
    ),
  );
  const make = (albumIds: (string | undefined)[]) =>
    app.call('links.create', { albumIds, isLaxConfirmed: true }, shared.creator.browser);
  expect((await make([shared.albumId, others[0]])).status).toBe(200);
  const tooMany = await make([shared.albumId, ...others]);
  expect([tooMany.status, tooMany.body.message]).toEqual([
    422,
    'A link can show up to 2000 photos and videos. Choose fewer albums.',
  ]);
});

test('all photos that an album may hold are deleted in one call, and come back in one', async () => {
  const all = (await call('one', { albumId: shared.albumId })).body.items.map(({ id }: { id: string }) => id);
  const most = settingRules['limits.itemsPerAlbum'].max;
  for (let from = 0; from < all.length; from += most)
    expect(
      (await call('deleteItems', { albumId: shared.albumId, mediaIds: all.slice(from, from + most) })).status,
    ).toBe(200);
  const back = await call('restoreItems', { albumId: shared.albumId, mediaIds: all.slice(0, most) });
  expect([back.status, back.body.restored?.length]).toEqual([200, most]);
});
