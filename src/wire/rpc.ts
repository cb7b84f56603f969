import type { Readable } from 'node:stream';
import { OpenAPIGenerator } from '@orpc/openapi';
import { OpenAPIHandler } from '@orpc/openapi/fastify';
import { type Context as AnyContext, type AnyProcedure, type AnyRouter, ORPCError } from '@orpc/server';
import { RPCHandler } from '@orpc/server/fastify';
import { SimpleCsrfProtectionHandlerPlugin } from '@orpc/server/plugins';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '#engines/engines.ts';
import { anybodyBytes, readBodyLimits } from './body-limits.ts';
import type { Context } from './context.ts';
import { refusalOf } from './failures.ts';
import type { ProcedureMeta } from './promise.ts';
import { readJson, readText } from './read-body.ts';
import { refusals, refuse } from './refusals.ts';
import { isStorable } from './storable.ts';

export interface RpcSettings {
  contextOf(request: FastifyRequest, reply: FastifyReply): Context;
  log: Pick<Log, 'debug' | 'warn' | 'error'>;
  /** Returns whether a call carries a session that we signed; nothing is looked up for it. */
  hasSession(request: FastifyRequest): boolean;
  /** Looks at what a procedure has answered before it leaves. @throws when it must not */
  checkAnswer?(
    context: Context,
    answered: { procedure: string; meta: ProcedureMeta; input: unknown; answer: unknown },
  ): Promise<void>;
  /** Hears of each call that has ended. @param hasFailed not by a refusal, but by a fault of ours or of what we need */
  noteCall(procedure: string, ms: number, hasFailed: boolean): void;
}

/** A caller who goes away, or is cut for being slow, in the middle of what he says is no bug of ours. */
const hasCallerLeft = (error: unknown) =>
  ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET'].includes((error as NodeJS.ErrnoException | null)?.code ?? '');

/**
 * Our pages send text, numbers, dates and what holds them. The other kinds that oRPC unfolds – big integers, addresses,
 * patterns, sets and maps – are no input of ours; a pattern of a stranger's would even be compiled.
 */
const foreignKinds = [0, 4, 5, 6, 7].map((type) => ({
  type,
  condition: () => false,
  serialize: () => undefined,
  deserialize: () => {
    throw new TypeError('not a kind of value that is taken');
  },
}));

interface Turn<T> {
  context: AnyContext;
  path: readonly string[];
  procedure: AnyProcedure;
  input: unknown;
  next: () => Promise<T>;
}

/** Runs a procedure, and looks at what it has answered before it leaves. */
async function answerOf<T>(
  { context, path, procedure, input, next }: Turn<T>,
  checkAnswer: RpcSettings['checkAnswer'],
): Promise<T> {
  const answer = await next();
  const meta = procedure['~orpc'].meta as ProcedureMeta;
  await checkAnswer?.(context as unknown as Context, { procedure: path.join('.'), meta, input, answer });
  return answer;
}

/** Returns what runs each procedure: its failure becomes a refusal, and how the call went is noted. @param reached hears of each that has begun */
const openTurns =
  (
    reached: WeakSet<AnyContext>,
    { log, checkAnswer, noteCall }: Pick<RpcSettings, 'log' | 'noteCall'> & { checkAnswer: RpcSettings['checkAnswer'] },
  ) =>
  async <T>(call: Turn<T>): Promise<T> => {
    const { context, input, path } = call;
    reached.add(context);
    if (!isStorable(input)) throw refuse('VALIDATION', { message: 'Malformed input' });
    const beganMs = performance.now();
    const procedure = path.join('.');
    const note = (hasFailed: boolean, refused?: string) => {
      const ms = performance.now() - beganMs;
      noteCall(procedure, ms, hasFailed);
      log.debug?.({ requestId: context.requestId, procedure, ms: Math.round(ms), refused }, 'a call ended');
    };
    try {
      const answer = await answerOf(call, checkAnswer);
      note(false);
      return answer;
    } catch (error) {
      const refusal = refusalOf(error, String(context.requestId), log);
      note(refusal.status >= 500, refusal.code);
      throw refusal;
    }
  };

/** Mounts one router twice: /rpc for our own pages, /api/v1 for everybody else, with its OpenAPI document. */
export async function mountRpc(
  app: FastifyInstance,
  router: AnyRouter,
  { contextOf, log, hasSession, checkAnswer, noteCall }: RpcSettings,
): Promise<void> {
  const reached = new WeakSet<AnyContext>();
  const turn = openTurns(reached, { log, checkAnswer, noteCall });
  const around = async <T>({ context, next }: { context: AnyContext; next: () => Promise<T> }): Promise<T> => {
    try {
      return await next();
    } catch (error) {
      if (error instanceof ORPCError) throw error;
      // What fails before a procedure is reached is the reading of its input.
      if (!reached.has(context)) throw refuse('VALIDATION', { message: 'Malformed input' });
      if (!hasCallerLeft(error)) log.error({ requestId: 'wire', err: error }, 'a bug');
      throw error;
    }
  };
  // New lists for each handler: oRPC's plugins put their own entries into the lists they are given.
  const handling = () => ({ clientInterceptors: [turn], interceptors: [around] as never[] });
  const csrf = new SimpleCsrfProtectionHandlerPlugin<Context>();
  const rpc = new RPCHandler<Context>(router, {
    ...handling(),
    plugins: [csrf],
    customJsonSerializers: foreignKinds,
  });
  const rest = new OpenAPIHandler<Context>(router, handling());
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const limitOf = openLimits(router, hasSession);
  const info = { title: 'PrivateFans', version: '1' };
  const document = await generator.generate(router, { info, servers: [{ url: '/api/v1' }] });
  app.get('/api/openapi.json', { config: { who: ['anybody'] } }, async () => document);

  await app.register(async (scope) => {
    // Read here, where a body has its limit; oRPC would read one without an end.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', readWithin(limitOf));
    const notFound = (reply: FastifyReply) =>
      reply.code(404).send({ code: 'NOT_FOUND', message: refusals.NOT_FOUND.message });
    // Who may call is each procedure's own word.
    const config = { who: ['anybody'] as const };
    scope.all('/rpc/*', { config }, async (request, reply) => {
      const { matched } = await rpc.handle(request, reply, { prefix: '/rpc', context: contextOf(request, reply) });
      return matched ? reply : notFound(reply);
    });
    scope.all('/api/v1/*', { config }, async (request, reply) => {
      const { matched } = await rest.handle(request, reply, { prefix: '/api/v1', context: contextOf(request, reply) });
      return matched ? reply : notFound(reply);
    });
  });
}

/** Returns how long a body may be: only behind a session that we signed as long as a procedure for accounts takes it. */
function openLimits(router: AnyRouter, hasSession: RpcSettings['hasSession']): (request: FastifyRequest) => number {
  const limits = readBodyLimits(router);
  return (request) => {
    const limit = limits(request.method, request.url.split('?', 1)[0] ?? '');
    return hasSession(request) ? limit : Math.min(limit, anybodyBytes);
  };
}

const readWithin = (limitOf: (request: FastifyRequest) => number) => (request: FastifyRequest, payload: Readable) =>
  readBody(request, payload, limitOf(request));

/** JSON, or what calls itself nothing, is read; anything else stays the text that it is, and no input of ours. */
async function readBody({ headers }: FastifyRequest, payload: Readable, mostBytes: number): Promise<unknown> {
  const text = await readText(payload, mostBytes, Number(headers['content-length'] ?? 0));
  if (text === '') return undefined;
  return (headers['content-type'] ?? 'application/json').startsWith('application/json') ? readJson(text) : text;
}
