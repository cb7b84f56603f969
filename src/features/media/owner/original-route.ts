import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { type Storage, StorageAway } from '#engines/storage/storage.ts';
import { isUuid } from '#kit/ids.ts';
import { sendAttachment } from '#wire/attachment.ts';
import type { Context } from '#wire/context.ts';
import { refusals } from '#wire/refusals.ts';
import { findMediaKey } from '../keys-store.ts';
import { decryptOriginal, decryptPart } from '../original.ts';
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
      const { original_path: place, original_name: name, bytes: sizeBytes, key } = found;
      const { storage } = engines;
      return sendAttachment(request, reply, {
        name,
        plainName: 'original',
        tag: mediaId,
        sizeBytes,
        openWhole: () => openWhole(storage, place, key),
        openPart: (range) => Readable.from(decryptPart(key, sizeBytes, range, (piece) => storage.read(place, piece))),
      });
    },
  );
}

async function openWhole(storage: Storage, place: string, key: Buffer): Promise<Readable> {
  const plain = decryptOriginal(key);
  const stored = await storage.open(place);
  plain.once('close', () => stored.destroy()); // who goes away in the middle leaves no open file behind
  stored.on('error', (error) => plain.destroy(new StorageAway(error))).pipe(plain);
  return plain;
}
