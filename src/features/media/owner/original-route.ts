import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { StorageAway } from '#engines/storage/storage.ts';
import { isUuid } from '#kit/ids.ts';
import type { Context } from '#wire/context.ts';
import { refusals } from '#wire/refusals.ts';
import { findMediaKey } from '../keys-store.ts';
import { decryptOriginal } from '../original.ts';
import { findOriginal } from '../store.ts';

/** GET /api/media/:mediaId/original: the untouched file, for its owner alone, always as an attachment. */
export function mountOriginals(
  app: FastifyInstance,
  engines: Engines,
  contextOf: (request: FastifyRequest, reply: FastifyReply) => Context,
): void {
  app.get(
    '/api/media/:mediaId/original',
    { config: { who: ['creator', 'admin'], subject: 'medium' } },
    async (request, reply) => {
      const { mediaId } = request.params as { mediaId: string };
      const actor = await contextOf(request, reply).actor();
      const say = (code: 'UNAUTHENTICATED' | 'NOT_FOUND') =>
        reply.code(refusals[code].status).send({ code, message: refusals[code].message });
      if (actor.kind === 'visitor') return say('UNAUTHENTICATED');
      if (!isUuid(mediaId)) return say('NOT_FOUND');
      const found = await engines.database.work({ kind: 'user', userId: actor.userId }, async (tx) => {
        const original = await findOriginal(tx, mediaId);
        return original && { ...original, key: await findMediaKey(tx, engines.keys, mediaId) };
      });
      if (found?.key === undefined || found.original_path === null) return say('NOT_FOUND');
      const name = encodeURIComponent(found.original_name).replace(
        /['()*]/g,
        (letter) => `%${letter.charCodeAt(0).toString(16)}`,
      );
      const plain = decryptOriginal(found.key);
      const stored = await engines.storage.open(found.original_path);
      plain.once('close', () => stored.destroy()); // who goes away in the middle leaves no open file behind
      stored.on('error', (error) => plain.destroy(new StorageAway(error))).pipe(plain);
      return reply
        .headers({
          'content-type': 'application/octet-stream',
          'content-disposition': `attachment; filename="original"; filename*=UTF-8''${name}`,
          'content-length': found.bytes,
          'cache-control': 'no-store',
          'x-robots-tag': 'noindex',
        })
        .send(plain);
    },
  );
}
