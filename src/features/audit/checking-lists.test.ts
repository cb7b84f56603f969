import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRows, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { listIds } from './leaks/listed-ids.ts';

const logged: unknown[] = [];
let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: (about: unknown) => void logged.push(about) };
  app = await openTestApp({ workJobs: false, log });
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

const leaks = () =>
  readRows<{ severity: string; message: string; user: string }>(
    app,
    `select severity, error_message as message, user_id as user from error_logs where component = 'data leak'`,
  );

describe('a list of a creator', () => {
  it('is given as it is while everything in it is theirs', async () => {
    await shared.makeLink();
    for (const procedure of ['albums.list', 'links.list'])
      expect((await app.call(procedure, {}, shared.creator.browser)).status).toBe(200);
    expect(await leaks()).toEqual([]);
  });

  it('is given where it only names what its caller has sent, which tells them nothing', async () => {
    const { creator, albumId, photos } = await shareAlbum(app, { count: 1 });
    const mediaIds = [photos[0]?.mediaId, shared.photos[0]?.mediaId];
    const answer = await app.call('albums.restoreItems', { albumId, mediaIds }, creator.browser);
    expect(answer.body.refused).toMatchObject([{ mediaId: mediaIds[1] }]);
    expect(await leaks()).toEqual([]);
  });

  it('does not leave with a planted row of somebody else in it, which is written down as critical', async () => {
    const { userId, browser } = await signUpCreator(app);
    await readRows(app, 'update users set is_free_user = true where id = $1', [userId]);
    expect((await app.call('albums.list', {}, browser)).body.albums).toEqual([]);
    // What keeps creators apart is gone: the planted fault.
    await app.engines.database.work({ kind: 'system' }, async ({ client }) => {
      await client.query('reset role');
      await client.query('create policy planted on albums for select to app_user using (true)');
    });
    const answer = await app.call('albums.list', {}, browser);
    expect([answer.status, JSON.stringify(answer.body).includes(shared.albumId)]).toEqual([500, false]);
    expect(await leaks()).toEqual([
      { severity: 'critical', message: "albums.list listed what is somebody else's: album", user: userId },
    ]);
    expect(logged).toHaveLength(1);
  });
});

it('the ids of an answer are those in its lists, however deep, and nothing that is no id', () => {
  const [a, b, c, d] = ['1', '2', '3', '4'].map((n) => `0196f0c2-7b1c-7e2a-8f00-00000000000${n}`);
  expect(
    listIds({ id: d, rows: [{ id: a, linkId: b, name: d, of: { albumId: c } }, { id: a }], at: new Date(0) }),
  ).toEqual([a, b, c]);
  expect(listIds({ albumIds: [a] })).toEqual([a]);
  expect(listIds(null)).toEqual([]);
});
