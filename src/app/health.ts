import type { FastifyInstance } from 'fastify';
import type { Engines } from '#engines/engines.ts';

/** `/healthz` says that the process lives, `/api/health` that it is ready; neither holds a secret. */
export function mountHealth(app: FastifyInstance, { database, jobs }: Engines): void {
  app.get('/healthz', { config: { who: ['anybody'] } }, async () => ({ ok: true }));
  app.get('/api/health', { config: { who: ['anybody'] } }, async (_request, reply) => {
    const [isDatabaseHere, queueAgeSeconds] = await Promise.all([
      database.urgent
        .work({ kind: 'system' }, async (tx) => tx.client.query('select 1'))
        .then(
          () => true,
          () => false,
        ),
      jobs.ageSeconds().catch(() => null),
    ]);
    return reply
      .code(isDatabaseHere ? 200 : 503)
      .send({ ready: isDatabaseHere, database: isDatabaseHere, queueAgeSeconds });
  });
}
