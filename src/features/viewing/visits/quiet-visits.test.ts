import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HouseInTest, openHouse } from '#tests/support/house.ts';
import { readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { endQuietVisits } from '../jobs.ts';

let house: HouseInTest;
let shared: SharedAlbum;
beforeAll(async () => {
  house = await openHouse({ workJobs: false });
  shared = await shareAlbum(house, { count: 1 });
});
afterAll(() => house.close());

it('a visit whose last beat lies ahead, because the clock was set back, ends like a quiet one', async () => {
  const { slug } = await shared.makeLink();
  const { visitId } = (await shared.viewerApi.tap(slug)).head;
  const visit = async () => (await readRows(house, 'select * from viewer_sessions where id = $1', [visitId]))[0];
  const mediaId = shared.photos[0]?.mediaId;
  await readRows(house, 'update viewer_sessions set current_media_id = $2, look_ms = 900 where id = $1', [
    visitId,
    mediaId,
  ]);
  house.setNow('2026-11-21T11:50:00.000Z');
  await endQuietVisits(house.engines);
  expect(await visit()).toMatchObject({ state: 'open' });
  house.setNow('2026-11-21T11:49:59.999Z');
  await endQuietVisits(house.engines);
  const until = new Date('2026-11-21T11:59:59.999Z');
  expect(await visit()).toMatchObject({ state: 'closed', end_reason: 'left', ended_at: until, last_beat_at: until });
  expect(await readRows(house, `select at from view_events where visit_id = $1 and kind = 'look'`, [visitId])).toEqual([
    { at: until },
  ]);
});
