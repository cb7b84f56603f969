import { createDecipheriv } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { LinkRulesInput } from '#features/links/contract.ts';
import { formatBytes } from '#kit/text.ts';
import { secondMs } from '#kit/time.ts';
import { drawCopy } from './material.ts';
import type { Step } from './step.ts';
import { lease, open } from './tapping.ts';
import { made, type World } from './world.ts';

/** What a link to the album is made with. */
export interface LinkParams {
  rules?: Partial<LinkRulesInput>;
  password?: string;
  expiry?: { kind: 'at'; at: Date };
}

/** Makes a link to the album of the check. */
export async function makeLink(world: World, name: string, { rules, ...more }: LinkParams = {}) {
  const { browser } = made(world.creator, 'creator');
  const { id: albumId } = made(world.album, 'album');
  const given = { albumIds: [albumId], linkName: name, recipientName: name, isLaxConfirmed: true, ...more };
  const usual = { ageGate: false, ...rules } as LinkRulesInput;
  const { id, slug } = await browser.calls.links.create({ ...given, rules: usual });
  world.links.set(name, { id, slug, name });
  return { id, slug };
}

async function lookAtPhoto(world: World): Promise<string> {
  const { id: linkId, slug } = await makeLink(world, 'free');
  const viewer = world.openPhone();
  const { visitId, items } = await open(viewer, slug);
  const mediaId = made(world.album?.photoId, 'photo');
  if (!items.some((item) => item.mediaId === mediaId)) throw new Error('The photo is not among what the link shows.');
  const picture = await lease(viewer, visitId, { mediaId, rendition: 'p2048' });
  const copy = await drawCopy(world, picture);
  // Somebody else came by a link of their own: whom a copy is traced to is then a choice.
  const other = await makeLink(world, 'other');
  const second = world.openPhone();
  const visit = await open(second, other.slug);
  await lease(second, visit.visitId, { mediaId, rendition: 'p2048' });
  world.shown = { viewer, visitId, linkId, copy };
  return `The photo was decrypted with the keys that were lent, ${formatBytes(picture.pack.length)}.`;
}

async function playVideo(world: World): Promise<string> {
  const { viewer, visitId } = made(world.shown, 'open screen');
  const mediaId = made(world.album?.videoId, 'video');
  const list = String((await viewer.must('GET', `/api/view/videos/${visitId}/${mediaId}/v720.m3u8`)).bytes);
  const [, length = '', at = '', address = ''] = /#EXT-X-BYTERANGE:(\d+)@(\d+)\n(\S+)/.exec(list) ?? [];
  const tracks = [{ track: 'v720' as const, from: 0, count: 1 }];
  const { leases } = await viewer.calls.viewing.videoKeys({ visitId, mediaId, tracks });
  const { token, keys } = made(leases[0], 'key of the video');
  const range = `bytes=${at}-${Number(at) + Number(length) - 1}`;
  const { bytes } = await viewer.must('GET', address, { headers: { 'pf-lease': token, range } });
  const decipher = createDecipheriv('aes-128-cbc', Buffer.from(keys, 'base64url').subarray(0, 16), Buffer.alloc(16));
  const second = Buffer.concat([decipher.update(bytes), decipher.final()]);
  return `Its first second, ${second.length} bytes, was decrypted with the key that was lent.`;
}

/** So long the viewer looks. */
const lookedMs = 4 * secondMs;

async function countTime(world: World): Promise<string> {
  const { viewer, visitId, linkId } = made(world.shown, 'open screen');
  const mediaId = made(world.album?.photoId, 'photo');
  await wait(lookedMs, undefined, { signal: world.signal });
  const samples = [{ mediaId, visibleMs: lookedMs }];
  await viewer.calls.viewing.renew({ visitId, samples, lookingAt: mediaId, idleMs: 0 });
  const { calls } = made(world.creator, 'creator').browser;
  const counted = await world.until('The time that was looked', async () => {
    const { visits } = await calls.insights.visitsOfLink({ linkId });
    const visit = visits.find((one) => one.visitId === visitId);
    return visit !== undefined && visit.watchMs > 0 ? visit.watchMs : undefined;
  });
  if (counted > lookedMs) throw new Error(`${counted} ms were counted of ${lookedMs}.`);
  return `${(counted / secondMs).toFixed(1)} s stand in the insights.`;
}

async function revoke(world: World): Promise<string> {
  const { slug, id } = await makeLink(world, 'revoked');
  const viewer = world.openPhone();
  const { visitId } = await open(viewer, slug);
  const beganMs = performance.now();
  await made(world.creator, 'creator').browser.calls.links.revoke({ linkIds: [id] });
  const renewal = { json: { visitId, samples: [], idleMs: 0 } };
  await world.until('The end of the revoked link', async () => {
    const { status } = await viewer.ask('POST', '/rpc/viewing/renew', { payload: renewal });
    return status === 410 ? true : undefined;
  });
  const tookMs = performance.now() - beganMs;
  if (tookMs > 30 * secondMs) throw new Error(`The screen heard of it after ${Math.round(tookMs / secondMs)} s.`);
  return `The screen lost its keys after ${Math.round(tookMs)} ms; 30 s is the most that may pass.`;
}

/** What viewers do with a link. */
export const viewerSteps: readonly Step[] = [
  { key: 'open', title: 'A link is opened on a phone, and the photo is seen', needs: ['photo'], run: lookAtPhoto },
  { key: 'play', title: 'The video is played', needs: ['open', 'video'], run: playVideo },
  { key: 'time', title: 'The time that was looked is counted', needs: ['open'], run: countTime },
  { key: 'revoke', title: 'A link is revoked, and the open screen loses its keys', needs: ['photo'], run: revoke },
];
