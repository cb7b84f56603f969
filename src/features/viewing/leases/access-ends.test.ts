import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { seedAlbum, seedPhoto } from '#tests/support/media/pictures.ts';
import { readRows, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { phone, type Streamed } from '#tests/support/viewer-api.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app, { count: 3 });
});
afterAll(() => app.close());

interface Open {
  link: { id: string; slug: string };
  browser: Browser;
  visitId: string;
  answer: Streamed;
}
const look = async (rules: object = {}, more: object = {}): Promise<Open> => {
  const link = await shared.makeLink(rules, more);
  const browser = newBrowser();
  const answer = await shared.viewerApi.tap(link.slug, {}, browser);
  return { link, browser, visitId: answer.head.visitId, answer };
};
const renew = ({ visitId, browser }: Open, more: object = {}) =>
  app.call('viewing.renew', { visitId, samples: [], idleMs: 0, ...more }, browser);
const lease = ({ visitId, browser }: Open, more: object = {}) =>
  shared.viewerApi.lease(visitId, [{ mediaId: shared.photos[0]?.mediaId, rendition: 'p2048', ...more }], browser);
const revoke = ({ link }: Open) => app.call('links.revoke', { linkIds: [link.id] }, shared.creator.browser);

describe('a lease', () => {
  it('brings keys and pack of the full photo, or keys alone when the browser has the rest', async () => {
    const open = await look();
    const whole = await lease(open);
    expect(whole.head).toMatchObject({ renewAfterMs: 15_000, expiresInMs: 30_000 });
    expect(whole.pictures[0]?.pack.length).toBeGreaterThan(1000);
    const keys = await lease(open, { with: 'keys' });
    expect(keys.pictures[0]?.pack).toHaveLength(0);
    expect(keys.pictures[0]?.keys).toEqual(whole.pictures[0]?.keys);
  });

  it('is given for what the link shows, and nothing else of the same creator', async () => {
    const open = await look();
    const hidden = await seedPhoto(app, shared.creator.userId);
    const { pictures, head } = await lease(open, { mediaId: hidden.mediaId });
    expect([pictures, head.leases]).toEqual([[], []]);
  });

  it('is given to the browser that opened the visit, not to another one that knows its number', async () => {
    const open = await look();
    const { status, refusal, pictures } = await lease({ ...open, browser: newBrowser() });
    expect([status, refusal?.reason, pictures]).toEqual([410, 'NOT_FOUND', []]);
    expect((await renew({ ...open, browser: newBrowser() })).body.data.reason).toBe('NOT_FOUND');
  });

  it('is refused when full photos are asked for faster than anybody looks', async () => {
    const open = await look();
    const items = Array.from({ length: 24 }, (_, n) => ({
      mediaId: shared.photos[n % 3]?.mediaId,
      rendition: 'p2048',
      with: 'keys',
    }));
    const answers: number[] = [];
    for (let n = 0; n < 4; n++) answers.push((await shared.viewerApi.lease(open.visitId, items, open.browser)).status);
    expect(answers).toEqual([200, 200, 429, 429]);
    expect((await lease(open, { rendition: 'thumb512' })).status).toBe(200);
    expect(await readRows(app, `select 1 from audit_log where action = 'key_rate_exceeded'`)).toHaveLength(1);
    app.setNow('2026-11-21T12:01:00Z');
    expect((await lease(open)).status).toBe(200);
    app.setNow('2026-11-21T12:00:00Z');
  });
});

describe('revoking', () => {
  it('ends leases, renewals and opens at once, and tells the truth to who was in', async () => {
    const open = await look();
    await revoke(open);
    const refused = await lease(open);
    expect([refused.status, refused.refusal?.reason, refused.refusal?.title]).toEqual([410, 'REVOKED', 'Access ended']);
    const renewed = await renew(open);
    expect([renewed.status, renewed.body.data.reason]).toEqual([410, 'REVOKED']);
    expect((await shared.viewerApi.tap(open.link.slug, {}, open.browser)).refusal?.reason).toBe('REVOKED');
    expect((await shared.viewerApi.tap(open.link.slug)).refusal?.reason).toBe('NOT_FOUND');
    expect(await readRows(app, 'select state, end_reason from viewer_sessions where id = $1', [open.visitId])).toEqual([
      { state: 'cut', end_reason: 'revoked' },
    ]);
  });

  describe('in the middle of a stream', () => {
    /** Opens a link to three fresh photos; `meanwhile` happens before the second one leaves. */
    const openWhile = async (meanwhile: (linkId: string, mediaId: string) => Promise<void>) => {
      const { userId } = shared.creator;
      const photos = [await seedPhoto(app, userId), await seedPhoto(app, userId), await seedPhoto(app, userId)];
      const albumId = await seedAlbum(
        app,
        userId,
        photos.map(({ mediaId }) => mediaId),
      );
      const link = await shared.makeLink({}, { albumIds: [albumId] });
      const { storage } = app.engines;
      const read = storage.read.bind(storage);
      const reading = vi.spyOn(storage, 'read').mockImplementation(async (path) => {
        if (path.includes(photos[1]?.packs.thumb512.packId ?? '-')) await meanwhile(link.id, photos[1]?.mediaId ?? '');
        return read(path);
      });
      const answer = await shared.viewerApi.tap(link.slug);
      reading.mockRestore();
      return answer;
    };

    it('cuts it before the next picture, and says why', async () => {
      const received = new Promise<void>((go) => app.live.watch(({ kind }) => kind === 'link.revoked' && go(), go));
      const { pictures, cut, head } = await openWhile(async (linkId) => {
        await app.call('links.revoke', { linkIds: [linkId] }, shared.creator.browser);
        await received;
      });
      expect([head.leases.length, pictures.length, cut?.reason]).toEqual([3, 1, 'REVOKED']);
    });

    it('cuts it a second later when nobody told this process', async () => {
      const { pictures, cut } = await openWhile(async (linkId) => {
        await readRows(app, 'update magic_links set is_revoked = true where id = $1', [linkId]);
        app.setNow('2026-11-21T12:00:01Z');
      });
      app.setNow('2026-11-21T12:00:00Z');
      expect([pictures.length, cut?.reason]).toEqual([1, 'REVOKED']);
    });

    it('leaves the place of a picture empty that was taken away, and no other gets it', async () => {
      const { head, pictures, cut } = await openWhile(async (_linkId, mediaId) => {
        await app.call('media.remove', { mediaId }, shared.creator.browser);
        app.setNow('2026-11-21T12:00:01Z');
      });
      app.setNow('2026-11-21T12:00:00Z');
      const sent = pictures.map(({ keys, pack }) => keys.length > 0 && pack.subarray(16, 32).toString('hex'));
      const wanted = head.leases.map(({ packId }: { packId: string }) => packId.replaceAll('-', ''));
      expect([cut, sent]).toEqual([undefined, [wanted[0], false, wanted[2]]]);
    });

    it('is not troubled by what happens elsewhere', async () => {
      const { pictures, cut } = await openWhile(async () => {
        const other = await look();
        await revoke(other);
      });
      expect([pictures.length, cut]).toEqual([3, undefined]);
    });
  });

  it('is told to the open screen at once', async () => {
    const open = await look();
    const reported = listen(open);
    await reported.isOpen;
    await revoke(open);
    await expect(reported.next()).resolves.toEqual({ kind: 'link.revoked' });
    reported.close();
  });
});

describe('the line of an open screen', () => {
  it('is for the browser of the visit only', async () => {
    const open = await look();
    for (const [visit, browser] of [
      [open.visitId, newBrowser()],
      ['nonsense', open.browser],
      ['01900000-0000-7000-8000-000000000000', open.browser],
    ] as const)
      expect((await shared.viewerApi.fetch(`/api/live/view?visit=${visit}`, {}, browser)).status).toBe(404);
  });

  it('says nothing about other people who look at the same link', async () => {
    const open = await look();
    const reported = listen(open);
    await reported.isOpen;
    const other = await shared.viewerApi.tap(open.link.slug, {}, newBrowser());
    await revoke(open);
    expect(await reported.next()).toEqual({ kind: 'link.revoked' });
    expect(JSON.stringify(reported.all)).not.toContain(other.head.visitId);
    reported.close();
  });
});

describe('the end of a link', () => {
  it('is its very instant, for leases and renewals too', async () => {
    const open = await look({}, { expiry: { kind: 'after', hours: 1 } });
    app.setNow('2026-11-21T12:59:59.999Z');
    const again = await shared.viewerApi.tap(open.link.slug, {}, open.browser);
    const going = { ...open, visitId: again.head.visitId };
    expect((await lease(going)).status).toBe(200);
    expect((await renew(going)).body.endsInMs).toBe(1);
    app.setNow('2026-11-21T13:00:00.000Z');
    const over = await lease(going);
    expect([over.status, over.refusal?.reason, over.refusal?.title]).toEqual([410, 'EXPIRED', 'This link has expired']);
    expect((await renew(going)).body.data.reason).toBe('EXPIRED');
    app.setNow('2026-11-21T12:00:00Z');
  });
});

describe('closing a screen', () => {
  it('is done by the creator whose link it is, and leaves the link open', async () => {
    const open = await look();
    const reported = listen(open);
    await reported.isOpen;
    const stranger = await signUpCreator(app);
    expect((await app.call('viewing.closeScreen', { visitId: open.visitId }, stranger.browser)).status).toBe(404);
    expect((await app.call('viewing.closeScreen', { visitId: open.visitId }, newBrowser())).status).toBe(401);
    expect((await renew(open)).status).toBe(200);
    expect((await app.call('viewing.closeScreen', { visitId: open.visitId }, shared.creator.browser)).status).toBe(200);
    expect(await reported.next()).toEqual({ kind: 'visit.closed', visitId: open.visitId });
    reported.close();
    const refused = await renew(open);
    expect([refused.status, refused.body.data.reason]).toEqual([410, 'CLOSED']);
    expect((await lease(open)).refusal?.reason).toBe('CLOSED');
    const again = await shared.viewerApi.tap(open.link.slug, {}, open.browser);
    expect(again.head.visitId).not.toBe(open.visitId);
  });
});

describe('an album that closes', () => {
  it.each(['archive', 'remove'])('%s: is told to the screens that show it at once, and ends them', async (act) => {
    const photo = await seedPhoto(app, shared.creator.userId);
    const albumId = await seedAlbum(app, shared.creator.userId, [photo.mediaId]);
    const [open, elsewhere] = [await look({}, { albumIds: [albumId] }), await look()];
    const [reported, other] = [listen(open), listen(elsewhere)];
    await Promise.all([reported.isOpen, other.isOpen]);
    const rename = { albumId, name: 'Renamed' };
    expect((await app.call('albums.update', rename, shared.creator.browser)).status).toBe(200);
    expect((await app.call(`albums.${act}`, { albumId }, shared.creator.browser)).status).toBe(200);
    expect(await reported.next()).toEqual({ kind: 'album.closed' });
    expect([reported.all.length, other.all]).toEqual([1, []]);
    reported.close();
    other.close();
    expect((await renew(open)).body.data.reason).toBe('ALBUM_UNAVAILABLE');
    expect((await renew(elsewhere)).status).toBe(200);
  });
});

describe('a viewer who is blocked', () => {
  it('loses their screens at once, and may not listen any more', async () => {
    const open = await look();
    const reported = listen(open);
    await reported.isOpen;
    await app.engines.database.work({ kind: 'system' }, async (tx) => {
      const { rows } = await tx.client.query(
        `insert into viewer_blocks (creator_id, viewer_id, at) select creator_id, viewer_id, now() from viewer_sessions where id = $1
         returning creator_id as "creatorId", viewer_id as "viewerId"`,
        [open.visitId],
      );
      await tx.publish({ kind: 'viewer.blocked', ...rows[0] });
    });
    expect(await reported.next()).toEqual({ kind: 'viewer.blocked' });
    reported.close();
    // Who is blocked is told what everybody is told of a link that is not there.
    expect((await renew(open)).body.data.reason).toBe('NOT_FOUND');
    expect((await lease(open)).refusal?.reason).toBe('NOT_FOUND');
    expect((await shared.viewerApi.fetch(`/api/live/view?visit=${open.visitId}`, {}, open.browser)).status).toBe(404);
  });
});

/** An event stream of a browser, read line by line. */
function listen({ visitId, browser }: Open) {
  const all: object[] = [];
  const waiting: ((event: object) => void)[] = [];
  let opened: () => void = () => undefined;
  const isOpen = new Promise<void>((go) => {
    opened = go;
  });
  const headers = { 'user-agent': phone, ...headersOf(browser) };
  const request = http.get(`${shared.viewerApi.url}/api/live/view?visit=${visitId}`, { headers }, (response) => {
    response.setEncoding('utf8').on('data', (text: string) => {
      opened();
      for (const [, json] of text.matchAll(/^data: (.*)$/gm)) {
        const event = JSON.parse(json ?? '{}') as { kind?: string };
        // On a busy machine the stream is open before its own visit's beginning is told.
        if (event.kind === 'visit.opened') continue;
        all.push(event);
        waiting.shift()?.(event);
      }
    });
  });
  request.on('error', () => undefined);
  return {
    all,
    isOpen,
    next: () =>
      new Promise<object>((go) => {
        const [last] = all.slice(-1);
        if (last === undefined) waiting.push(go);
        else go(last);
      }),
    close: () => request.destroy(),
  };
}
