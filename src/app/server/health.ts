import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Engines } from '#engines/engines.ts';
import type { Pulse, PulseLight, PulsePart } from '#wire/pulse.ts';
import { lookAtBackup } from '../backup/backup-watch.ts';

interface Health {
  isDatabaseHere: boolean;
  queueAgeSeconds: number | null;
  /** Whether all that is written is backed up within five minutes; null where nothing is to be. */
  backup: 'well' | 'behind' | null;
}

/** A look that has been under way for longer than this says nothing of now. */
const freshMs = 1000;

/** How long a part may take to tell how it is: a disk that is full keeps the database silent for much longer. */
const usualDeadlineMs = 800;

/** Asks one part, and again only once it has answered; `late` is what is said of it until then. */
function askWithin<T>(ask: () => Promise<T>, late: T, deadlineMs: number): () => Promise<T> {
  let asking: Promise<T> | undefined;
  return async () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    const waiting = new AbortController();
    const deadline = wait(deadlineMs, late, { signal: waiting.signal }).catch(() => late);
    return Promise.race([asking, deadline]).finally(() => waiting.abort());
  };
}

/** One look for all who ask meanwhile: a crowd that comes to see whether all is well shall not be why it is not. */
function openLook(engines: Engines, deadlineMs: number): () => Promise<Health> {
  const { database, jobs, installation } = engines;
  const { backupDir } = installation;
  const askDatabase = askWithin(() => isAnswering(database), false, deadlineMs);
  const askQueue = askWithin(() => jobs.ageSeconds().catch(() => null), null, deadlineMs);
  const askBackup = askWithin(
    async () => (backupDir === undefined ? null : describeBackup(engines, backupDir)),
    backupDir === undefined ? null : 'behind',
    deadlineMs,
  );
  let current: { looking: Promise<Health>; sinceMs: number } | undefined;
  const look = async (): Promise<Health> => {
    const [isDatabaseHere, queueAgeSeconds, backup] = await Promise.all([askDatabase(), askQueue(), askBackup()]);
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

const isAnswering = ({ urgent }: Engines['database']): Promise<boolean> =>
  urgent
    .work({ kind: 'system' }, async (tx) => tx.client.query('select 1'))
    .then(
      () => true,
      () => false,
    );

const describeBackup = (engines: Engines, backupDir: string) =>
  lookAtBackup(engines, backupDir).then(
    ({ troubles }) => (troubles.length === 0 ? 'well' : 'behind'),
    () => 'behind' as const,
  );

/** The lights of a pulse, without what was found: anybody may read them, and nobody makes us look by it. */
const lightsOf = (pulse: Pulse): Partial<Record<PulsePart, PulseLight>> =>
  Object.fromEntries(pulse.known().map(({ part, light }) => [part, light]));

/** `/healthz` says that the process lives, `/api/health` that it is ready and how its parts are; neither holds a secret. */
export function mountHealth(app: FastifyInstance, engines: Engines, pulse: Pulse, deadlineMs = usualDeadlineMs): void {
  const look = openLook(engines, deadlineMs);
  app.get('/healthz', { config: { who: ['anybody'] } }, async () => ({ ok: true }));
  app.get('/api/health', { config: { who: ['anybody'] } }, async (_request, reply) => {
    const { isDatabaseHere, queueAgeSeconds, backup } = await look();
    return reply.code(isDatabaseHere ? 200 : 503).send({
      ready: isDatabaseHere,
      version: pulse.version,
      database: isDatabaseHere,
      queueAgeSeconds,
      backup,
      parts: { ...lightsOf(pulse), database: isDatabaseHere ? 'green' : 'red' },
    });
  });
}
