import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blockViewer } from '#tests/support/database/viewer-rows.ts';
import { seedAlbum } from '#tests/support/media/pictures.ts';
import { type Look, type SharedVideo, shareVideo } from '#tests/support/media/shared-video.ts';
import { type SeededVideo, seedVideo } from '#tests/support/media/videos.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedVideo;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareVideo(app);
});
afterAll(() => app.close());

/** Somebody before a video of their own, which plays. */
interface Playing {
  look: Look;
  video: SeededVideo;
  albumId: string;
}

async function startVideo(rules: object): Promise<Playing> {
  const video = await seedVideo(app, shared.creator.userId);
  const albumId = await seedAlbum(app, shared.creator.userId, [video.mediaId], 'Another video');
  const { id, slug } = await shared.makeLink(rules, { albumIds: [albumId] });
  const browser = newBrowser();
  const { head } = await shared.viewerApi.tap(slug, {}, browser);
  return { look: { browser, visitId: head.visitId, linkId: id, slug }, video, albumId };
}

const write = (text: string, id: string) =>
  app.engines.database.work({ kind: 'system' }, ({ client }) => client.query(text, [id]));
const pass = (ms: number) => app.setNow(new Date(app.engines.clock() + ms).toISOString());

/** Looks for so long, as a page tells it that plays the video. */
async function watch({ look, video }: Playing, ms: number): Promise<unknown> {
  pass(ms);
  const samples = [{ mediaId: video.mediaId, visibleMs: ms }];
  const renewal = { visitId: look.visitId, samples, idleMs: 0, lookingAt: video.mediaId };
  return app.call('viewing.renew', renewal, look.browser);
}

interface Ending {
  what: string;
  rules?: object;
  end(playing: Playing): Promise<unknown>;
  /** What the viewer is told. */
  says: [status: number, reason: string | undefined];
}

const endings: Ending[] = [
  {
    what: 'by a viewer who was blocked',
    end: ({ look }) => blockViewer(app, look.visitId),
    // What everybody is told of a link that is not there.
    says: [410, 'NOT_FOUND'],
  },
  {
    what: 'whose time to watch is used up',
    rules: { viewBudgetMs: 60_000 },
    async end(playing) {
      await watch(playing, 50_000);
      await watch(playing, 15_000);
    },
    says: [410, 'TIME_USED'],
  },
  {
    what: 'on a screen that was closed',
    end: ({ look }) => app.call('viewing.closeScreen', { visitId: look.visitId }, shared.creator.browser),
    says: [410, 'CLOSED'],
  },
  {
    what: 'of an album that is locked',
    end: ({ albumId }) => write(`update albums set state = 'locked' where id = $1`, albumId),
    says: [410, 'ALBUM_UNAVAILABLE'],
  },
  {
    what: 'of an album that was archived',
    end: ({ albumId }) => app.call('albums.archive', { albumId }, shared.creator.browser),
    says: [410, 'ALBUM_UNAVAILABLE'],
  },
  {
    what: 'that was deleted',
    end: ({ video }) => app.call('media.remove', { mediaId: video.mediaId }, shared.creator.browser),
    says: [404, undefined],
  },
  {
    what: 'that was taken out of the album',
    end: ({ video, albumId }) =>
      app.call('albums.removeItems', { albumId, mediaIds: [video.mediaId] }, shared.creator.browser),
    says: [404, undefined],
  },
  {
    what: 'that is not finished',
    end: ({ video }) => write(`update media set state = 'processing', progress = 40 where id = $1`, video.mediaId),
    says: [404, undefined],
  },
];

describe('nobody plays a video', () => {
  test.each(endings)('$what: no keys, no playlist, and no bytes once the last lease is over', async (ending) => {
    const playing = await startVideo(ending.rules ?? {});
    const { look, video } = playing;
    const wanted = [
      { track: 'v480', from: 0, count: 10 },
      { track: 'audio', from: 0, count: 3 },
    ];
    const before = await shared.askKeys(look, wanted, video.mediaId);
    expect(before.status).toBe(200);
    expect((await shared.askPlaylist(look, 'v480.m3u8', video.mediaId)).status).toBe(200);
    const bytesOf = () =>
      Promise.all(
        before.body.leases.map(async ({ packId, token }: { packId: string; token: string }) => [
          (await shared.askBytes(packId, 'init', token)).status,
          (await shared.askBytes(packId, 0, token, '0-15')).status,
        ]),
      );
    expect(await bytesOf()).toEqual([
      [200, 206],
      [200, 206],
    ]);

    await ending.end(playing);

    const { status, body } = await shared.askKeys(look, [{ track: 'v480', from: 10, count: 10 }], video.mediaId);
    expect([status, body.data?.reason]).toEqual(ending.says);
    expect(JSON.stringify(body)).not.toMatch(/"keys"|"token"/);
    for (const name of ['main.m3u8', 'v480.m3u8', 'audio.m3u8']) {
      const list = await shared.askPlaylist(look, name, video.mediaId);
      // A refusal is shown on the page and may be a 200 there: what counts is that it is no list.
      expect(list.text).not.toMatch(/EXTM3U|pfkey/);
      expect(JSON.parse(list.text).reason).toBe(ending.says[1]);
    }
    pass(30_001);
    expect(await bytesOf()).toEqual([
      [404, 404],
      [404, 404],
    ]);
  });
});
