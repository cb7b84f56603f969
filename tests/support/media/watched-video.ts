import { expect, vi } from 'vitest';
import { advance, type Person, signUpCreator } from '../people.ts';
import { type Browser, newBrowser, type TestApp } from '../test-app.ts';
import { openViewerApi, type ViewerApi } from '../viewer-api.ts';
import { sendFile } from './send-file.ts';
import { watchVideo } from './watch-video.ts';

/** Somebody whose link shows the video, and what their player got of it. */
export interface Watcher {
  linkId: string;
  browser: Browser;
  visitId: string;
  video: Buffer;
}

/** A creator with a video in an album, and those who watch it. */
export interface VideoWorld {
  app: TestApp;
  viewerApi: ViewerApi;
  creator: Person;
  albumId: string;
  mediaId: string;
  /** Lets somebody watch the whole video. @param albumIds what their link shows; the video's album without it */
  invite(linkName: string, albumIds?: string[]): Promise<Watcher>;
}

/** Signs a creator up and has her video made ready, by the way that videos take. */
export async function openVideoWorld(app: TestApp, bytes: Buffer): Promise<VideoWorld> {
  const viewerApi = await openViewerApi(app);
  const creator = await signUpCreator(app);
  if (!app.fastify.server.listening) await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  const albumId = (await app.call('albums.create', { name: 'Videos', peopleConsent: 'only_me' }, creator.browser)).body
    .id;
  const { id: mediaId } = await sendFile(app, creator, albumId, { name: 'video.mp4', bytes });
  const stateOf = () =>
    app.engines.database.work({ kind: 'system' }, ({ db }) =>
      db.selectFrom('media').select('state').where('id', '=', mediaId).executeTakeFirst(),
    );
  await vi.waitFor(async () => expect((await stateOf())?.state).toBe('ready'), { timeout: 300_000, interval: 200 });
  return {
    app,
    viewerApi,
    creator,
    albumId,
    mediaId,
    async invite(linkName, albumIds = [albumId]) {
      const rules = { ageGate: false };
      const input = { albumIds, linkName, recipientName: linkName, rules, isLaxConfirmed: true };
      const { body: link } = await app.call('links.create', input, creator.browser);
      advance(app, 1000);
      const browser = newBrowser();
      const { visitId } = (await viewerApi.tap(link.slug, {}, browser)).head;
      return {
        linkId: link.id,
        browser,
        visitId,
        video: await watchVideo({ app, viewerApi, visitId, browser }, mediaId),
      };
    },
  };
}
