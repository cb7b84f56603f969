import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPicture, type SeededPhoto, seedPhoto } from '#tests/support/media/pictures.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { bitsOf, openTile, openViewerApi, type ViewerApi } from '#tests/support/viewer-api.ts';

let app: TestApp;
let viewerApi: ViewerApi;
let creator: Person;
let photo: SeededPhoto;
beforeAll(async () => {
  app = await openTestApp();
  viewerApi = await openViewerApi(app);
  creator = await signUpCreator(app);
  photo = await seedPhoto(app, creator.userId);
});
afterAll(() => app.close());

const full = { rendition: 'p2048' };

describe("a creator's own look", () => {
  it('gets her pictures in the frames that viewers get', async () => {
    const items = [
      { mediaId: photo.mediaId, ...full },
      { mediaId: photo.mediaId, rendition: 'thumb512' },
    ];
    const { status, head, pictures } = await viewerApi.preview(items, creator.browser);
    expect(status).toBe(200);
    expect(head.leases.map(({ rendition }: { rendition: string }) => rendition)).toEqual(['p2048', 'thumb512']);
    for (const { pack, keys } of pictures)
      expect(await readPicture(openTile(pack, keys, 0))).toMatchObject({ format: 'webp' });
  });

  it('has one grant and one codeword of its own, fixed in the log, and leaves a delivery but no visit', async () => {
    const looks = await Promise.all(
      Array.from({ length: 6 }, () => viewerApi.preview([{ mediaId: photo.mediaId, ...full }], creator.browser)),
    );
    const bits = looks.map(({ pictures }) =>
      bitsOf(pictures[0]?.pack ?? Buffer.alloc(0), photo.packs.p2048.bytes).join(''),
    );
    expect(new Set(bits).size).toBe(1);
    const grants = await readRows(
      app,
      `select g.id from grants g join codeword_log c on c.grant_id = g.id where g.kind = 'owner'`,
    );
    expect(grants).toHaveLength(1);
    expect(await readRows(app, 'select 1 from deliveries where grant_id = $1', [grants[0]?.id])).not.toHaveLength(0);
    expect(await readRows(app, 'select 1 from viewer_sessions')).toHaveLength(0);
    expect(await readRows(app, 'select 1 from view_events')).toHaveLength(0);
  });

  it('asks for keys alone when the browser has the rest', async () => {
    const { pictures } = await viewerApi.preview([{ mediaId: photo.mediaId, ...full, with: 'keys' }], creator.browser);
    expect([pictures[0]?.pack.length, (pictures[0]?.keys.length ?? 0) > 0]).toEqual([0, true]);
  });

  it('is of 60 full photos a minute at most, small ones without end', async () => {
    app.setNow('2026-11-21T12:10:00Z');
    const many = Array.from({ length: 20 }, () => ({ mediaId: photo.mediaId, ...full }));
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await viewerApi.preview(many, creator.browser)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const small = [{ mediaId: photo.mediaId, rendition: 'thumb512' }];
    expect((await viewerApi.preview(small, creator.browser)).status).toBe(200);
    app.setNow('2026-11-21T12:11:00Z');
    expect((await viewerApi.preview(many, creator.browser)).status).toBe(200);
  });

  it('is for nobody else', async () => {
    const item = { mediaId: photo.mediaId, ...full };
    expect((await viewerApi.preview([item], newBrowser())).status).toBe(401);
    const stranger = await signUpCreator(app);
    const refused = await viewerApi.preview([item], stranger.browser);
    expect([refused.status, refused.pictures]).toEqual([404, []]);
    const own = await seedPhoto(app, stranger.userId);
    const mixed = await viewerApi.preview([item, { mediaId: own.mediaId, ...full }], stranger.browser);
    expect(mixed.head.leases.map(({ mediaId }: { mediaId: string }) => mediaId)).toEqual([own.mediaId]);
    expect(
      (
        await viewerApi.preview([item], {
          cookies: creator.browser.cookies,
          headers: { origin: 'https://evil.example' },
        })
      ).status,
    ).toBe(403);
  });

  it('refuses a malformed call', async () => {
    for (const items of [[], [{ mediaId: 'x', ...full }], Array(25).fill({ mediaId: photo.mediaId, ...full })])
      expect((await viewerApi.preview(items, creator.browser)).status).toBe(422);
  });
});
