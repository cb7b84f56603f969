import { afterAll, beforeAll, expect, test } from 'vitest';
import { settingsOf } from '#features/settings/settings.ts';
import { writeSetting } from '#features/settings/store.ts';
import { shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

test('a screen is told after how long untouched it closes, and the server holds the same', async () => {
  const { database, clock } = app.engines;
  const change = { key: 'viewing.idleMinutes', value: 20, by: null, now: new Date(clock()) } as const;
  await database.work({ kind: 'system' }, (tx) => writeSetting(tx, change));
  await expect.poll(async () => (await settingsOf(app.engines))['viewing.idleMinutes']).toBe(20);
  const shared = await shareAlbum(app);
  const { slug } = await shared.makeLink();
  const browser = newBrowser();
  const { visitId, idleAfterMs } = (await shared.viewerApi.tap(slug, {}, browser)).head;
  expect(idleAfterMs).toBe(20 * 60_000);
  const renew = async (idleMs: number) =>
    (await app.call('viewing.renew', { visitId, samples: [], idleMs }, browser)).status;
  expect([await renew(idleAfterMs - 1), await renew(idleAfterMs)]).toEqual([200, 410]);
});
