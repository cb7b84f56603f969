import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { foldAllViews } from '#tests/support/database/fold-views.ts';
import { comeBy } from '#tests/support/looks.ts';
import { seedAlbum, seedPhoto } from '#tests/support/media/pictures.ts';
import { type SeededVideo, seedVideo } from '#tests/support/media/videos.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { openViewerApi, type ViewerApi } from '#tests/support/viewer-api.ts';
import { compareViews, repairViews } from '../recount.ts';
import { pointsOf, retentionOf } from '../rules.ts';

const noon = '2026-11-21T12:00:00Z';
let app: TestApp;
let mia: Person;
let eve: Person;
let viewerApi: ViewerApi;
let video: SeededVideo;
let photoId: string;
let link: { id: string; slug: string };

beforeAll(async () => {
  app = await openTestApp({ now: noon, workJobs: false });
  viewerApi = await openViewerApi(app);
  [mia, eve] = [await signUpCreator(app), await signUpCreator(app)];
});
afterAll(() => app.close());

/** Each story has a video of its own. */
beforeEach(async () => {
  app.setNow(noon);
  video = await seedVideo(app, mia.userId, { seconds: 10 });
  photoId = (await seedPhoto(app, mia.userId, { side: 64 })).mediaId;
  const albumId = await seedAlbum(app, mia.userId, [video.mediaId, photoId], 'Videos');
  const input = { albumIds: [albumId], rules: { ageGate: false }, isLaxConfirmed: true };
  link = (await app.call('links.create', input, mia.browser)).body;
});

const at = (seconds: number) => app.setNow(new Date(Date.parse(noon) + 1000 * seconds).toISOString());
const videoOf = async (person = mia) =>
  (await app.call('insights.videos', { days: 7 }, person.browser)).body.videos.find(
    ({ mediaId }: { mediaId: string }) => mediaId === video.mediaId,
  );
const retention = async (person = mia) =>
  app.call('insights.retention', { mediaId: video.mediaId, days: 7 }, person.browser);
const fold = () => foldAllViews(app.engines);

interface Look {
  visitId: string;
  browser: Browser;
}
async function open(): Promise<Look> {
  const browser = newBrowser();
  const { head } = await viewerApi.tap(link.slug, {}, browser);
  return { visitId: head.visitId, browser };
}
const beat = ({ visitId, browser }: Look, played: [number, number][], more: object = {}) =>
  app.call(
    'viewing.renew',
    {
      visitId,
      idleMs: 0,
      lookingAt: video.mediaId,
      samples: [{ mediaId: video.mediaId, visibleMs: 15_000, played }],
      ...more,
    },
    browser,
  );

describe('a video that is played', () => {
  it('is a play from three seconds on, completed by nine tenths, and tells which seconds were seen', async () => {
    const looks: [number, number][][] = [
      [[0, 2]],
      [[0, 3]],
      [[0, 9]],
      [
        [0, 5],
        [8, 10],
      ],
      [[0, 10]],
    ];
    for (const played of looks)
      await comeBy(app, {
        linkId: link.id,
        creatorId: mia.userId,
        at: new Date(Date.parse(noon) - 3_600_000),
        end: 'left',
        looks: [{ mediaId: video.mediaId, ms: 12_000, played }],
      });
    const seen = [4, 4, 4, 3, 3, 2, 2, 2, 3, 2];
    for (const isFolded of [false, true]) {
      if (isFolded) await fold();
      expect([isFolded, await videoOf()]).toMatchObject([
        isFolded,
        { plays: 4, completions: 2, durationMs: 10_000, cellSeconds: 1, watchMs: 29_000, kind: 'video' },
      ]);
      expect((await retention()).body).toEqual({ plays: 4, seconds: seen });
    }
  });

  it('is told by beats, which add up until the viewer moves on', async () => {
    const look = await open();
    at(15);
    expect((await beat(look, [[0, 4]])).status).toBe(200);
    expect(await videoOf()).toMatchObject({ plays: 1, completions: 0 });
    at(30);
    await beat(look, [[4, 6]]);
    expect((await retention()).body).toEqual({ plays: 1, seconds: [1, 1, 1, 1, 1, 1, 0, 0, 0, 0] });
    at(45);
    await beat(look, [[6, 10]], { lookingAt: photoId });
    expect(await videoOf()).toMatchObject({ plays: 1, completions: 1 });
    await fold();
    expect(await videoOf()).toMatchObject({ plays: 1, completions: 1 });
    at(60);
    await beat(look, [[0, 3]], { leaving: true });
    expect(await videoOf()).toMatchObject({ plays: 2, completions: 1 });
    await fold();
    expect((await retention()).body).toEqual({ plays: 2, seconds: [2, 2, 2, 1, 1, 1, 1, 1, 1, 1] });
  });

  it('cannot have been played faster than its player plays, longer than it is, or by the creator herself', async () => {
    const look = await open();
    at(2);
    await beat(look, [[0, 10]], { leaving: true });
    expect((await retention()).body.seconds, 'two seconds at double speed, and one before and behind').toEqual([
      1, 1, 1, 1, 1, 1, 0, 0, 0, 0,
    ]);
    const longer = await open();
    at(62);
    await beat(longer, [[8, 60]], { leaving: true });
    expect((await retention()).body.seconds).toHaveLength(10);
    const own = { cookies: new Map(mia.browser.cookies) };
    const { head } = await viewerApi.tap(link.slug, {}, own);
    at(90);
    await beat({ visitId: head.visitId, browser: own }, [[0, 10]], { leaving: true });
    await fold();
    expect(await videoOf()).toMatchObject({ plays: 1, completions: 0 });
  });

  it('is not finished by beats that come one upon the other', async () => {
    const look = await open();
    for (let n = 0; n < 13; n++) {
      app.setNow(new Date(Date.parse(noon) + n + 1).toISOString());
      await beat(look, [[n, n + 2]], n === 12 ? { leaving: true } : {});
    }
    await fold();
    expect(await videoOf()).toBeUndefined();
  });

  it('is none when a photo is said to be one, also while it is looked at', async () => {
    const look = await open();
    at(10);
    const samples = [{ mediaId: photoId, visibleMs: 10_000, played: [[0, 10]] }];
    expect((await beat(look, [], { lookingAt: photoId, samples })).status).toBe(200);
    const { status, body } = await app.call('insights.videos', { days: 7 }, mia.browser);
    expect([status, body.videos.filter(({ mediaId }: { mediaId: string }) => mediaId === photoId)]).toEqual([200, []]);
  });

  it('is refused with stretches that are none', async () => {
    const look = await open();
    at(15);
    for (const played of [[[3, 3]], [[4, 2]], [[-1, 2]], [[0.5, 2]], Array.from({ length: 61 }, () => [0, 1])])
      expect((await beat(look, played as [number, number][])).status).toBe(422);
  });

  it("is nobody else's business", async () => {
    await comeBy(app, {
      linkId: link.id,
      creatorId: mia.userId,
      at: new Date(Date.parse(noon) - 60_000),
      end: 'left',
      looks: [{ mediaId: video.mediaId, ms: 9000, played: [[0, 9]] }],
    });
    expect(await videoOf(eve)).toBeUndefined();
    expect((await retention(eve)).status).toBe(404);
  });

  it('is counted again by a recount as it was', async () => {
    await comeBy(app, {
      linkId: link.id,
      creatorId: mia.userId,
      at: new Date(Date.parse(noon) - 90_000_000),
      end: 'left',
      looks: [{ mediaId: video.mediaId, ms: 9000, played: [[0, 4]] }],
    });
    await fold();
    const before = (await retention()).body;
    expect(await compareViews(app.engines)).toEqual([]);
    await readRows(app, 'update film_edges set change = change * 3');
    await readRows(app, 'update film_days set completions = completions + 1');
    expect((await retention()).body).not.toEqual(before);
    expect(await repairViews(app.engines)).toMatchObject([{ table: 'film_days' }, { table: 'film_edges' }]);
    expect((await retention()).body).toEqual(before);
    expect(await compareViews(app.engines)).toEqual([]);
  });
});

describe('a curve', () => {
  it('adds up where plays begin and end', () => {
    const edges = [
      { second: 0, change: 3 },
      { second: 2, change: -2 },
      { second: 4, change: 1 },
    ];
    expect(retentionOf(edges, 6)).toEqual([3, 3, 1, 1, 2, 2]);
    expect(retentionOf([], 2)).toEqual([0, 0]);
  });

  it('has few enough points, each the mean of its seconds', () => {
    expect(pointsOf([4, 2])).toEqual([
      { second: 0, value: 4 },
      { second: 1, value: 2 },
    ]);
    const points = pointsOf(Array.from({ length: 3600 }, (_, second) => second));
    expect(points).toHaveLength(120);
    expect(points[1]).toEqual({ second: 30, value: 44.5 });
  });
});
