import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { LiveEvent } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { sessionEnded } from '#features/accounts/security-store.ts';
import { listAliveSessions } from '#features/accounts/store.ts';
import { type Mounting, sayRefusal, takeRaw } from '#wire/raw.ts';

/** All streams' sessions are looked at this often: nothing announces that one has run out or is locked. */
const heartbeatMs = 20_000;

/** A stream that a session has opened. */
interface EventStream {
  sessionId: string;
  userId: string;
  response: ServerResponse;
}

/** GET /api/live: what happens to a creator's links, albums and viewers, as kinds and ids. */
export function mountLive(app: FastifyInstance, { engines, live, contextOf }: Mounting): void {
  const streams = new Set<EventStream>();
  const dismiss = (those: EventStream[]) => void endStreams(engines, those, 'end');
  live.watch(
    ({ kind, creatorId }) => {
      if (kind === sessionEnded) dismiss([...streams].filter(({ userId }) => userId === creatorId));
    },
    () => dismiss([...streams]),
  );
  const beat = setInterval(() => void endStreams(engines, [...streams], 'keep'), heartbeatMs);
  beat.unref();
  app.addHook('onClose', async () => clearInterval(beat));
  const config = { who: ['creator', 'admin'] as const, subject: 'none' as const };
  app.get('/api/live', { config, exposeHeadRoute: false }, async (request, reply) => {
    const actor = await contextOf(request, reply).actor();
    if (actor.kind === 'visitor') return sayRefusal(reply, 'UNAUTHENTICATED');
    const { userId, sessionId } = actor;
    const lastEventId = request.headers['last-event-id'];
    const response = takeRaw(reply, {});
    const stream = { sessionId, userId, response };
    streams.add(stream);
    response.on('close', () => streams.delete(stream));
    live.open(response, { creatorId: userId }, `session:${sessionId}`, lastEventId?.toString(), showToStudio);
    return reply;
  });
}

/** That a session has ended is said to this server alone, and who a viewer is to none outside: a creator knows them by another id. */
const showToStudio = ({ viewerId: _, ...event }: LiveEvent) => (event.kind === sessionEnded ? undefined : event);

/**
 * Ends the streams whose session is over or locked, by one question for all of them.
 * @param unknown what becomes of them when nobody can say
 */
async function endStreams(
  { database, clock }: Engines,
  streams: EventStream[],
  unknown: 'end' | 'keep',
): Promise<void> {
  if (streams.length === 0) return;
  const ids = [...new Set(streams.map(({ sessionId }) => sessionId))];
  const ifUnknown = unknown === 'keep' ? ids : [];
  const alive = new Set(await listAliveSessions(database, ids, new Date(clock())).catch(() => ifUnknown));
  for (const { sessionId, response } of streams) if (!alive.has(sessionId)) response.end();
}
