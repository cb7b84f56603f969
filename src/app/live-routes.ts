import type { FastifyInstance } from 'fastify';
import { type Mounting, sayRefusal, takeRaw } from '#wire/raw.ts';

/** A stream is opened anew after this time, so that a session that has ended does not listen on. */
const longestMs = 15 * 60_000;

/** GET /api/live: what happens to a creator's links, albums and viewers, as kinds and ids. */
export function mountLive(app: FastifyInstance, { live, contextOf }: Mounting): void {
  app.get('/api/live', { config: { who: ['creator', 'admin'], subject: 'none' } }, async (request, reply) => {
    const actor = await contextOf(request, reply).actor();
    if (actor.kind === 'visitor') return sayRefusal(reply, 'UNAUTHENTICATED');
    const lastEventId = request.headers['last-event-id'];
    const response = takeRaw(reply, {});
    const end = setTimeout(() => response.end(), longestMs);
    end.unref();
    response.on('close', () => clearTimeout(end));
    live.open(response, { creatorId: actor.userId }, `session:${actor.sessionId}`, lastEventId?.toString());
    return reply;
  });
}
