import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepGatePass, keepViewer } from '#features/viewing/opening/admissions-store.ts';
import { endVisit } from '#features/viewing/visits-store.ts';
import { newId } from '#kit/ids.ts';
import { foldAllViews } from '#tests/support/database/fold-views.ts';
import { pseudonymOf } from '#tests/support/database/viewer-rows.ts';
import { addPhotos, comeBy, type VisitInTest } from '#tests/support/looks.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { forgetOldVisits } from './jobs.ts';
import { compareViews, describeDifference, recountViews, repairViews } from './recount.ts';

let app: TestApp;
let mia: Person;
let eve: Person;
let photos: string[];
let bob: string;
let lena: string;
let makeLink: (linkName: string) => Promise<string>;
const noon = '2026-11-21T12:00:00Z';
const ago = (ms: number) => new Date(Date.parse(noon) - ms);

beforeAll(async () => {
  app = await openTestApp({ now: noon, workJobs: false });
  [mia, eve] = [await signUpCreator(app), await signUpCreator(app)];
  const album = await addPhotos(app, mia.userId, 3);
  photos = album.mediaIds;
  makeLink = async (linkName) => {
    const input = { albumIds: [album.albumId], linkName, isLaxConfirmed: true };
    return (await app.call('links.create', input, mia.browser)).body.id;
  };
  bob = await makeLink('Golden hour');
  lena = await makeLink('For the weekend');
  await come({ linkId: bob, at: ago(86_400_000), end: 'left', looks: [{ mediaId: photo(0), ms: 5000 }] });
});
afterAll(() => app.close());

const ask = (procedure: string, input: object = {}, { browser } = mia) =>
  app.call(`insights.${procedure}`, input, browser);
const come = (visit: Omit<VisitInTest, 'creatorId'>) => comeBy(app, { creatorId: mia.userId, ...visit });
const photo = (n: number) => photos[n] ?? '';
const oneLink = async (linkId: string) => (await app.call('links.one', { linkId }, mia.browser)).body;

describe('who is looking now', () => {
  it('shows each living screen with the exact picture and its place in the album', async () => {
    const { visitId, viewer } = await come({
      linkId: lena,
      at: ago(30_000),
      country: 'SE',
      lookingAt: photo(1),
      lookMs: 20_000,
    });
    const { body } = await ask('lookingNow');
    const viewerId = await pseudonymOf(app, viewer.viewerId);
    expect(body.screens).toMatchObject([
      {
        visitId,
        viewerId,
        linkName: 'For the weekend',
        albumName: 'Golden hour',
        country: 'SE',
        picture: { mediaId: photo(1), place: 2, count: 3, thumbhash: expect.any(String) },
        lookedMs: 30_000,
      },
    ]);
    expect((await ask('lookingNow', {}, eve)).body.screens).toEqual([]);
    expect((await ask('lookingNow', { linkId: lena })).body.screens).toEqual(body.screens);
    expect((await ask('lookingNow', { linkId: visitId })).body.screens).toEqual([]);
  });
  it('counts the look that goes on before it is over', async () => {
    const { body } = await ask('overview', { days: 7 });
    expect(body.figures.watchMs).toBe(5000 + 20_000);
    expect(body.items[0]).toMatchObject({ mediaId: photo(1), looks: 1, watchMs: 20_000 });
  });
  it('forgets a screen that has said nothing for 40 seconds, and one whose link was revoked at once', async () => {
    app.setNow(new Date(Date.parse(noon) + 29_999).toISOString());
    expect((await ask('lookingNow')).body.screens).toHaveLength(1);
    app.setNow(new Date(Date.parse(noon) + 30_000).toISOString());
    expect((await ask('lookingNow')).body.screens).toHaveLength(0);
    app.setNow(noon);
    await app.call('links.revoke', { linkIds: [lena] }, mia.browser);
    expect((await ask('lookingNow')).body.screens).toHaveLength(0);
  });
  it('never says so of a program: neither its link nor its visit', async () => {
    const { visitId } = await come({ linkId: bob, at: ago(10_000), suspect: 'automation' });
    const { visits } = (await ask('visitsOfLink', { linkId: bob })).body;
    const [visit] = visits.filter((one: { visitId: string }) => one.visitId === visitId);
    expect(visit).toMatchObject({ isLookingNow: false, notCounted: 'automation' });
    expect((await oneLink(bob)).isLookingNow).toBe(false);
  });
  it('tells after a revocation how many screens went dark, and when the last of them did', async () => {
    const linkId = await makeLink('Two screens');
    const screens = [await come({ linkId, at: ago(9000) }), await come({ linkId, at: ago(8000) })];
    const program = await come({ linkId, at: ago(7000), suspect: 'automation' });
    await app.call('links.revoke', { linkIds: [linkId] }, mia.browser);
    expect((await oneLink(linkId)).dark).toBeNull();
    for (const [at, { visitId }] of [program, ...screens].entries())
      await endVisit(app.engines.database, {
        visitId,
        state: 'cut',
        reason: 'revoked',
        closesScreen: true,
        now: ago(at * -400),
      });
    expect((await oneLink(linkId)).dark).toEqual({ screens: 2, at: ago(-800).toISOString() });
    expect((await oneLink(bob)).dark).toBeNull();
  });
});

describe('the nightly recount', () => {
  const warnings = () => readRows(app, `select error_message from error_logs where component = 'insights.recount'`);

  it('finds nothing where counters, sums and stream agree', async () => {
    await foldAllViews(app.engines);
    expect(await recountViews(app.engines)).toBe(0);
    expect(await warnings()).toEqual([]);
  });
  it('reports a counter that differs, and repairs nothing', async () => {
    await readRows(app, `update magic_links set views_count = views_count + 1 where id = '${bob}'`);
    expect(await recountViews(app.engines)).toBe(1);
    expect((await warnings())[0]?.error_message).toContain(`link ${bob}: views 2, streamViews 1`);
    expect(await readRows(app, `select views_count from magic_links where id = '${bob}'`)).toEqual([
      { views_count: 2 },
    ]);
    await readRows(app, `update magic_links set views_count = 1 where id = '${bob}'`);
  });
  it('reports a sum that lost a view', async () => {
    await readRows(app, `update link_days set views = views - 1 where link_id = '${bob}' and day = '2026-11-20'`);
    expect((await compareViews(app.engines)).map(describeDifference)).toEqual([
      expect.stringContaining(`link ${bob}: views 1`),
      `creator ${mia.userId}: 1 sums of link_days`,
      `creator ${mia.userId}: 1 sums of link_months`,
    ]);
    await readRows(app, `update link_days set views = views + 1 where link_id = '${bob}' and day = '2026-11-20'`);
    expect(await recountViews(app.engines)).toBe(0);
    await readRows(
      app,
      `update link_months set watch_ms = watch_ms + 1 where link_id = '${bob}' and month = '2026-11-01'`,
    );
    expect(await recountViews(app.engines)).toBe(2);
  });
  it.each([
    ['creator_days', 'opens'],
    ['album_days', 'looks'],
    ['item_days', 'watch_ms'],
    ['audience_days', 'views'],
    ['album_months', 'watch_ms'],
    ['item_months', 'looks'],
    ['audience_months', 'opens'],
  ])('reports one row of %s that lost or gained something', async (table, column) => {
    const tables = async () =>
      (await compareViews(app.engines)).flatMap((wrong) => ('table' in wrong ? [wrong.table] : []));
    const others = await tables();
    const change = (by: string, row: string) =>
      readRows(app, `update ${table} set ${column} = ${column} ${by} where ctid = (${row}) returning ctid`);
    const [{ ctid }] = (await change('+ 1', `select min(ctid) from ${table}`)) as [{ ctid: string }];
    expect(await tables()).toContain(table);
    await change('- 1', `'${ctid}'`);
    expect(await tables()).toEqual(others);
  });
  it('is repaired when an operator asks for it, and only then: counters and every sum', async () => {
    const sumsOf = async () => ({
      links: await readRows(app, `select views_count, unique_viewers, watch_ms from magic_links order by id`),
      creators: await readRows(app, 'select * from creator_days order by creator_id, day'),
      albums: await readRows(app, 'select * from album_days order by album_id, day'),
      items: await readRows(app, 'select * from item_days order by media_id, day'),
      audience: await readRows(app, 'select * from audience_days order by creator_id, day, country'),
      linkMonths: await readRows(app, 'select * from link_months order by link_id, month'),
      albumMonths: await readRows(app, 'select * from album_months order by album_id, month'),
      itemMonths: await readRows(app, 'select * from item_months order by media_id, month'),
      audienceMonths: await readRows(app, 'select * from audience_months order by creator_id, month, country'),
    });
    await repairViews(app.engines);
    const right = await sumsOf();
    expect(right.links).toContainEqual({ views_count: 1, unique_viewers: 1, watch_ms: 5000 });
    await readRows(app, `insert into creator_days (creator_id, day, views) values ('${mia.userId}', '2024-03-01', 77)`);
    await readRows(app, `update magic_links set views_count = 9, unique_viewers = 4, watch_ms = 1 where id = '${bob}'`);
    for (const table of ['creator_days', 'audience_days'])
      await readRows(app, `update ${table} set watch_ms = watch_ms + 1 where day > '2026-01-01'`);
    for (const table of ['album_days', 'item_days', 'album_months', 'audience_months'])
      await readRows(app, `delete from ${table}`);
    await readRows(app, `update item_months set looks = looks + 1`);
    expect(await repairViews(app.engines)).toContainEqual(
      expect.objectContaining({ linkId: bob, views: 9, streamViews: 1 }),
    );
    expect(await recountViews(app.engines)).toBe(0);
    // A day that the stream has forgotten stays as it was summed.
    expect(await readRows(app, `select views from creator_days where day = '2024-03-01'`)).toEqual([{ views: 77 }]);
    await readRows(app, `delete from creator_days where day = '2024-03-01'`);
    expect(await sumsOf()).toEqual(right);
    // What was folded once is not folded again.
    await foldAllViews(app.engines);
    expect(await sumsOf()).toEqual(right);
    expect(await repairViews(app.engines)).toEqual([]);
  });
});

describe('single visits', () => {
  it('are forgotten after 13 months and a day; who was let in, and with which marks, stays', async () => {
    const [kept, gone] = [
      await come({ linkId: bob, at: new Date('2025-10-21T12:00:00Z'), end: 'left' }),
      await come({ linkId: bob, at: new Date('2025-10-19T12:00:00Z'), end: 'left' }),
    ];
    await foldAllViews(app.engines);
    await forgetOldVisits(app.engines);
    await forgetOldVisits(app.engines);
    const left = (await readRows(app, 'select id from viewer_sessions')).map(({ id }) => id);
    expect(left).toContain(kept.visitId);
    expect(left).not.toContain(gone.visitId);
    const grant = gone.viewer.grants.get(bob);
    expect(await readRows(app, `select 1 from codeword_log where grant_id = '${grant}'`)).toHaveLength(1);
    expect(await readRows(app, `select 1 from link_viewers where id = '${grant}'`)).toHaveLength(1);
  });
  it('and the browser by which a viewer was known go when it has not come for 13 months and a day', async () => {
    const old = new Date('2025-10-19T12:00:00Z');
    const look = { linkId: bob, end: 'left' as const, looks: [{ mediaId: photo(0), ms: 5000 }] };
    const gone = (await come({ ...look, at: old, country: 'SE' })).viewer;
    const kept = (await come({ ...look, at: old })).viewer;
    await come({ ...look, at: new Date('2026-11-20T12:00:00Z'), viewer: kept });
    const passing = { viewerId: newId(old.getTime()), deviceId: newId(old.getTime()), secretHash: randomBytes(32) };
    const nothing = {
      browser: 'Safari',
      system: 'iPhone',
      inApp: undefined,
      country: 'SE',
      timeZone: 'Europe/Stockholm',
    };
    await app.engines.database.work({ kind: 'system' }, async (tx) => {
      await keepViewer(tx, { ...passing, ...nothing, screen: '390x844' }, true, old);
      await keepGatePass(tx, bob, gone.viewerId, 1, old);
    });
    const sums = () => readRows(app, 'select unique_viewers, views_count, watch_ms from magic_links order by id');
    await foldAllViews(app.engines);
    const before = await sums();
    await forgetOldVisits(app.engines);
    await forgetOldVisits(app.engines);
    const left = async (table: string, column = 'viewer_id') =>
      (await readRows(app, `select ${column} as id from ${table}`)).map(({ id }) => id);
    for (const table of ['viewer_devices', 'creator_viewers']) {
      expect([table, await left(table)]).toEqual([table, expect.arrayContaining([kept.viewerId])]);
      expect([table, await left(table)]).not.toEqual([table, expect.arrayContaining([gone.viewerId])]);
    }
    // Who only stood at a gate leaves nothing; who was let in stays as an id, for the mark that they were given.
    const viewers = await left('viewers', 'id');
    expect([passing, gone, kept].map(({ viewerId }) => viewers.includes(viewerId))).toEqual([false, true, true]);
    expect(await left('gate_passes')).not.toContain(gone.viewerId);
    expect(await readRows(app, `select age_confirmed_at from viewers where id = '${gone.viewerId}'`)).toEqual([
      { age_confirmed_at: null },
    ]);
    expect(await left('link_viewers')).toContain(gone.viewerId);
    expect(await readRows(app, `select 1 from codeword_log where grant_id = '${gone.grants.get(bob)}'`)).toHaveLength(
      1,
    );
    expect(await sums()).toEqual(before);
  });
});
