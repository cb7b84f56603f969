import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Look, type SharedVideo, shareVideo } from '#tests/support/media/shared-video.ts';
import { advance, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedVideo;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareVideo(app);
});
afterAll(() => app.close());

/** Which seconds were noted of each rendition that this viewer was lent. */
async function lentTo({ visitId }: Look): Promise<Record<string, unknown>> {
  const rows = await readRows(
    app,
    'select d.* from deliveries d join viewer_sessions v on v.admission_id = d.grant_id where v.id = $1',
    [visitId],
  );
  return Object.fromEntries(rows.map(({ rendition, lent_seconds }) => [String(rendition), lent_seconds]));
}
const lend = (look: Look, track: string, from: number, count = 10) => shared.someKeys(look, [{ track, from, count }]);

describe('what is lent of a video', () => {
  it('is noted second by second, batch by batch and after a seek, on each rung and of its sound', async () => {
    const look = await shared.open();
    await lend(look, 'v720', 0, 4);
    expect(await lentTo(look)).toMatchObject({ v720: '{[0,4)}' });
    // Nothing else is written within a minute.
    await lend(look, 'v720', 4, 6);
    await lend(look, 'v720', 15, 3);
    expect(await lentTo(look)).toMatchObject({ v720: '{[0,10),[15,18)}' });
    advance(app, 120_000);
    await lend(look, 'v720', 9, 4);
    await shared.someKeys(look, [
      { track: 'v480', from: 20, count: 10 },
      { track: 'audio', from: 1, count: 2 },
    ]);
    expect(await lentTo(look)).toMatchObject({
      v720: '{[0,13),[15,18)}',
      v480: '{[20,25)}', // the video has no more
      audio: '{[4,12)}', // of four seconds each
    });
  });

  it('loses no second of batches that are asked for at one moment', async () => {
    const look = await shared.open();
    await Promise.all([0, 4, 8, 12, 16, 20].map((from) => lend(look, 'v480', from, 3)));
    expect((await lentTo(look)).v480).toBe('{[0,3),[4,7),[8,11),[12,15),[16,19),[20,23)}');
  });

  it('is not written down again when all of it is known', async () => {
    const look = await shared.open();
    const placeOf = async () =>
      readRows(
        app,
        `select d.ctid, d.last_at from deliveries d join viewer_sessions v on v.admission_id = d.grant_id
         where v.id = $1 and rendition = 'v480'`,
        [look.visitId],
      );
    await lend(look, 'v480', 0);
    const before = await placeOf();
    advance(app, 1000);
    await lend(look, 'v480', 2, 5);
    expect(await placeOf()).toEqual(before);
    await lend(look, 'v480', 2, 9);
    expect(await placeOf()).not.toEqual(before);
  });

  it('stays unknown where some of it was lent before it was noted', async () => {
    const look = await shared.open();
    await lend(look, 'v480', 0);
    await readRows(
      app,
      `update deliveries d set lent_seconds = null from viewer_sessions v where v.admission_id = d.grant_id and v.id = $1`,
      [look.visitId],
    );
    advance(app, 120_000);
    await lend(look, 'v480', 10);
    await lend(look, 'v720', 10);
    expect(await lentTo(look)).toMatchObject({ v480: null, v720: '{[10,20)}' });
  });

  it('is nothing of its pictures, and nothing of photos, which are noted as they were', async () => {
    const look = await shared.open({ albumIds: [shared.albumId, shared.videoAlbumId] });
    const [photo] = shared.photos;
    const wanted = [
      { mediaId: photo?.mediaId, rendition: 'p2048' },
      { mediaId: shared.video.mediaId, rendition: 'storyboard' },
    ];
    await shared.viewerApi.lease(look.visitId, wanted, look.browser);
    const lastOf = () =>
      readRows(
        app,
        `select last_at from deliveries d join viewer_sessions v on v.admission_id = d.grant_id
         where v.id = $1 and rendition = 'p2048'`,
        [look.visitId],
      );
    const [first] = await lastOf();
    expect(await lentTo(look)).toEqual({ thumb512: null, posterthumb: null, p2048: null, storyboard: null });
    advance(app, 59_000);
    await shared.viewerApi.lease(look.visitId, wanted, look.browser);
    expect(await lastOf()).toEqual([first]);
    advance(app, 2000);
    await shared.viewerApi.lease(look.visitId, wanted, look.browser);
    expect(await lastOf()).toEqual([{ last_at: new Date(Number(first?.last_at) + 61_000) }]);
    expect(await lentTo(look)).toMatchObject({ p2048: null, storyboard: null });
  });
});
