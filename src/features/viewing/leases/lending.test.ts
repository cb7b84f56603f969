import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { watchChanges } from '../visits/change-watch.ts';
import { guardStream } from './lending.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

it.each([1000, -1000, -30 * 86_400_000])(
  'a running stream asks again when its clock has moved by %i ms, though nothing was heard of a change',
  async (byMs) => {
    app.setNow('2026-11-21T12:00:00.000Z');
    const { id, slug } = await shared.makeLink();
    const { visitId } = (await shared.viewerApi.tap(slug)).head;
    const [device] = await readRows(
      app,
      'select secret_hash from viewer_devices where id = (select device_id from viewer_sessions where id = $1)',
      [visitId],
    );
    const changes = watchChanges(app.live);
    const now = new Date(app.engines.linkClock());
    const { realm } = app.engines.payments;
    const who = { deviceSecretHash: device?.secret_hash as Buffer, country: undefined, isDesktop: false };
    const asker = { now, realm, aliveSince: now, ...who };
    const guard = guardStream(app.engines, changes, { visitId, ids: [id], asker, mark: changes.mark() });
    await readRows(app, 'update magic_links set is_revoked = true, revoked_at = $2 where id = $1', [id, now]);
    expect(await guard.mayGoOn()).toBe(true);
    app.setNow(new Date(now.getTime() + byMs).toISOString());
    expect(await guard.mayGoOn()).toBe(false);
  },
);
