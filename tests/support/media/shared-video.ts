import { expect } from 'vitest';
import type { VideoLease } from '#features/media/contract.ts';
import { type SharedAlbum, shareAlbum } from '../shared-link.ts';
import { type Browser, newBrowser, type TestApp } from '../test-app.ts';
import { seedAlbum } from './pictures.ts';
import { type SeededVideo, seedVideo } from './videos.ts';

/** Somebody whose link shows the video. */
export interface Look {
  browser: Browser;
  visitId: string;
  linkId: string;
  slug: string;
}

/** A creator with a video in an album of its own, and what players ask for it. */
export interface SharedVideo extends SharedAlbum {
  video: SeededVideo;
  videoAlbumId: string;
  /** Somebody opens a new link to the video. @param other than usual rules, albums, or a browser that was somewhere before */
  open(other?: { rules?: object; albumIds?: string[]; browser?: Browser }): Promise<Look>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  askKeys(look: Look, tracks: object[], mediaId?: string): Promise<{ status: number; body: any }>;
  /** The same, where only yes will do. */
  someKeys(look: Look, tracks?: object[]): Promise<VideoLease[]>;
  askPlaylist(
    look: Look,
    name: string,
    mediaId?: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; text: string }>;
  /** @param range as in the header, without its unit */
  askBytes(packId: string, part: string | number, token: string, range?: string): Promise<Bytes>;
}

interface Bytes {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** Signs a creator up and gives her a photo and a video. */
export async function shareVideo(app: TestApp): Promise<SharedVideo> {
  const shared = await shareAlbum(app, { count: 1 });
  const video = await seedVideo(app, shared.creator.userId);
  const videoAlbumId = await seedAlbum(app, shared.creator.userId, [video.mediaId], 'Videos');
  const askKeys: SharedVideo['askKeys'] = ({ visitId, browser }, tracks, mediaId = video.mediaId) =>
    app.call('viewing.videoKeys', { visitId, mediaId, tracks }, browser);
  return {
    ...shared,
    video,
    videoAlbumId,
    askKeys,
    async open({ rules = {}, albumIds = [videoAlbumId], browser = newBrowser() } = {}) {
      const { id, slug } = await shared.makeLink(rules, { albumIds });
      const { head } = await shared.viewerApi.tap(slug, {}, browser);
      return { browser, visitId: head.visitId, linkId: id, slug };
    },
    async someKeys(look, tracks = [{ track: 'v720', from: 0, count: 10 }]) {
      const answer = await askKeys(look, tracks);
      expect(answer.status).toBe(200);
      return answer.body.leases;
    },
    async askPlaylist({ visitId, browser }, name, mediaId = video.mediaId, headers = {}) {
      const answer = await shared.viewerApi.fetch(
        `/api/view/videos/${visitId}/${mediaId}/${name}`,
        { headers },
        browser,
      );
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    },
    async askBytes(packId, part, token, range) {
      const headers = { 'pf-lease': token, ...(range !== undefined && { range: `bytes=${range}` }) };
      const answer = await shared.viewerApi.fetch(`/m/s/${packId}/${part}`, { headers }, newBrowser());
      return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
    },
  };
}
