import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ByteRange } from '#engines/storage/storage.ts';
import { mostSegmentBytes } from '#engines/video/video.ts';
import { isUuid } from '#kit/ids.ts';
import { createLru } from '#kit/lru.ts';
import { type Mounting, sayRefusal, takeRaw } from '#wire/raw.ts';
import { segmentCacheOf } from '../cache/segment-cache.ts';
import { codewordsOf } from '../codewords.ts';
import { readLease } from '../lease-token.ts';
import { findTrackFiles, type TrackFiles } from '../packs/packs-store.ts';

/** Ciphertext never changes, and is noise without keys; nobody but this browser keeps it. */
const forEver = 'private, max-age=31536000, immutable';

/** First and last byte of `Range: bytes=a-b`; undefined when it is none that lies in the file. */
export function readRange(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header ?? '') ?? [];
  const [from, to] = [Number(first), Number(last)];
  const isInside = from <= to && to < sizeBytes && to - from < mostSegmentBytes;
  return isInside ? { from, to } : undefined;
}

/**
 * GET /m/s/:packId/:part with `PF-Lease`: the clear beginning of one rendition of a video (`init`), or a range of the file of
 * one variant (`0`, `1`). What is not exactly right does not exist.
 */
export function mountVideoBytes(app: FastifyInstance, { engines }: Mounting): void {
  const codewords = codewordsOf(engines);
  const cache = segmentCacheOf(engines);
  const tracks = createLru<string, TrackFiles>(2000);
  const config = { who: ['viewer', 'creator', 'admin'] as const, subject: 'medium' as const };
  const findTrack = async (packId: string) => {
    const known = tracks.get(packId);
    if (known !== undefined) return known;
    const row = await findTrackFiles(engines.database, packId);
    return row && tracks.set(packId, row);
  };
  const send = async (reply: FastifyReply, path: string, sizeBytes?: number, range?: ByteRange) => {
    const bytes = await cache.read(path, range);
    const raw = takeRaw(reply, { 'cache-control': forEver, 'content-length': bytes.length });
    if (range !== undefined) {
      raw.statusCode = 206;
      raw.setHeader('content-range', `bytes ${range.from}-${range.to}/${sizeBytes}`);
    }
    raw.end(bytes);
    return reply;
  };
  const options = { config, exposeHeadRoute: false };
  app.get<{ Params: { packId: string; part: string } }>('/m/s/:packId/:part', options, async (request, reply) => {
    const { packId, part } = request.params;
    const claim = readLease(engines.keys, String(request.headers['pf-lease'] ?? ''), engines.linkClock());
    if (claim === undefined || claim.packId !== packId || !isUuid(packId)) return sayRefusal(reply, 'NOT_FOUND');
    const [grant, track] = await Promise.all([codewords.findGrant(claim.grantId), findTrack(packId)]);
    if (grant === undefined || track === undefined || grant.creatorId !== track.creatorId)
      return sayRefusal(reply, 'NOT_FOUND');
    if (part === 'init') return send(reply, track.initPath);
    const file = track.files.find(({ slot }) => String(slot) === part);
    if (file === undefined) return sayRefusal(reply, 'NOT_FOUND');
    const range = readRange(request.headers.range, file.sizeBytes);
    if (range === undefined) return sayRefusal(reply, 'VALIDATION');
    return send(reply, file.path, file.sizeBytes, range);
  });
}
