import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#wire/context.ts';
import { describeMe } from './me.ts';

/** The short name of `accounts.me`: GET /api/me. */
export function mountMe(
  app: FastifyInstance,
  contextOf: (request: FastifyRequest, reply: FastifyReply) => Context,
): void {
  const config = { who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' } as const;
  app.get('/api/me', { config }, async (request, reply) => reply.send(await describeMe(contextOf(request, reply))));
}
