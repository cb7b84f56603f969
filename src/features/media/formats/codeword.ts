import { createHash, createHmac, type KeyObject } from 'node:crypto';
import type { Track } from './keys.ts';

/** The secrets behind one viewer's codeword. A creator's own look and an admin's have no link: their grant fills every tile. */
export type CodewordSeeds = { linkSeed?: Seed | undefined; grantSeed: Seed };

/** A seed that is used often is kept as a key object: Node would make one for every MAC, at five times its price. */
export type Seed = Buffer | KeyObject;

const bitsPerBlock = 256;

/** Returns what every grant of one link shares: its half of the tiles. Nobody escapes it by opening the link in several browsers. */
export function linkSeed(traceKey: Buffer, linkId: string): Buffer {
  return createHmac('sha256', traceKey).update('pf1:link').update(linkId).digest();
}

/** What is this grant's alone. */
export function grantSeed(traceKey: Buffer, grantId: string): Buffer {
  return createHmac('sha256', traceKey).update('pf1:grant').update(grantId).digest();
}

/** Returns what the append-only log holds of a grant or link: revealing the seed later proves that its codewords were fixed before any leak. */
export function commitment(id: string, seed: Buffer): Buffer {
  return createHash('sha256').update('pf1:commit').update(id).update(seed).digest();
}

/** Name of a rendition inside codewords: segment n carries the same bit on every rung of a video. */
export function codewordTrack(track: Track): string {
  return track === 'v720' || track === 'v480' ? 'video' : track;
}

/** Which variant of each tile this viewer gets, 1 = A: link and grant alternate like the fields of a chessboard. */
export function tileCodeword(
  seeds: CodewordSeeds,
  mediaId: string,
  track: Track,
  { columns, rows }: { columns: number; rows: number },
): Uint8Array {
  return woven(seeds, mediaId, track, columns * rows, (t) => isLinkTile(t, columns));
}

/** Returns whether a tile carries the link's bit and not the grant's. */
export function isLinkTile(tile: number, columns: number): boolean {
  return ((tile % columns) + Math.floor(tile / columns)) % 2 === 0;
}

/** Which variant of each of a video's first `segments` segments this viewer gets: even ones carry the link. */
export function segmentCodeword(seeds: CodewordSeeds, mediaId: string, track: Track, segments: number): Uint8Array {
  return woven(seeds, mediaId, track, segments, (n) => n % 2 === 0);
}

/**
 * Part of the address of a viewer's composed pack: browsers may cache that answer for ever, so two grants must never share it.
 * @param packId the pack's 16 bytes
 */
export function packTag(grant: Seed, packId: Uint8Array): string {
  return createHmac('sha256', grant).update('pf1:tag').update(packId).digest('base64url').slice(0, 16);
}

/** Independent fair bits of one seed; nobody without the trace key can tell them from coin throws. */
export function fairBits(seed: Seed, mediaId: string, track: Track, count: number): Uint8Array {
  const packed = packedFairBits(seed, mediaId, track, count);
  return Uint8Array.from({ length: count }, (_, t) => ((packed[t >> 3] ?? 0) >> (t & 7)) & 1);
}

/** The same eight a byte, the first in the lowest place, in whole blocks of 256. */
export function packedFairBits(seed: Seed, mediaId: string, track: Track, count: number): Uint8Array {
  const number = Buffer.alloc(4);
  const blocks: Buffer[] = [];
  for (let first = 0; first < count; first += bitsPerBlock) {
    number.writeUInt32BE(first / bitsPerBlock);
    const block = createHmac('sha256', seed).update('pf1:fair').update(mediaId).update(codewordTrack(track));
    blocks.push(block.update(number).digest());
  }
  const [only] = blocks;
  return only !== undefined && blocks.length === 1 ? only : Buffer.concat(blocks);
}

function woven(
  { linkSeed, grantSeed }: CodewordSeeds,
  mediaId: string,
  track: Track,
  count: number,
  isLinks: (place: number) => boolean,
): Uint8Array {
  const bits = fairBits(grantSeed, mediaId, track, count);
  if (!linkSeed) return bits;
  const shared = fairBits(linkSeed, mediaId, track, count);
  return bits.map((bit, place) => (isLinks(place) ? (shared[place] ?? 0) : bit));
}
