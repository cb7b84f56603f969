import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A shorter text fits into one packet as it is. */
const leastBytes = 1024;
/** For texts that are made for one reader: half the work of the default, nearly as small. */
const brotliLevel = 4;

const ways = {
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliLevel } }),
  gzip: (text: string) => promisify(gzip)(text),
};

/** Sends a text, compressed where its reader takes it so (RFC 9110 §12.5.3); nothing that a stranger wrote may stand in it beside secrets. */
export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  reply.header('vary', 'accept-encoding');
  const taken = String(request.headers['accept-encoding'] ?? '');
  const way = (['br', 'gzip'] as const).find((name) =>
    new RegExp(`\\b${name}\\b(?!;\\s*q=0(?:\\.0*)?(?:,|$))`).test(taken),
  );
  if (way === undefined || text.length < leastBytes) return reply.send(text);
  return reply.header('content-encoding', way).send(await ways[way](text));
}
