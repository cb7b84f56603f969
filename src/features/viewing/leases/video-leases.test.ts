import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSegment, readPlaylist } from '#tests/support/media/playlists.ts';
import { type Look, type SharedVideo, shareVideo } from '#tests/support/media/shared-video.ts';
import { seedVideo } from '#tests/support/media/videos.ts';
import { shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedVideo;

beforeAll(async () => {
  app = await openTestApp();
  shared = await shareVideo(app);
});
afterAll(() => app.close());

describe('a video in a link', () => {
  test('is listed with its length and its storyboard, and its small poster comes with the list', async () => {
    const { slug } = await shared.open();
    const { head, pictures } = await shared.viewerApi.tap(slug);
    expect(head.items).toMatchObject([{ kind: 'video', durationMs: 25_000, cellSeconds: 1, width: 1280, height: 720 }]);
    expect(head.counts).toEqual({ photos: 0, videos: 1 });
    expect(head.leases).toMatchObject([
      { mediaId: shared.video.mediaId, rendition: 'posterthumb', packId: shared.video.packs.posterthumb },
    ]);
    expect(pictures).toHaveLength(1);
  });

  test('lends its poster and its storyboard as the photos are lent', async () => {
    const look = await shared.open();
    const wanted = ['poster', 'storyboard'].map((rendition) => ({ mediaId: shared.video.mediaId, rendition }));
    const { status, head, pictures } = await shared.viewerApi.lease(look.visitId, wanted, look.browser);
    expect(status).toBe(200);
    expect(head.leases.map(({ packId }: { packId: string }) => packId)).toEqual([
      shared.video.packs.poster,
      shared.video.packs.storyboard,
    ]);
    expect(pictures.every(({ pack }) => pack.length > 0)).toBe(true);
  });

  test('has a list of its rungs, the smallest first, and its sound beside them', async () => {
    const { status, headers, text } = await shared.askPlaylist(await shared.open(), 'main.m3u8');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toMatch(/^application\/vnd\.apple\.mpegurl/);
    expect(text.match(/^\w+\.m3u8$/gm)).toEqual(['v480.m3u8', 'v720.m3u8']);
    expect(text).toMatch(/RESOLUTION=854x480,AUDIO="sound"/);
    expect(text).toContain('URI="audio.m3u8"');
  });

  test.each([
    ['br', 'br'],
    ['gzip, deflate, BR', 'br'],
    ['br;q=0.1,gzip', 'br'],
    ['br ; Q=0.0 , gzip;q=1', 'gzip'],
    ['gzip;q=0, br; q=0', null],
    ['identity', null],
  ])('has lists that come as they are taken: %s', async (taken, way) => {
    const look = await shared.open();
    const headers = { 'accept-encoding': taken };
    const answer = await shared.askPlaylist(look, 'v720.m3u8', undefined, headers);
    expect(answer.headers.get('vary')).toContain('accept-encoding');
    expect(answer.headers.get('content-encoding')).toBe(way);
    expect(readPlaylist(answer.text)).toHaveLength(25);
    const sent = Number(answer.headers.get('content-length'));
    expect(sent).toBeGreaterThan(0);
    if (way === null) expect(sent).toBe(answer.text.length);
    else expect(sent).toBeLessThan(answer.text.length / 4);
  });

  test('plays as the mixture of both variants that one grant has, of which every segment opens with its lent key', async () => {
    const look = await shared.open();
    const { headers, text } = await shared.askPlaylist(look, 'v720.m3u8');
    expect(headers.get('cache-control')).toBe('no-store');
    const listed = readPlaylist(text);
    expect(listed).toHaveLength(25);
    expect(new Set(listed.map(({ slot }) => slot))).toEqual(new Set([0, 1]));
    const { plain, packId } = shared.video.tracks.v720;
    for (const from of [0, 10, 20]) {
      const [lease] = await shared.someKeys(look, [{ track: 'v720', from, count: 10 }]);
      if (lease === undefined) throw new Error('nothing was lent');
      expect(lease).toMatchObject({ from, packId, track: 'v720' });
      const keys = Buffer.from(lease.keys, 'base64url');
      expect(keys).toHaveLength(16 * Math.min(10, 25 - from));
      for (const [i, place] of listed.slice(from, from + 10).entries()) {
        expect(place.key).toBe(`pfkey:v720/${from + i}`);
        const range = `${place.from}-${place.from + place.length - 1}`;
        const { status, bytes, headers } = await shared.askBytes(packId, place.slot, lease.token, range);
        expect([status, headers.get('content-range')]).toEqual([
          206,
          `bytes ${range}/${shared.video.tracks.v720.files[place.slot]?.length}`,
        ]);
        const key = keys.subarray(16 * i, 16 * i + 16);
        expect(openSegment(key, from + i, bytes)).toEqual(plain[place.slot]?.[from + i]);
      }
    }
  });

  test('gives no key that opens the other variant', async () => {
    const look = await shared.open();
    const listed = readPlaylist((await shared.askPlaylist(look, 'v720.m3u8')).text);
    const [lease] = await shared.someKeys(look);
    const keys = Buffer.from(lease?.keys ?? '', 'base64url');
    const { files, plain } = shared.video.tracks.v720;
    for (const [n, { slot }] of listed.slice(0, 10).entries()) {
      const other = 1 - slot;
      const sealed = plain[other]?.map(({ length }) => 16 * (Math.floor(length / 16) + 1)) ?? [];
      const at = sealed.slice(0, n).reduce((sum, length) => sum + length, 0);
      const bytes = files[other]?.subarray(at, at + (sealed[n] ?? 0)) ?? Buffer.alloc(0);
      let opened: Buffer | undefined;
      try {
        opened = openSegment(keys.subarray(16 * n, 16 * n + 16), n, bytes);
      } catch {
        opened = undefined; // padding that is not right
      }
      expect(opened?.equals(plain[other]?.[n] ?? Buffer.alloc(0)) ?? false).toBe(false);
    }
  });

  test("has the same codeword on both rungs, another one for another grant, and the link's half in common", async () => {
    const look = await shared.open();
    const slotsOf = async (who: Look, name: string) =>
      readPlaylist((await shared.askPlaylist(who, name)).text).map(({ slot }) => slot);
    const slots = await slotsOf(look, 'v720.m3u8');
    expect(await slotsOf(look, 'v480.m3u8')).toEqual(slots);
    expect((await slotsOf(look, 'audio.m3u8')).every((slot) => slot === 0)).toBe(true);
    const browser = newBrowser();
    const { head } = await shared.viewerApi.tap(look.slug, {}, browser);
    const others = await slotsOf({ ...look, browser, visitId: head.visitId }, 'v720.m3u8');
    expect(others).not.toEqual(slots);
    expect(others.filter((_, n) => n % 2 === 0)).toEqual(slots.filter((_, n) => n % 2 === 0));
  });

  test('writes down what was lent to whom before a key leaves', async () => {
    const look = await shared.open();
    await shared.someKeys(look, [
      { track: 'v480', from: 3, count: 2 },
      { track: 'audio', from: 0, count: 2 },
    ]);
    const rows = await app.engines.database.work({ kind: 'system' }, ({ db }) =>
      db
        .selectFrom('key_leases')
        .selectAll()
        .where('session_id', '=', look.visitId)
        .where('rendition', 'in', ['v480', 'audio'])
        .execute(),
    );
    expect(rows.map(({ rendition, pack_id }) => [rendition, pack_id]).toSorted()).toEqual([
      ['audio', shared.video.tracks.audio.packId],
      ['v480', shared.video.tracks.v480.packId],
    ]);
    const shown = await app.engines.database.work({ kind: 'system' }, ({ db }) =>
      db
        .selectFrom('deliveries')
        .select('rendition')
        .where('grant_id', '=', rows[0]?.grant_id ?? '')
        .execute(),
    );
    expect(shown.map(({ rendition }) => rendition)).toEqual(expect.arrayContaining(['v480', 'audio', 'posterthumb']));
  });
});

describe('nobody plays a video', () => {
  const neither = async (look: Look, status: number, mediaId = shared.video.mediaId) => {
    expect((await shared.askKeys(look, [{ track: 'v720', from: 0, count: 1 }], mediaId)).status).toBe(status);
    expect((await shared.askPlaylist(look, 'main.m3u8', mediaId)).status).toBe(status);
    expect((await shared.askPlaylist(look, 'v720.m3u8', mediaId)).status).toBe(status);
  };

  test("with another browser's visit", async () => {
    const look = await shared.open();
    await neither({ ...look, browser: newBrowser() }, 410);
    await neither({ ...look, browser: (await shared.open()).browser }, 410);
  });

  test('of an album that the link does not show, hidden in it, or of another creator', async () => {
    const { id, slug } = await shared.makeLink();
    const browser = newBrowser();
    const { head } = await shared.viewerApi.tap(slug, {}, browser);
    await neither({ browser, visitId: head.visitId, linkId: id, slug }, 404);
    const other = await shareAlbum(app, { count: 1 });
    const foreign = await seedVideo(app, other.creator.userId, { seconds: 5 });
    await neither(await shared.open(), 404, foreign.mediaId);
    const look = await shared.open();
    const hide = (isHidden: boolean) =>
      app.call(
        'albums.editItem',
        { albumId: shared.videoAlbumId, mediaId: shared.video.mediaId, isHidden },
        shared.creator.browser,
      );
    expect((await hide(true)).status).toBe(200);
    await neither(look, 404);
    await hide(false);
  });

  test('after the link was revoked, from the next batch on', async () => {
    const look = await shared.open();
    await shared.someKeys(look);
    await app.call('links.revoke', { linkIds: [look.linkId] }, shared.creator.browser);
    const { status, body } = await shared.askKeys(look, [{ track: 'v720', from: 10, count: 10 }]);
    expect([status, body.data?.reason]).toEqual([410, 'REVOKED']);
    expect(JSON.stringify(body)).not.toContain('keys');
    await neither(look, 410);
  });

  test('after the link has ended', async () => {
    const look = await shared.open();
    await app.engines.database.work({ kind: 'system' }, ({ client }) =>
      client.query('update magic_links set expires_at = $2 where id = $1', [
        look.linkId,
        new Date(app.engines.clock() - 1),
      ]),
    );
    await neither(look, 410);
  });

  test('in batches that would outlive its end', async () => {
    const look = await shared.open();
    const part = (track: 'v720' | 'audio', count: number) => ({ track, from: 0, count });
    for (const parts of [[part('audio', 5)], [part('v720', 11)], [part('v720', 5), part('v720', 5)]])
      expect((await shared.askKeys(look, parts)).status).toBe(422);
  });

  test('whose keys are asked for faster than anybody watches; it is written down once', async () => {
    const look = await shared.open();
    let answer = await shared.askKeys(look, [{ track: 'v720', from: 0, count: 10 }]);
    for (let n = 0; n < 29; n++)
      answer = await shared.askKeys(look, [
        { track: 'v480', from: 0, count: 10 },
        { track: 'audio', from: 0, count: 2 },
      ]);
    expect(answer.status).toBe(200);
    for (const track of ['v720', 'audio'] as const) {
      const over = await shared.askKeys(look, [{ track, from: 0, count: 1 }]);
      expect([over.status, over.body.code]).toEqual([429, 'RATE_LIMITED']);
      expect(over.body.data.retryAfter).toBeGreaterThan(0);
    }
    const noted = await app.engines.database.work({ kind: 'system' }, ({ client }) =>
      client.query(`select details from audit_log where action = 'key_rate_exceeded'`),
    );
    expect(noted.rows).toEqual([{ details: { filmSeconds: 301 } }]);
  });

  test('by its sound alone: it is counted by the seconds it lasts', async () => {
    const look = await shared.open();
    for (let n = 0; n < 18; n++)
      expect((await shared.askKeys(look, [{ track: 'audio', from: 0, count: 4 }])).status).toBe(200);
    expect((await shared.askKeys(look, [{ track: 'audio', from: 0, count: 4 }])).status).toBe(429);
  });
});
