import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VideoLease } from '#features/media/contract.ts';
import { openSegment, readPlaylist } from '#tests/support/media/playlists.ts';
import { type SharedVideo, shareVideo } from '#tests/support/media/shared-video.ts';
import { readRow, readRows, signUpCreator } from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedVideo;
let mediaId: string;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareVideo(app);
  mediaId = shared.video.mediaId;
});
afterAll(() => app.close());

const askList = (name: string, browser: Browser, id = mediaId) =>
  shared.viewerApi.fetch(`/api/media/${id}/video/${name}`, {}, browser);
const askKeys = (browser: Browser, tracks: object[] = [{ track: 'v720', from: 0, count: 10 }]) =>
  app.call('media.videoKeys', { mediaId, tracks }, browser);

describe("a creator's own video", () => {
  it('plays for her: its lists, and every second of ten with its lent key', async () => {
    const { browser } = shared.creator;
    const main = await askList('main.m3u8', browser);
    expect([main.status, main.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect((await main.text()).match(/^\w+\.m3u8$/gm)).toEqual(['v480.m3u8', 'v720.m3u8']);
    const listed = readPlaylist(await (await askList('v720.m3u8', browser)).text());
    expect(listed).toHaveLength(25);
    const { status, body } = await askKeys(browser);
    expect([status, body.expiresInMs]).toEqual([200, 30_000]);
    const [{ packId, token, keys }] = body.leases as [VideoLease];
    const lent = Buffer.from(keys, 'base64url');
    expect(lent).toHaveLength(160);
    for (const [n, { slot, from, length }] of listed.slice(0, 10).entries()) {
      const { bytes } = await shared.askBytes(packId, slot, token, `${from}-${from + length - 1}`);
      const second = openSegment(lent.subarray(16 * n, 16 * n + 16), n, bytes);
      expect(second).toEqual(shared.video.tracks.v720.plain[slot]?.[n]);
    }
  });

  it('is marked for her by a grant of its own, noted as delivered, and counted nowhere', async () => {
    const counted = () =>
      readRow(
        app,
        `select (select count(*) from viewer_sessions) as visits, (select count(*) from view_events) as looks,
  (select coalesce(sum(lent_ms), 0) from link_viewers) as lent`,
      );
    await shared.someKeys(await shared.open());
    const before = await counted();
    await askKeys(shared.creator.browser);
    expect(await counted()).toEqual(before);
    expect(Number(before.visits)).toBeGreaterThan(0);
    const grants = await readRows(
      app,
      `select g.id from grants g join codeword_log c on c.grant_id = g.id where g.kind = 'owner'`,
    );
    expect(grants).toHaveLength(1);
    const slots = async (text: string) => readPlaylist(text).map(({ slot }) => slot);
    const own = await slots(await (await askList('v720.m3u8', shared.creator.browser)).text());
    expect(own).toEqual(await slots(await (await askList('v720.m3u8', shared.creator.browser)).text()));
    const viewers = await slots((await shared.askPlaylist(await shared.open(), 'v720.m3u8')).text);
    expect(own).not.toEqual(viewers);
    const id = grants[0]?.id;
    await askKeys(shared.creator.browser, [{ track: 'v720', from: 20, count: 10 }]);
    const shown = await readRows(app, 'select rendition, lent_seconds from deliveries where grant_id = $1', [id]);
    expect(shown).toEqual([{ rendition: 'v720', lent_seconds: '{[0,10),[20,25)}' }]);
    expect(
      await readRows(app, 'select 1 from key_leases where grant_id = $1 and session_id is not null', [id]),
    ).toEqual([]);
  });

  it("is nobody else's, and no longer hers once it is deleted", async () => {
    const stranger = (await signUpCreator(app)).browser;
    expect([(await askList('main.m3u8', stranger)).status, (await askKeys(stranger)).status]).toEqual([404, 404]);
    expect([(await askList('main.m3u8', newBrowser())).status, (await askKeys(newBrowser())).status]).toEqual([
      401, 401,
    ]);
    const { browser } = shared.creator;
    const wrong = [askList('v999.m3u8', browser), askList('main.m3u8', browser, shared.photos[0]?.mediaId)];
    expect((await Promise.all([...wrong, askList('main.m3u8', browser, 'x')])).map(({ status }) => status)).toEqual([
      404, 404, 404,
    ]);
    await app.call('media.remove', { mediaId }, browser);
    expect([(await askList('main.m3u8', browser)).status, (await askKeys(browser)).status]).toEqual([404, 404]);
    await app.call('media.restore', { mediaId }, browser);
    expect((await askKeys(browser)).status).toBe(200);
  });

  it('is lent no faster than to a viewer: a stolen session does not empty it in one go', async () => {
    const start = app.engines.clock() + 120_000;
    const countIn = async (minute: number, tries: number) => {
      app.setNow(new Date(Math.ceil(start / 60_000 + minute) * 60_000).toISOString());
      const statuses: number[] = [];
      for (let n = 0; n < tries; n++) statuses.push((await askKeys(shared.creator.browser)).status);
      return statuses;
    };
    expect(await countIn(0, 31)).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
    expect(await countIn(1, 1)).toEqual([200]);
  });
});
