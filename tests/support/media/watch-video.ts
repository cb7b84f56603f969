import type { VideoTrack } from '#features/media/contract.ts';
import { advance } from '../people.ts';
import { type Browser, headersOf, type TestApp } from '../test-app.ts';
import type { ViewerApi } from '../viewer-api.ts';
import { playThrough } from './played-video.ts';

interface Watcher {
  app: TestApp;
  viewerApi: ViewerApi;
  /** Left out for a creator in her studio. */
  visitId?: string;
  browser: Browser;
}

/** What the player of a viewer, or of the creator herself, gets of a video. */
export function watchVideo(
  { app, viewerApi, visitId, browser }: Watcher,
  mediaId: string,
  track: VideoTrack = 'v720',
): Promise<Buffer> {
  const own = headersOf(browser) as Record<string, string>;
  const isOwn = visitId === undefined;
  const lists = isOwn ? `/api/media/${mediaId}/video` : `/api/view/videos/${visitId}/${mediaId}`;
  const player = {
    list: async (name: VideoTrack) =>
      (await viewerApi.fetch(`${lists}/${name}.m3u8`, { headers: own }, browser)).text(),
    async lend(wanted: object) {
      advance(app, 5000);
      const params = { mediaId, tracks: [wanted], ...(!isOwn && { visitId }) };
      const { body } = await app.call(isOwn ? 'media.videoKeys' : 'viewing.videoKeys', params, browser);
      return body.leases[0];
    },
    bytes: async (address: string, headers: Record<string, string>) =>
      Buffer.from(await (await viewerApi.fetch(address, { headers }, browser)).arrayBuffer()),
  };
  return playThrough(player, track);
}
