import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { endQuietVisits } from '../jobs.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

it('a visit whose last beat lies ahead, because the clock was set back, ends like a quiet one', async () => {
  const { slug } = await shared.makeLink();
  const { visitId } = (await shared.viewerApi.tap(slug)).head;
  const visit = async () => (await readRows(app, 'select * from viewer_sessions where id = $1', [visitId]))[0];
  const mediaId = shared.photos[0]?.mediaId;
  await readRows(app, 'update viewer_sessions set current_media_id = $2, look_ms = 900 where id = $1', [
    visitId,
    mediaId,
  ]);
  app.setNow('2026-11-21T11:50:00.000Z');
  await endQuietVisits(app.engines);
  expect(await visit()).toMatchObject({ state: 'open' });
  app.setNow('2026-11-21T11:49:59.999Z');
  await endQuietVisits(app.engines);
  const until = new Date('2026-11-21T11:59:59.999Z');
  expect(await visit()).toMatchObject({ state: 'closed', end_reason: 'left', ended_at: until, last_beat_at: until });
  expect(await readRows(app, `select at from view_events where visit_id = $1 and kind = 'look'`, [visitId])).toEqual([
    { at: until },
  ]);
});
