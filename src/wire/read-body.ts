import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { isTooDeep } from './storable.ts';

/** Returns what `sayFailure` answers with a sentence of its own. */
const failWith = (statusCode: number, message: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { statusCode });

/**
 * Reads a body up to its limit; what is longer is not even kept.
 * @throws with status 413 for one that is longer, 400 for one that breaks off
 */
export async function readText(payload: Readable, mostBytes: number, saidBytes: number): Promise<string> {
  if (saidBytes > mostBytes) throw failWith(413, 'a body that is too long');
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Not destroyed when it is too long: the answer goes over the same line.
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Buffer).length;
      if (bytes > mostBytes) break;
      chunks.push(chunk as Buffer);
    }
  } catch (cause) {
    throw failWith(400, 'a body that broke off', cause);
  }
  if (bytes > mostBytes) throw failWith(413, 'a body that is too long');
  return Buffer.concat(chunks).toString();
}

/** Reads JSON whose depth has been looked at first. @throws with status 422 for what is none, or deeper than anything that is asked for */
export function readJson(text: string): unknown {
  if (isTooDeep(text)) throw failWith(422, 'JSON that is too deep');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw failWith(422, 'malformed JSON', cause);
  }
}

/** Reads the JSON of raw routes: its depth is looked at before Fastify's own parser takes it. */
export function parseShallowJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (isTooDeep(String(text))) done(failWith(422, 'JSON that is too deep'));
    else void parse(request, String(text), done);
  });
}
