import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readRows, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app);
});
afterAll(() => app.close());

/** Programs are counted after their answer, many at once. */

describe('a program that opens a link', () => {
  it('is written down of a program as one row for each link and day, however often it comes', async () => {
    const { id, slug } = await shared.makeLink();
    const robot = newBrowser({ 'user-agent': 'curl/8.5.0' });
    const rows = () => readRows(app, 'select opens from robot_opens where link_id = $1 order by day', [id]);
    const all = async () => (await readRows(app, 'select link_id from robot_opens')).length;
    const before = await all();
    for (let n = 0; n < 3; n++) await shared.viewerApi.tap(slug, {}, robot);
    await shared.viewerApi.tap('nobodys-slug-at-all', {}, robot);
    await vi.waitFor(async () => expect(await rows()).toEqual([{ opens: 3 }]));
    await readRows(app, 'update robot_opens set opens = 1000 where link_id = $1', [id]);
    await shared.viewerApi.tap(slug, {}, robot);
    app.setNow('2026-11-22T12:00:00Z');
    await shared.viewerApi.tap(slug, {}, robot);
    app.setNow('2026-11-21T12:00:00Z');
    await vi.waitFor(async () =>
      expect([await rows(), await all()]).toEqual([[{ opens: 1000 }, { opens: 1 }], before + 2]),
    );
    const listed = async (browser: Browser) =>
      (await app.call('insights.notCounted', { days: 7 }, browser)).body.robots;
    expect(await listed(shared.creator.browser)).toContainEqual(expect.objectContaining({ linkId: id, opens: 1001 }));
    expect(await listed((await signUpCreator(app)).browser)).toEqual([]);
  });

  it('keeps no program waiting for its row: an address that leads somewhere answers as soon as any other', async () => {
    const { id, slug } = await shared.makeLink();
    const robot = newBrowser({ 'user-agent': 'curl/8.5.0' });
    const client = new pg.Client(app.engines.database.connection as pg.ClientConfig);
    await client.connect();
    await client.query('begin; lock table robot_opens in share mode');
    // The row can't be written before the lock is given back.
    expect(await shared.viewerApi.tap(slug, {}, robot)).toMatchObject({ refusal: { reason: 'NEED_BROWSER' } });
    await client.query('commit');
    await client.end();
    const rows = () => readRows(app, 'select opens from robot_opens where link_id = $1', [id]);
    await vi.waitFor(async () => expect(await rows()).toEqual([{ opens: 1 }]));
  });
});
