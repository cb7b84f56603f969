import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '#wire/context.ts';
import type { AnsweredRequest } from '#wire/own-process.ts';
import { readAddresses } from '#wire/procedure-at.ts';
import { router } from '../rooms.ts';

/** Of all people together. */
const mostKept = 5000;
const mostShown = 100;

type Kept = Omit<AnsweredRequest, 'at'> & { userId: string; atMs: number };

/** Remembers the newest requests of signed-in people in memory, and forgets the oldest. */
export function openAnsweredRequests(most = mostKept) {
  const ring: Kept[] = [];
  let next = 0;
  return {
    note(request: Kept): void {
      ring[next] = request;
      next = (next + 1) % most;
    },
    /** The newest first. */
    of(userId: string): AnsweredRequest[] {
      const found: AnsweredRequest[] = [];
      for (let ago = 1; ago <= ring.length && found.length < mostShown; ago++) {
        const kept = ring[(next - ago + most) % most];
        if (kept?.userId !== userId) continue;
        const { requestId, atMs, what, status, ms } = kept;
        found.push({ requestId, at: new Date(atMs), what, status, ms });
      }
      return found;
    },
  };
}

/** Remembers what signed-in people are answered from now on. */
export function rememberRequests(app: FastifyInstance, clock: () => number) {
  const requests = openAnsweredRequests();
  const people = new WeakMap<FastifyRequest, string>();
  const procedureAt = readAddresses(router);
  app.addHook('onResponse', async (request, reply) => {
    const userId = people.get(request);
    if (userId === undefined) return;
    const { id: requestId, method, url, routeOptions } = request;
    const [pathname = ''] = url.split('?', 1);
    const what = procedureAt(method, pathname)?.name ?? `${method} ${routeOptions.url}`;
    const { statusCode: status, elapsedTime } = reply;
    requests.note({ userId, requestId, atMs: clock(), what, status, ms: Math.round(elapsedTime) });
  });
  return {
    of: requests.of,
    noteActor(request: FastifyRequest, actor: Actor): void {
      if (actor.kind !== 'visitor') people.set(request, actor.userId);
    },
  };
}
