import { setTimeout as wait } from 'node:timers/promises';
import type { VideoLease, VideoTrack } from '#features/media/contract.ts';
import type { Lease, Opened } from '#features/viewing/contract.ts';
import type { Shot } from './load.ts';

/** Somebody who opened a link, with what their browser keeps. */
export interface Viewer {
  cookie: string;
  opened: Opened;
}

/** A phone, so that nothing is taken for a robot. */
export const phoneAgent =
  'Mozilla/5.0 (Linux; Android 15; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

/** The first frame of an answer of `open` or `leases`: its length, its kind, and JSON. */
async function readHead(answer: Response) {
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.headers.get('content-type') !== 'application/octet-stream')
    throw new Error(`${answer.url}: ${answer.status} ${bytes.toString().slice(0, 300)}`);
  return JSON.parse(bytes.subarray(5, 5 + bytes.readUInt32BE(0)).toString());
}

const headers = { 'content-type': 'application/json', 'x-csrf-token': 'orpc', 'user-agent': phoneAgent };

/** Opens a link for the first time; a machine that is too busy is asked again. */
export async function openLink(url: string, slug: string, firstScreen: number): Promise<Viewer> {
  const body = JSON.stringify({ firstScreen });
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${url}/api/view/${slug}/open`, { method: 'POST', headers, body });
    if (answer.status === 503 && tries < 20) {
      await answer.arrayBuffer();
      await wait(1000);
      continue;
    }
    const cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0]);
    return { cookie: cookie.join('; '), opened: await readHead(answer) };
  }
}

/** Asks for the full renditions of some items. */
export async function lendFull(url: string, viewer: Viewer, mediaIds: readonly string[]): Promise<Lease[]> {
  const items = mediaIds.map((mediaId) => ({ mediaId, rendition: 'p2048', with: 'keys' }));
  const body = JSON.stringify({ visitId: viewer.opened.visitId, items });
  const init = { method: 'POST', headers: { ...headers, cookie: viewer.cookie }, body };
  return (await readHead(await fetch(`${url}/api/view/leases`, init))).leases;
}

/** Asks for the first keys of a video's rendition, and with them for the right to fetch its bytes. */
export async function lendVideo(url: string, viewer: Viewer, mediaId: string, track: VideoTrack): Promise<VideoLease> {
  const body = JSON.stringify({ visitId: viewer.opened.visitId, mediaId, tracks: [{ track, from: 0, count: 1 }] });
  const asked = { ...headers, cookie: viewer.cookie };
  const answer = await fetch(`${url}/api/v1/view/video-keys`, { method: 'POST', headers: asked, body });
  const [lease] = ((await answer.json()) as { leases?: VideoLease[] }).leases ?? [];
  if (lease === undefined) throw new Error(`video-keys: ${answer.status}`);
  return lease;
}

/** The tap of somebody who was there before: one viewer after the other, so that nobody waits for another's row. */
export const openShot =
  (url: string, slug: string, viewers: readonly Viewer[], firstScreen: number) =>
  (n: number): Shot => ({
    url: `${url}/api/view/${slug}/open`,
    method: 'POST',
    headers: { ...headers, cookie: viewers[n % viewers.length]?.cookie ?? '' },
    body: JSON.stringify({ firstScreen }),
  });
