import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tx } from '#engines/database/work.ts';
import { newId } from '#kit/ids.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { splitVideoTime } from './rules.ts';
import { failMedium } from './store.ts';
import { addVideoTime, findVideoTime, takeVideoTime } from './video-time-store.ts';

const hour = 3600;
const [november, december] = [new Date('2026-11-01T00:00:00Z'), new Date('2026-12-01T00:00:00Z')];
let app: TestApp;
let mia: Person;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
beforeEach(async () => {
  mia = await signUpCreator(app);
});
afterAll(() => app.close());

const work = <T>(run: (tx: Tx) => Promise<T>) => app.engines.database.work({ kind: 'system' }, run);
async function addVideo() {
  const id = newId(Date.now());
  const sql = `insert into media (id, creator_id, kind, state, original_name, bytes, sha256, created_at)
    values ($1, $2, 'video', 'processing', 'sea.mp4', 10, '\\x00', now())`;
  await readRows(app, sql, [id, mia.userId]);
  return id;
}
const take = (mediaId: string, seconds: number, month = november) =>
  work((tx) => takeVideoTime(tx, { mediaId, userId: mia.userId, month, seconds, freeSeconds: 10 * hour }));
const timeIn = (month: Date) => work((tx) => findVideoTime(tx, { userId: mia.userId, month }));
const fail = (mediaId: string) =>
  work((tx) => failMedium(tx, mediaId, { code: 'CORRUPT', now: new Date(app.engines.clock()) }));

it.each([
  [{ usedSeconds: 0, extraSeconds: 0 }, 600, { free: 600, extra: 0 }],
  [{ usedSeconds: 3500, extraSeconds: 500 }, 600, { free: 100, extra: 500 }],
  [{ usedSeconds: 3500, extraSeconds: 499 }, 600, undefined],
  // Fewer hours are free than have been used.
  [{ usedSeconds: 9000, extraSeconds: 600 }, 600, { free: 0, extra: 600 }],
])('of %o a video of %i seconds takes %o', (time, seconds, parts) =>
  expect(splitVideoTime({ freeSeconds: hour, ...time }, seconds)).toEqual(parts),
);

describe('the time of videos', () => {
  it('is free for ten hours a month, then what was bought, which stays', async () => {
    const [long, longer, next] = [await addVideo(), await addVideo(), await addVideo()];
    expect(await take(long, 9 * hour)).toBeUndefined();
    expect(await take(longer, 2 * hour)).toEqual({ freeSeconds: 10 * hour, usedSeconds: 9 * hour, extraSeconds: 0 });
    await work((tx) => addVideoTime(tx, { userId: mia.userId, month: november }, 3 * hour));
    expect(await take(longer, 2 * hour)).toBeUndefined();
    expect(await timeIn(november)).toEqual({ usedSeconds: 10 * hour, extraSeconds: 2 * hour });
    expect(await timeIn(december)).toEqual({ usedSeconds: 0, extraSeconds: 2 * hour });
    expect(await take(next, hour, december)).toBeUndefined();
    expect(await timeIn(december)).toEqual({ usedSeconds: hour, extraSeconds: 2 * hour });
  });

  it('is taken once by a video, however often it is begun', async () => {
    const video = await addVideo();
    await Promise.all([1, 2, 3].map(() => take(video, hour)));
    expect(await timeIn(november)).toEqual({ usedSeconds: hour, extraSeconds: 0 });
  });

  it('is enough for one of two that are begun at once when only one fits', async () => {
    const videos = [await addVideo(), await addVideo()];
    await take(await addVideo(), 10);
    const said = await Promise.all(videos.map((id) => take(id, 6 * hour)));
    expect(said.filter((left) => left === undefined)).toHaveLength(1);
    expect((await timeIn(november)).usedSeconds).toBe(6 * hour + 10);
  });

  it('comes back when a video cannot be made, free time only in its month', async () => {
    const [before, both] = [await addVideo(), await addVideo()];
    await take(before, 9 * hour);
    await work((tx) => addVideoTime(tx, { userId: mia.userId, month: november }, hour));
    await take(both, 2 * hour);
    expect(await timeIn(november)).toEqual({ usedSeconds: 10 * hour, extraSeconds: 0 });
    await fail(both);
    expect(await timeIn(november)).toEqual({ usedSeconds: 9 * hour, extraSeconds: hour });
    await take(await addVideo(), hour, december);
    await fail(before);
    expect(await timeIn(december)).toEqual({ usedSeconds: hour, extraSeconds: hour });
  });
});
