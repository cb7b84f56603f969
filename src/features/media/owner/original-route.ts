import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { type Storage, StorageAway } from '#engines/storage/storage.ts';
import { isUuid } from '#kit/ids.ts';
import type { Context } from '#wire/context.ts';
import { refusals } from '#wire/refusals.ts';
import { findMediaKey } from '../keys-store.ts';
import { decryptOriginal, decryptPart } from '../original.ts';
import { findOriginal } from '../store.ts';
import { readAskedRange } from './asked-range.ts';

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
      const range = findPart(request, found.bytes, mediaId);
      reply.headers({
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="original"; filename*=UTF-8''${encodeName(found.original_name)}`,
        'accept-ranges': 'bytes',
        etag: tagOf(mediaId),
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
      });
      if (range === 'none')
        return reply.header('content-range', `bytes */${found.bytes}`).code(416).send(Buffer.alloc(0));
      if (range === undefined)
        return reply
          .header('content-length', found.bytes)
          .send(await openWhole(engines.storage, found.original_path, found.key));
      const { original_path: place, key } = found;
      const part = decryptPart(key, found.bytes, range, (piece) => engines.storage.read(place, piece));
      return reply
        .code(206)
        .headers({
          'content-range': `bytes ${range.from}-${range.to}/${found.bytes}`,
          'content-length': range.to - range.from + 1,
        })
        .send(Readable.from(part));
    },
  );
}

/** An original never changes. */
const tagOf = (mediaId: string) => `"${mediaId}"`;

/** The part that is asked for; all of it where a part of another file was meant (`If-Range`). */
function findPart({ headers }: FastifyRequest, sizeBytes: number, mediaId: string) {
  const meant = headers['if-range'];
  return meant === undefined || meant === tagOf(mediaId) ? readAskedRange(headers.range, sizeBytes) : undefined;
}

const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

async function openWhole(storage: Storage, place: string, key: Buffer): Promise<Readable> {
  const plain = decryptOriginal(key);
  const stored = await storage.open(place);
  plain.once('close', () => stored.destroy()); // who goes away in the middle leaves no open file behind
  stored.on('error', (error) => plain.destroy(new StorageAway(error))).pipe(plain);
  return plain;
}
