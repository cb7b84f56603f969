import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { StorageAway } from '#engines/storage/storage.ts';
import { readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 2 });
});
afterAll(() => app.close());

const countLeases = async () => (await readRows(app, 'select 1 from deliveries')).length;

it('a full picture that the store cannot give is refused before its first byte, neither lent nor counted', async () => {
  const { slug } = await shared.makeLink();
  const browser = newBrowser();
  const { head } = await shared.viewerApi.tap(slug, {}, browser);
  const wanted = head.items.map(({ mediaId }: { mediaId: string }) => ({ mediaId, rendition: 'p2048' }));
  const before = await countLeases();
  const away = vi.spyOn(app.engines.storage, 'read').mockRejectedValue(new StorageAway(new Error('gone')));
  const refused = await shared.viewerApi.lease(head.visitId, wanted, browser);
  const own = await shared.viewerApi.preview(wanted, shared.creator.browser);
  expect([refused.status, own.status]).toEqual([503, 503]);
  expect(JSON.parse(refused.text)).toMatchObject({ code: 'UNAVAILABLE', data: { retryAfter: 1 } });
  expect(await countLeases()).toBe(before);
  away.mockRestore();
  const { status, pictures } = await shared.viewerApi.lease(head.visitId, wanted, browser);
  expect([status, pictures.length]).toEqual([200, 2]);
});
