import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app);
});
afterAll(() => app.close());

describe('statements', () => {
  it('needs at most 8 for an open and 3 for a lease', async () => {
    const { slug } = await shared.makeLink();
    await shared.viewerApi.tap(slug);
    const browser = newBrowser();
    const { database } = app.engines;
    const counted = async (run: () => Promise<unknown>) => {
      const before = database.statementCount();
      await run();
      return database.statementCount() - before;
    };
    let visitId = '';
    const first = await counted(async () => {
      visitId = (await shared.viewerApi.tap(slug, {}, browser)).head.visitId;
    });
    const again = await counted(() => shared.viewerApi.tap(slug, {}, browser));
    const items = shared.photos.map(({ mediaId }) => ({ mediaId, rendition: 'p2048' }));
    const lease = await counted(() => shared.viewerApi.lease(visitId, items, browser));
    const renewal = await counted(() => app.call('viewing.renew', { visitId, samples: [], idleMs: 0 }, browser));
    expect({ first, again, lease, renewal }).toEqual({ first: 8, again: 7, lease: 3, renewal: 2 });
  });
});
