import type { FastifyInstance } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import { lookAtBackup } from '../backup/backup-watch.ts';

interface Health {
  isDatabaseHere: boolean;
  queueAgeSeconds: number | null;
  /** Whether all that is written is backed up within five minutes; null where nothing is to be. */
  backup: 'well' | 'behind' | null;
}

/** A look that has been under way for longer than this says nothing of now. */
const freshMs = 1000;

/** One look for all who ask meanwhile: a crowd that comes to see whether all is well shall not be why it is not. */
function openLook(engines: Engines): () => Promise<Health> {
  const { database, jobs, installation } = engines;
  let current: { looking: Promise<Health>; sinceMs: number } | undefined;
  const look = async (): Promise<Health> => {
    const [isDatabaseHere, queueAgeSeconds, backup] = await Promise.all([
      database.urgent
        .work({ kind: 'system' }, async (tx) => tx.client.query('select 1'))
        .then(
          () => true,
          () => false,
        ),
      jobs.ageSeconds().catch(() => null),
      installation.backupDir === undefined ? null : tellBackup(engines, installation.backupDir),
    ]);
    return { isDatabaseHere, queueAgeSeconds, backup };
  };
  return () => {
    const sinceMs = performance.now();
    if (current !== undefined && sinceMs - current.sinceMs < freshMs) return current.looking;
    const mine = { looking: look(), sinceMs };
    current = mine;
    void mine.looking.then(() => {
      if (current === mine) current = undefined;
    });
    return mine.looking;
  };
}

const tellBackup = (engines: Engines, backupDir: string) =>
  lookAtBackup(engines, backupDir).then(
    ({ troubles }) => (troubles.length === 0 ? 'well' : 'behind'),
    () => 'behind' as const,
  );

/** `/healthz` says that the process lives, `/api/health` that it is ready; neither holds a secret. */
export function mountHealth(app: FastifyInstance, engines: Engines): void {
  const look = openLook(engines);
  app.get('/healthz', { config: { who: ['anybody'] } }, async () => ({ ok: true }));
  app.get('/api/health', { config: { who: ['anybody'] } }, async (_request, reply) => {
    const { isDatabaseHere, queueAgeSeconds, backup } = await look();
    return reply
      .code(isDatabaseHere ? 200 : 503)
      .send({ ready: isDatabaseHere, database: isDatabaseHere, queueAgeSeconds, backup });
  });
}
