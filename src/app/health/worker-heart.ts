import { randomUUID } from 'node:crypto';
import type { Engines } from '#engines/engines.ts';
import { beat, endBeats, sweepBeats } from './probes-store.ts';

/** How often a worker says that it is there. */
export const heartbeatSeconds = 3;
const system = { kind: 'system' } as const;

/** Says every few seconds that this process runs jobs. @returns says that it has stopped */
export function startHeart({ database }: Pick<Engines, 'database'>): () => Promise<void> {
  const workerId = randomUUID();
  let beating: Promise<unknown> | undefined;
  const say = () => {
    // While the database is away there is nobody to tell.
    beating ??= database
      .work(system, (tx) => beat(tx, workerId))
      .catch(() => undefined)
      .finally(() => {
        beating = undefined;
      });
  };
  void database.work(system, sweepBeats).catch(() => undefined);
  say();
  const timer = setInterval(say, 1000 * heartbeatSeconds).unref();
  return async () => {
    clearInterval(timer);
    await beating;
    await database.work(system, (tx) => endBeats(tx, workerId)).catch(() => undefined);
  };
}
