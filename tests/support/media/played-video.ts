import { createDecipheriv } from 'node:crypto';
import type { VideoLease, VideoTrack } from '#features/media/contract.ts';

/** What somebody's player may ask for. */
export interface Player {
  /** The playlist of a rung. */
  list(track: VideoTrack): Promise<string>;
  lend(wanted: { track: VideoTrack; from: number; count: number }): Promise<VideoLease>;
  bytes(address: string, headers: Record<string, string>): Promise<Buffer>;
}

/** So many seconds are lent at a time. */
const atOnce = 10;

/** Everything that a player gets of one rung: the viewer's own mixture of both variants, put together to one file. */
export async function playThrough({ list, lend, bytes }: Player, track: VideoTrack): Promise<Buffer> {
  const segments = [...(await list(track)).matchAll(/#EXT-X-BYTERANGE:(\d+)@(\d+)\n(\S+)/g)];
  const parts: Buffer[] = [];
  for (let from = 0; from < segments.length; from += atOnce) {
    const { packId, token, keys } = await lend({ track, from, count: Math.min(atOnce, segments.length - from) });
    const lent = Buffer.from(keys, 'base64url');
    if (from === 0) parts.push(await bytes(`/m/s/${packId}/init`, { 'pf-lease': token }));
    for (const [n, [, length, at, address = '']] of segments.slice(from, from + atOnce).entries()) {
      const range = `bytes=${at}-${Number(at) + Number(length) - 1}`;
      const sealed = await bytes(address, { 'pf-lease': token, range });
      const iv = Buffer.alloc(16);
      iv.writeUInt32BE(from + n, 12);
      const decipher = createDecipheriv('aes-128-cbc', lent.subarray(16 * n, 16 * n + 16), iv);
      parts.push(decipher.update(sealed), decipher.final());
    }
  }
  return Buffer.concat(parts);
}
