import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod';
import type { Engines, Log } from '#engines/engines.ts';
import type { Context } from './context.ts';
import { refusalOf } from './failures.ts';
import type { Live } from './live.ts';
import { type RefusalCode, type RefusalData, refusals } from './refusals.ts';

/** What raw routes are mounted with. */
export interface Mounting {
  engines: Engines;
  live: Live;
  contextOf(request: FastifyRequest, reply: FastifyReply): Context;
}

/**
 * Takes an answer out of Fastify's hands, for bytes and streams: the app's headers are kept, the head is not sent yet.
 */
export function takeRaw(reply: FastifyReply, headers: Readonly<Record<string, string | number>>): ServerResponse {
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.setHeader('content-type', 'application/octet-stream');
  for (const [name, value] of Object.entries(headers)) raw.setHeader(name, value);
  return raw;
}

/**
 * Streams an answer. Bugs of `run` are logged here, because Fastify has let go of the answer; whatever ends it early cuts
 * the connection, so that a browser never takes half an answer for a whole one.
 * @param run returns whether everything was sent
 */
export async function streamRaw(
  reply: FastifyReply,
  log: Pick<Log, 'error'>,
  run: (response: ServerResponse) => Promise<boolean>,
): Promise<FastifyReply> {
  const response = takeRaw(reply, { 'cache-control': 'no-store' });
  try {
    if (await run(response)) response.end();
    else response.destroy();
  } catch (err) {
    log.error({ requestId: reply.request.id, err }, 'a stream broke');
    response.destroy();
  }
  return reply;
}

/** A refusal of a raw route, in the shape of the typed ones. */
export function sayRefusal(
  reply: FastifyReply,
  code: RefusalCode,
  data: RefusalData & { message?: string } = {},
): FastifyReply {
  const { message = refusals[code].message, ...more } = data;
  if (more.retryAfter !== undefined) reply.header('retry-after', String(Math.ceil(more.retryAfter)));
  return reply.code(refusals[code].status).send({ code, message, data: more });
}

/** The first thing that is wrong with a body, for a form that can show it. */
export function firstFaultOf({ issues: [first] }: z.ZodError): { field?: string; message?: string } {
  return first === undefined ? {} : { field: String(first.path.at(-1) ?? ''), message: first.message };
}

/** Returns what a raw route answers when it fails: malformed bodies are named, a database that is away is 503, the rest shows its request id. */
export function sayFailure(error: unknown, reply: FastifyReply, log: Pick<Log, 'warn' | 'error'>): FastifyReply {
  if (!reply.raw.headersSent) forgetBody(reply);
  const { statusCode } = error as { statusCode?: number };
  if (statusCode === 413) return sayTooLong(reply);
  if (statusCode === 415) return sayRefusal(reply, 'UNSUPPORTED_MEDIA');
  if (statusCode !== undefined && statusCode < 500) return sayRefusal(reply, 'VALIDATION');
  const { id } = reply.request;
  const { status, code, message, data } = refusalOf(error, id, log);
  return reply.code(status).send({ code, message, data });
}

/** A file, or a text that nobody types; its sender may still be at it. */
function sayTooLong(reply: FastifyReply): FastifyReply {
  reply.header('connection', 'close');
  if (reply.request.routeOptions.config.isUpload) return sayRefusal(reply, 'FILE_TOO_BIG');
  return reply.code(413).send({ code: 'VALIDATION', message: 'This is too long.', data: {} });
}

/** A stream that broke before its first byte has left behind what it said of its bytes. */
function forgetBody(reply: FastifyReply): void {
  for (const name of ['content-type', 'content-length', 'content-disposition']) {
    reply.removeHeader(name);
    reply.raw.removeHeader(name);
  }
}
