import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LiveEvent } from '#engines/database/work.ts';
import { seedAlbum } from '#tests/support/media/pictures.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
const received: LiveEvent[] = [];
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app, { count: 4 });
  app.live.watch(
    (event) => void received.push(event),
    () => undefined,
  );
});
afterAll(() => app.close());

const idOf = (n: number) => shared.photos[n]?.mediaId ?? '';
const change = (procedure: string, input: object) => app.call(procedure, input, shared.creator.browser);

async function open() {
  const link = await shared.makeLink();
  const browser = newBrowser();
  const { head } = await shared.viewerApi.tap(link.slug, {}, browser);
  const renew = async () =>
    (await app.call('viewing.renew', { visitId: head.visitId, samples: [], idleMs: 0 }, browser)).body.gone;
  const lease = async (n: number) =>
    (await shared.viewerApi.lease(head.visitId, [{ mediaId: idOf(n), rendition: 'thumb512' }], browser)).pictures
      .length;
  return { renew, lease };
}

test('an open screen hears with its next renewal what was deleted, hidden or taken out, and gets no keys for it', async () => {
  const { albumId } = shared;
  const screen = await open();
  expect([await screen.renew(), await screen.lease(0)]).toEqual([undefined, 1]);

  await change('media.remove', { mediaId: idOf(0) });
  expect([await screen.renew(), await screen.lease(0)]).toEqual([[idOf(0)], 0]);
  await change('albums.deleteItems', { albumId, mediaIds: [idOf(1)] });
  await seedAlbum(app, shared.creator.userId, [idOf(2)], 'Elsewhere');
  await change('albums.removeItems', { albumId, mediaIds: [idOf(2)] });
  await change('albums.editItem', { albumId, mediaId: idOf(3), isHidden: true });
  expect(new Set(await screen.renew())).toEqual(new Set([0, 1, 2, 3].map(idOf)));
  expect(received.filter(({ kind }) => kind === 'album.itemsGone').map((event) => event.albumId)).toEqual(
    Array.from({ length: 4 }, () => albumId),
  );

  await change('albums.restoreItems', { albumId, mediaIds: [idOf(0), idOf(1)] });
  await change('albums.addItems', { albumId, mediaIds: [idOf(2)] });
  await change('albums.editItem', { albumId, mediaId: idOf(3), isHidden: false });
  expect([await screen.renew(), await screen.lease(0)]).toEqual([undefined, 1]);
});

test('a renewal gives no token any more for a lease of what was deleted since', async () => {
  const link = await shared.makeLink();
  const browser = newBrowser();
  const { head } = await shared.viewerApi.tap(link.slug, {}, browser);
  const [first, second] = [0, 1].map(
    (n) => head.leases.find(({ mediaId }: { mediaId: string }) => mediaId === idOf(n))?.leaseId ?? '',
  );
  const beat = { visitId: head.visitId, samples: [], idleMs: 0, tokensFor: [first, second] };
  const renewed = async () => Object.keys((await app.call('viewing.renew', beat, browser)).body.tokens).toSorted();
  expect(await renewed()).toEqual([first, second].toSorted());
  await change('media.remove', { mediaId: idOf(0) });
  expect(await renewed()).toEqual([second]);
  await change('media.restore', { mediaId: idOf(0) });
  expect(await renewed()).toEqual([first, second].toSorted());
});

test('a screen that was opened afterwards, and a picture that another album of the link shows, are not troubled', async () => {
  app.setNow('2026-11-21T12:30:00Z');
  const second = await seedAlbum(app, shared.creator.userId, [idOf(0)], 'Second');
  const link = await shared.makeLink({}, { albumIds: [shared.albumId, second] });
  const browser = newBrowser();
  const { head } = await shared.viewerApi.tap(link.slug, {}, browser);
  await change('albums.removeItems', { albumId: second, mediaIds: [idOf(0)] });
  const { body } = await app.call('viewing.renew', { visitId: head.visitId, samples: [], idleMs: 0 }, browser);
  expect([body.gone, body.expiresInMs]).toEqual([undefined, 30_000]);
});
