import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { settingsOf } from '#features/settings/settings.ts';
import { writeSetting } from '#features/settings/store.ts';
import { seedAlbum, seedPhoto } from '#tests/support/media/pictures.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { type Browser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { destroyDeletedAlbums, tidyItems } from '../jobs.ts';

let app: TestApp;
let ana: Person;
let eve: Person;
const start = '2026-11-21T12:00:00Z';

beforeAll(async () => {
  app = await openTestApp();
  [ana, eve] = [await signUpCreator(app), await signUpCreator(app)];
});
afterEach(() => app.setNow(start));
afterAll(() => app.close());

const photoOf = async (person = ana) => (await seedPhoto(app, person.userId)).mediaId;
const albumOf = (mediaIds: readonly string[], name = 'Sea') => seedAlbum(app, ana.userId, mediaIds, name);
const call = (procedure: string, input: object, browser: Browser = ana.browser) =>
  app.call(`albums.${procedure}`, input, browser);
const idsOf = async (albumId: string): Promise<string[]> =>
  (await call('one', { albumId })).body.items.map(({ id }: { id: string }) => id);
const deletedOf = async (albumId: string): Promise<{ id: string; undoUntil: string }[]> =>
  (await call('deletedItems', { albumId })).body;
/** Changes a limit, and waits until this process has heard of it. */
async function limit(key: 'limits.itemsPerAlbum' | 'limits.albums', value: number): Promise<void> {
  const set = { key, value, by: null, now: new Date() };
  await app.engines.database.work({ kind: 'system' }, (tx) => writeSetting(tx, set));
  await vi.waitFor(async () => expect((await settingsOf(app.engines))[key]).toBe(value));
}

test('a deleted photo is listed with its time, comes back to its place within 72 hours, and not at their end', async () => {
  const ids = [await photoOf(), await photoOf(), await photoOf()] as const;
  const albumId = await albumOf(ids);
  const deleted = await call('deleteItems', { albumId, mediaIds: [ids[1]] });
  expect(new Date(deleted.body.undoUntil).toISOString()).toBe('2026-11-24T12:00:00.000Z');
  expect(await idsOf(albumId)).toEqual([ids[0], ids[2]]);
  expect(await deletedOf(albumId)).toMatchObject([{ id: ids[1], state: 'ready' }]);
  app.setNow('2026-11-24T11:59:59Z');
  expect((await call('restoreItems', { albumId, mediaIds: [ids[1]] })).status).toBe(200);
  expect([await idsOf(albumId), await deletedOf(albumId)]).toEqual([[...ids], []]);
  await call('deleteItems', { albumId, mediaIds: [ids[1]] });
  app.setNow('2026-11-27T11:59:59Z');
  expect(await deletedOf(albumId)).toEqual([]);
  expect((await call('restoreItems', { albumId, mediaIds: [ids[1]] })).status).toBe(409);
});

test('a photo that is taken out of one of two albums stays in the other; out of its last one it is deleted', async () => {
  const [both, only] = [await photoOf(), await photoOf()];
  const [sea, land] = [await albumOf([both, only]), await albumOf([both], 'Land')];
  const out = await call('removeItems', { albumId: sea, mediaIds: [both, only] });
  expect(out.body).toEqual({ taken: [both], deleted: [only] });
  expect([await idsOf(sea), await idsOf(land)]).toEqual([[], [both]]);
  expect((await deletedOf(sea)).map(({ id }) => id)).toEqual([only]);
  expect((await call('removeItems', { albumId: land, mediaIds: [both] })).body.deleted).toEqual([both]);
  expect((await deletedOf(land)).map(({ id }) => id)).toEqual([both]);
});

test('a photo that is taken out of both its albums at once is left in no album alone', async () => {
  const photo = await photoOf();
  const albums = [await albumOf([photo]), await albumOf([photo], 'Land')];
  await Promise.all(albums.map((albumId) => call('removeItems', { albumId, mediaIds: [photo] })));
  const [row] = await readRows(
    app,
    'select deleted_at is not null as deleted, (select count(*)::int from album_items where media_id = m.id) as albums from media m where id = $1',
    [photo],
  );
  expect(row).toEqual({ deleted: true, albums: 1 });
});

test('a photo that no album holds any more is deleted by the hourly job, and comes back where it was uploaded to', async () => {
  const photo = await photoOf();
  const albumId = await albumOf([photo]);
  await readRows(app, 'delete from album_items where media_id = $1', [photo]);
  await readRows(
    app,
    `insert into uploads (id, creator_id, album_id, media_id, original_name, bytes, state, expires_at, created_at)
    values ($1, $2, $3, $1, 'sea.jpg', 1, 'complete', $4, $4)`,
    [photo, ana.userId, albumId, start],
  );
  await tidyItems(app.engines);
  expect((await deletedOf(albumId)).map(({ id }) => id)).toEqual([photo]);
  expect((await call('restoreItems', { albumId, mediaIds: [photo] })).status).toBe(200);
  expect(await idsOf(albumId)).toEqual([photo]);
  await tidyItems(app.engines);
  expect(await idsOf(albumId)).toEqual([photo]);
});

test('photos move to another album with their captions, and copies stay in both', async () => {
  const [one, two] = [await photoOf(), await photoOf()];
  const [sea, land] = [await albumOf([one, two]), await albumOf([], 'Land')];
  await call('editItem', { albumId: sea, mediaId: one, caption: 'Low tide' });
  expect((await call('moveItems', { albumId: sea, toAlbumId: land, mediaIds: [one] })).status).toBe(200);
  expect((await call('addItems', { albumId: land, mediaIds: [two] })).status).toBe(200);
  expect([await idsOf(sea), await idsOf(land)]).toEqual([[two], [one, two]]);
  expect((await call('one', { albumId: land })).body.items[0].caption).toBe('Low tide');
  await call('remove', { albumId: sea });
  expect((await call('moveItems', { albumId: land, toAlbumId: sea, mediaIds: [one] })).status).toBe(409);
  expect((await call('moveItems', { albumId: land, toAlbumId: land, mediaIds: [one] })).status).toBe(409);
});

test("nothing of it can be done with somebody else's album", async () => {
  const photo = await photoOf();
  const albumId = await albumOf([photo]);
  const hers = await seedAlbum(app, eve.userId, []);
  for (const [procedure, input] of [
    ['deletedItems', {}],
    ['deleteItems', { mediaIds: [photo] }],
    ['restoreItems', { mediaIds: [photo] }],
    ['moveItems', { mediaIds: [photo], toAlbumId: hers }],
  ] as const)
    expect((await call(procedure, { albumId, ...input }, eve.browser)).status, procedure).toBe(404);
  expect((await call('moveItems', { albumId, mediaIds: [photo], toAlbumId: hers })).status).toBe(404);
  expect(await idsOf(albumId)).toEqual([photo]);
});

test('a deleted photo takes no place of a full album, and does not come back into one that was filled meanwhile', async () => {
  const [one, two, three] = [await photoOf(), await photoOf(), await photoOf()];
  const albumId = await albumOf([one, two]);
  await limit('limits.itemsPerAlbum', 2);
  expect((await call('addItems', { albumId, mediaIds: [three] })).status).toBe(409);
  await call('deleteItems', { albumId, mediaIds: [two] });
  expect((await call('addItems', { albumId, mediaIds: [three] })).status).toBe(200);
  expect((await call('restoreItems', { albumId, mediaIds: [two] })).status).toBe(409);
  await limit('limits.itemsPerAlbum', 500);
  expect((await call('restoreItems', { albumId, mediaIds: [two] })).status).toBe(200);
});

test('of several photos those come back that can, and each of the others says why not', async () => {
  const [here, late, full, strange] = [await photoOf(), await photoOf(), await photoOf(), await photoOf()];
  const albumId = await albumOf([here, late, full]);
  const land = await albumOf([full], 'Land');
  await call('deleteItems', { albumId, mediaIds: [late] });
  app.setNow('2026-11-23T12:00:00Z');
  await call('deleteItems', { albumId, mediaIds: [here, full] });
  app.setNow('2026-11-24T12:00:00Z');
  await limit('limits.itemsPerAlbum', 1);
  expect((await call('addItems', { albumId: land, mediaIds: [strange] })).status).toBe(200);
  const back = await call('restoreItems', { albumId, mediaIds: [here, late, full, strange, here] });
  expect([back.status, back.body]).toEqual([
    200,
    {
      restored: [here],
      refused: [
        { mediaId: late, message: "It's too late to bring this back." },
        { mediaId: full, message: '“Land” is full: an album can hold up to 1 items.' },
        { mediaId: strange, message: "It isn't in this album." },
      ],
    },
  ]);
  expect(await idsOf(albumId)).toEqual([here]);
  // What is here already is no refusal; where nothing came back, its reason is the answer.
  expect((await call('restoreItems', { albumId, mediaIds: [here] })).body).toEqual({ restored: [here], refused: [] });
  const none = await call('restoreItems', { albumId, mediaIds: [full] });
  expect([none.status, none.body.message]).toEqual([409, '“Land” is full: an album can hold up to 1 items.']);
  await limit('limits.itemsPerAlbum', 500);
});

test('a photo does not come back into any album that was filled meanwhile, through whichever door', async () => {
  const [one, two] = [await photoOf(), await photoOf()];
  const [albumId, land] = [await albumOf([one]), await albumOf([one], 'Land')];
  await call('deleteItems', { albumId, mediaIds: [one] });
  await limit('limits.itemsPerAlbum', 1);
  expect((await call('addItems', { albumId: land, mediaIds: [two] })).status).toBe(200);
  const answers = [
    await call('restoreItems', { albumId, mediaIds: [one] }),
    await app.call('media.restore', { mediaId: one }, ana.browser),
  ];
  expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
    [409, '“Land” is full: an album can hold up to 1 items.'],
    [409, '“Land” is full: an album can hold up to 1 items.'],
  ]);
  await limit('limits.itemsPerAlbum', 500);
  expect((await app.call('media.restore', { mediaId: one }, ana.browser)).status).toBe(200);
  expect([await idsOf(albumId), await idsOf(land)]).toEqual([[one], [one, two]]);
});

test('a deleted album comes back only where there is room for one more', async () => {
  const mia = await signUpCreator(app);
  const make = (name: string) => call('create', { name }, mia.browser);
  const { body: first } = await make('First');
  await call('remove', { albumId: first.id }, mia.browser);
  await limit('limits.albums', 1);
  const { body: second } = await make('Second');
  const full = await call('restore', { albumId: first.id }, mia.browser);
  expect([full.status, full.body.message]).toEqual([409, "You've reached the limit of 1 album."]);
  await call('remove', { albumId: second.id }, mia.browser);
  expect((await call('restore', { albumId: first.id }, mia.browser)).status).toBe(200);
  await limit('limits.albums', 200);
});

/** Holds the row of a photo, as whoever just deletes it does. @returns what ends it, deleting the photo */
async function deleteSlowly(mediaId: string): Promise<() => Promise<void>> {
  const client = new pg.Client(app.engines.database.connection as pg.ClientConfig);
  await client.connect();
  await client.query('begin; set local role app_system');
  await client.query('update media set deleted_at = $2 where id = $1', [mediaId, start]);
  return async () => {
    await client.query('commit');
    await client.end();
  };
}
/** Waits until somebody waits for that row; only their own role may see it. */
async function untilWaiting(): Promise<void> {
  const client = new pg.Client(app.engines.database.connection as pg.ClientConfig);
  await client.connect();
  const text = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const waiting = expect.poll(async () => (await client.query(text)).rowCount, { interval: 20 });
  await waiting.toBe(1).finally(() => client.end());
}

test('a photo that is being deleted goes into no album meanwhile, neither moved nor copied', async () => {
  for (const procedure of ['moveItems', 'addItems'] as const) {
    const photo = await photoOf();
    const [sea, land] = [await albumOf([photo]), await albumOf([], 'Land')];
    const end = await deleteSlowly(photo);
    const input = { moveItems: { albumId: sea, toAlbumId: land }, addItems: { albumId: land } }[procedure];
    const bringing = call(procedure, { ...input, mediaIds: [photo] });
    await untilWaiting();
    await end();
    expect((await bringing).status, procedure).toBe(404);
    const held = await readRows(app, 'select album_id from album_items where media_id = $1', [photo]);
    expect(held).toEqual([{ album_id: sea }]);
  }
});

test('albums that are made at the same moment stop at the limit', async () => {
  const mia = await signUpCreator(app);
  await limit('limits.albums', 3);
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, n) => call('create', { name: `Album ${n}` }, mia.browser)),
  );
  await limit('limits.albums', 200);
  expect(made.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409, 409, 409, 409]);
});

test('an album that is destroyed takes along only what no other album holds', async () => {
  const [both, only] = [await photoOf(), await photoOf()];
  const [sea, land] = [await albumOf([both, only]), await albumOf([both], 'Land')];
  await call('remove', { albumId: sea });
  app.setNow('2026-11-24T12:10:00Z');
  await destroyDeletedAlbums(app.engines);
  const states = await readRows(app, 'select id, state from media where id = any($1)', [[both, only]]);
  expect(new Map(states.map(({ id, state }) => [id, state]))).toEqual(
    new Map([
      [both, 'ready'],
      [only, 'deleted'],
    ]),
  );
  expect(land).not.toBe(sea);
});
