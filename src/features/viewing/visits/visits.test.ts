import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LiveEvent } from '#engines/database/work.ts';
import { seedAlbum } from '#tests/support/media/pictures.ts';
import { seedVideo } from '#tests/support/media/videos.ts';
import { readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { endQuietVisits } from '../jobs.ts';
import { galleryId } from '../rules.ts';

let app: TestApp;
let shared: SharedAlbum;
const received: LiveEvent[] = [];
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app);
  app.live.watch(
    (event) => received.push(event),
    () => undefined,
  );
});
afterAll(() => app.close());
beforeEach(() => app.setNow('2026-11-21T12:00:00Z'));

const at = (seconds: number) => app.setNow(new Date(Date.parse('2026-11-21T12:00:00Z') + 1000 * seconds).toISOString());
const mediaId = (n: number) => shared.photos[n]?.mediaId ?? '';

interface Look {
  id: string;
  slug: string;
  browser: Browser;
  visitId: string;
}
const look = async (rules: object = {}, browser = newBrowser()): Promise<Look> => {
  const { id, slug } = await shared.makeLink(rules);
  const { head } = await shared.viewerApi.tap(slug, {}, browser);
  return { id, slug, browser, visitId: head.visitId };
};
const renew = ({ visitId, browser }: Look, samples: [string, number][], more: object = {}) =>
  app.call(
    'viewing.renew',
    { visitId, samples: samples.map(([item, visibleMs]) => ({ mediaId: item, visibleMs })), idleMs: 0, ...more },
    browser,
  );
const visitOf = ({ visitId }: Look) => readRow(app, 'select * from viewer_sessions where id = $1', [visitId]);
const linkOf = ({ id }: Look) =>
  readRow(app, 'select views_count, unique_viewers, watch_ms from magic_links where id = $1', [id]);
const events =
  'select kind, media_id, ms_visible, first_of_viewer from view_events where visit_id = $1 order by xid, kind, ms_visible';
const eventsOf = ({ visitId }: Look) => readRows(app, events, [visitId]);
const watchedOf = async ({ id }: Look) =>
  (await readRow(app, 'select watched_ms from link_viewers where link_id = $1', [id])).watched_ms;

describe('a renewal', () => {
  it('answers new tokens of the leases that are asked for, good for another half minute', async () => {
    const visit = await look();
    at(15);
    const other = await look();
    const leases = await readRows(app, 'select id, pack_id, grant_id from key_leases where session_id = $1', [
      visit.visitId,
    ]);
    const foreign = await readRows(app, 'select id from key_leases where session_id = $1', [other.visitId]);
    expect((await renew(visit, [])).body).toEqual({
      expiresInMs: 30_000,
      renewAfterMs: 15_000,
      tokens: {},
      endsInMs: 2_591_985_000,
    });
    const tokensFor = [...leases, ...foreign].map(({ id }) => id);
    const { status, body } = await renew(visit, [], { tokensFor });
    expect(status).toBe(200);
    expect(Object.keys(body.tokens).sort()).toEqual(leases.map(({ id }) => id).sort());
    const [lease] = leases;
    at(40);
    const again = await shared.viewerApi.tap(visit.slug, {}, visit.browser);
    const url = again.head.leases.find(({ packId }: { packId: string }) => packId === lease?.pack_id).url;
    const answer = await shared.viewerApi.fetch(
      url,
      { headers: { 'pf-lease': body.tokens[String(lease?.id)] } },
      newBrowser(),
    );
    expect(answer.status).toBe(200);
  });

  it('credits what was looked at, and makes the visit a view after two seconds', async () => {
    const visit = await look();
    at(15);
    await renew(visit, [[mediaId(0), 1500]], { lookingAt: mediaId(0) });
    expect(await linkOf(visit)).toEqual({ views_count: 0, unique_viewers: 0, watch_ms: 0 });
    at(30);
    await renew(visit, [[mediaId(0), 15_000]], { lookingAt: mediaId(0) });
    expect(await visitOf(visit)).toMatchObject({
      watch_ms: 16_500,
      look_ms: 16_500,
      current_media_id: mediaId(0),
      counted: true,
    });
    expect(await linkOf(visit)).toEqual({ views_count: 1, unique_viewers: 1, watch_ms: 0 });
    at(45);
    await renew(
      visit,
      [
        [mediaId(0), 5000],
        [mediaId(1), 10_000],
      ],
      { lookingAt: mediaId(1) },
    );
    expect(await linkOf(visit)).toMatchObject({ views_count: 1 });
    at(50);
    await renew(visit, [[mediaId(1), 5000]], { leaving: true });
    expect(await visitOf(visit)).toMatchObject({
      state: 'closed',
      end_reason: 'left',
      watch_ms: 36_500,
      items_seen: 2,
      current_media_id: null,
    });
    expect(await linkOf(visit)).toEqual({ views_count: 1, unique_viewers: 1, watch_ms: 36_500 });
    expect(await eventsOf(visit)).toEqual([
      { kind: 'open', media_id: null, ms_visible: 0, first_of_viewer: null },
      { kind: 'view', media_id: null, ms_visible: 0, first_of_viewer: true },
      { kind: 'look', media_id: mediaId(0), ms_visible: 21_500, first_of_viewer: null },
      { kind: 'look', media_id: mediaId(1), ms_visible: 15_000, first_of_viewer: null },
    ]);
  });

  it('takes what its link does not show for the gallery: nobody is said to have looked at it', async () => {
    const video = await seedVideo(app, shared.creator.userId);
    await seedAlbum(app, shared.creator.userId, [video.mediaId], 'Of another link');
    for (const strange of [video.mediaId, crypto.randomUUID()]) {
      const visit = await look();
      const samples = [{ mediaId: strange, visibleMs: 4000, played: [[0, 4]] }];
      for (const [seconds, lookingAt] of [
        [15, strange],
        [30, strange],
        [45, mediaId(0)],
      ] as const) {
        at(seconds);
        const beat = { visitId: visit.visitId, samples, idleMs: 0, lookingAt };
        expect((await app.call('viewing.renew', beat, visit.browser)).status).toBe(200);
        const { current_media_id, look_played } = await visitOf(visit);
        const expected = lookingAt === strange ? null : lookingAt;
        expect([current_media_id, look_played]).toEqual([expected, '{}']);
      }
      await renew(visit, [], { leaving: true });
      expect(await visitOf(visit)).toMatchObject({ watch_ms: 12_000, items_seen: 0 });
      const looks = await readRows(
        app,
        "select media_id, played, film_seconds, sum(ms_visible)::int as ms from view_events where visit_id = $1 and kind = 'look' group by 1, 2, 3",
        [visit.visitId],
      );
      expect(looks).toEqual([{ media_id: null, played: null, film_seconds: null, ms: 12_000 }]);
      app.setNow('2026-11-21T12:00:00Z');
    }
  });

  it('counts a look at what has left the link since it was looked at', async () => {
    const visit = await look();
    const hide = (isHidden: boolean) =>
      app.call('albums.editItem', { albumId: shared.albumId, mediaId: mediaId(1), isHidden }, shared.creator.browser);
    at(15);
    await hide(true);
    await renew(visit, [[mediaId(1), 3000]], { leaving: true });
    await hide(false);
    expect(await eventsOf(visit)).toContainEqual(
      expect.objectContaining({ kind: 'look', media_id: mediaId(1), ms_visible: 3000 }),
    );
  });

  it('adds up: what is on the visit, on the admission, in the looks and on the link is the same time', async () => {
    const visit = await look();
    for (let n = 1; n <= 6; n++) {
      at(15 * n);
      await renew(
        visit,
        [
          [galleryId, 4000],
          [mediaId(n % 2), 9000],
        ],
        n % 3 === 0 ? {} : { lookingAt: mediaId(n % 2) },
      );
    }
    await renew(visit, [], { leaving: true });
    const { watch_ms } = await visitOf(visit);
    const summed = 'select sum(ms_visible)::int as ms from view_events where visit_id = $1';
    const { ms } = await readRow(app, summed, [visit.visitId]);
    const reported = [watch_ms, ms, await watchedOf(visit), (await linkOf(visit)).watch_ms];
    expect(reported).toEqual([78_000, 78_000, 78_000, 78_000]);
  });

  it('is credited once when two tabs send it at the same moment', async () => {
    const visit = await look();
    at(15);
    await Promise.all(Array.from({ length: 8 }, () => renew(visit, [[mediaId(0), 15_000]], { lookingAt: mediaId(0) })));
    expect((await visitOf(visit)).watch_ms).toBe(15_000);
    expect(await watchedOf(visit)).toBe(15_000);
  });

  it('closes the visit softly after five minutes without input, and the time stops', async () => {
    const visit = await look();
    at(15);
    const { status, body } = await renew(visit, [[mediaId(0), 15_000]], { idleMs: 315_000, lookingAt: mediaId(0) });
    expect([status, body.data.reason, body.data.title]).toEqual([410, 'CLOSED', 'Still there?']);
    expect(await visitOf(visit)).toMatchObject({ state: 'closed', end_reason: 'idle', watch_ms: 0 });
    at(20);
    const again = await shared.viewerApi.tap(visit.slug, {}, visit.browser);
    expect(again.head.visitId).toBe(visit.visitId);
    expect(await visitOf(visit)).toMatchObject({ state: 'open', end_reason: null, ended_at: null });
  });

  it('ends when the time to watch is used up, with the last of it credited', async () => {
    const visit = await look({ viewBudgetMs: 60_000 });
    at(50);
    expect((await renew(visit, [[mediaId(0), 50_000]], { lookingAt: mediaId(0) })).body.endsInMs).toBe(10_000);
    at(65);
    const { status, body } = await renew(visit, [[mediaId(0), 15_000]], { lookingAt: mediaId(0) });
    expect([status, body.data.reason]).toEqual([410, 'TIME_USED']);
    expect(await visitOf(visit)).toMatchObject({ state: 'cut', end_reason: 'time_used', watch_ms: 65_000 });
    expect((await shared.viewerApi.tap(visit.slug, {}, visit.browser)).refusal?.reason).toBe('TIME_USED');
  });

  it("counts nothing of the creator's own look", async () => {
    const { id, slug } = await shared.makeLink();
    const browser = { cookies: new Map(shared.creator.browser.cookies) };
    const { head } = await shared.viewerApi.tap(slug, {}, browser);
    const own = { id, slug, browser, visitId: head.visitId };
    at(15);
    await renew(own, [[mediaId(0), 15_000]], { lookingAt: mediaId(0) });
    await renew(own, [], { leaving: true });
    expect(await linkOf(own)).toEqual({ views_count: 0, unique_viewers: 0, watch_ms: 0 });
    expect(await eventsOf(own)).toEqual([]);
    expect(await visitOf(own)).toMatchObject({ watch_ms: 15_000, suspect_reason: 'own' });
  });
});

describe('a visit', () => {
  it('ends at its last beat when nobody renews it for ten minutes', async () => {
    const visit = await look();
    at(15);
    await renew(visit, [[mediaId(0), 12_000]], { lookingAt: mediaId(0) });
    at(15 + 600);
    await endQuietVisits(app.engines);
    expect((await visitOf(visit)).state).toBe('open');
    at(15 + 601);
    await endQuietVisits(app.engines);
    await endQuietVisits(app.engines);
    expect(await visitOf(visit)).toMatchObject({
      state: 'closed',
      end_reason: 'left',
      ended_at: new Date('2026-11-21T12:00:15Z'),
    });
    expect(await linkOf(visit)).toMatchObject({ watch_ms: 12_000 });
    expect((await eventsOf(visit)).filter(({ kind }) => kind === 'look')).toHaveLength(1);
  });

  it('cannot be renewed any more after such a gap', async () => {
    const visit = await look();
    at(600);
    const { status, body } = await renew(visit, [[mediaId(0), 15_000]]);
    expect([status, body.data.reason]).toEqual([410, 'CLOSED']);
  });

  it('makes one viewer one unique viewer, over all their visits and looks', async () => {
    const visit = await look();
    at(15);
    await renew(visit, [[mediaId(0), 3000]], { lookingAt: mediaId(0) });
    at(2000);
    const { head } = await shared.viewerApi.tap(visit.slug, {}, visit.browser);
    at(2015);
    await renew({ ...visit, visitId: head.visitId }, [[mediaId(0), 3000]], { lookingAt: mediaId(0) });
    expect(await linkOf(visit)).toMatchObject({ views_count: 2, unique_viewers: 1 });
    const firsts = await readRows(
      app,
      `select first_of_viewer from view_events where link_id = $1 and kind = 'view' order by at`,
      [visit.id],
    );
    expect(firsts).toEqual([{ first_of_viewer: true }, { first_of_viewer: null }]);
  });

  it('is told to the studio when it begins, moves on and ends, by ids alone', async () => {
    received.length = 0;
    const visit = await look();
    at(15);
    await renew(visit, [[mediaId(0), 3000]], { lookingAt: mediaId(0) });
    at(30);
    await renew(visit, [[mediaId(0), 15_000]], { lookingAt: mediaId(0) });
    await renew(visit, [], { leaving: true });
    await new Promise((go) => setTimeout(go, 200));
    const ids = { creatorId: shared.creator.userId, linkId: visit.id, visitId: visit.visitId };
    const reported = received.filter(({ visitId }) => visitId === visit.visitId);
    expect(reported).toEqual([
      { kind: 'visit.opened', ...ids },
      { kind: 'visit.moved', ...ids },
      { kind: 'visit.moved', ...ids },
      { kind: 'visit.ended', ...ids },
    ]);
  });
});
