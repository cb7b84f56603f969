import type { FastifyInstance } from 'fastify';
import { type Mounting, sayRefusal, takeRaw } from '#wire/raw.ts';
import { packCacheOf } from '../cache/pack-cache.ts';
import { codewordsOf } from '../codewords.ts';
import { readLease } from '../lease-token.ts';
import { composePack } from '../packs/composed-pack.ts';

/** A browser may keep a composed pack for ever: without keys it is noise, and another grant has another address. */
const forEver = 'private, max-age=31536000, immutable';

/**
 * GET /m/c/:packId/:tag with `PF-Lease`: one grant's composed form of one pack, from memory. Nothing is looked up and nothing
 * is encrypted here; what is not exactly right does not exist.
 */
export function mountPackBytes(app: FastifyInstance, { engines }: Mounting): void {
  const cache = packCacheOf(engines);
  const codewords = codewordsOf(engines);
  const config = { who: ['viewer'] as const, subject: 'medium' as const };
  app.get<{ Params: { packId: string; tag: string } }>('/m/c/:packId/:tag', { config }, async (request, reply) => {
    const { packId, tag } = request.params;
    const claim = readLease(engines.keys, String(request.headers['pf-lease'] ?? ''), engines.linkClock());
    if (claim === undefined || claim.packId !== packId) return sayRefusal(reply, 'NOT_FOUND');
    const [grant, pack] = await Promise.all([codewords.findGrant(claim.grantId), cache.find(packId)]);
    if (grant === undefined || pack === undefined || grant.creatorId !== pack.creatorId)
      return sayRefusal(reply, 'NOT_FOUND');
    const { columns, rows } = pack.header;
    const share = await codewords.shareOf(grant, {
      id: packId,
      mediaId: pack.mediaId,
      rendition: pack.rendition,
      columns,
      rows,
    });
    if (share.tag !== tag) return sayRefusal(reply, 'NOT_FOUND');
    const composed = composePack(pack.bytes, pack.header, share.bits);
    takeRaw(reply, { 'cache-control': forEver, 'content-length': composed.length }).end(composed);
    return reply;
  });
}
