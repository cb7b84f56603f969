import type { PgBoss } from 'pg-boss';
import type { Tx } from '../database/work.ts';
import type { Log } from '../engines.ts';
import type { PausedQueue } from './jobs.ts';

const listed = `select queue, paused_at as at, paused_by as by from public.paused_queues`;

/** Reads which queues are paused. */
export const readPaused = async (boss: PgBoss): Promise<PausedQueue[]> =>
  ((await boss.getDb().executeSql(listed, [])) as { rows: PausedQueue[] }).rows;

/** Notes that a queue is paused. @returns false when it was before */
export const insertPaused = (tx: Tx, queue: string, by: string | null): Promise<boolean> =>
  tx.asSystem(async ({ client }) => {
    const done = await client.query('insert into paused_queues values ($1, $2) on conflict do nothing', [queue, by]);
    return done.rowCount === 1;
  });

/** Notes that a queue goes on. @returns false when it was not paused */
export const deletePaused = (tx: Tx, queue: string): Promise<boolean> =>
  tx.asSystem(
    async ({ client }) =>
      (await client.query('delete from public.paused_queues where queue = $1', [queue])).rowCount === 1,
  );

/** The workers of this process, queue by queue. */
export interface QueueWorkers {
  queues: readonly string[];
  begin(queue: string): Promise<void>;
  /** Takes no further job; waits for those that run. */
  end(queue: string): Promise<void>;
}

/**
 * Begins the workers of all queues that are not paused, then looks again and again which are. While it cannot look, all stays as it is.
 * @returns ends it, and waits for a look that is under way
 */
export async function followPauses(
  boss: PgBoss,
  log: Log,
  workers: QueueWorkers,
  lookMs: number,
): Promise<() => Promise<void>> {
  const resting = new Set((await readPaused(boss)).map(({ queue }) => queue));
  for (const queue of workers.queues) if (!resting.has(queue)) await workers.begin(queue);
  const turns = new Map<string, Promise<void>>();
  const fail = (error: Error) => log.error({ area: 'jobs', err: error }, 'the job store failed');
  // One after the other for each queue: one that goes on waits for what still runs of the time before.
  const then = (queue: string, change: (queue: string) => Promise<void>) =>
    turns.set(queue, (turns.get(queue) ?? Promise.resolve()).then(() => change(queue)).catch(fail));
  let hasEnded = false;
  const look = async () => {
    const paused = new Set((await readPaused(boss)).map(({ queue }) => queue));
    for (const queue of hasEnded ? [] : workers.queues) {
      if (paused.has(queue) === resting.has(queue)) continue;
      const isPaused = paused.has(queue);
      const note = (isResting: boolean) => (isResting ? resting.add(queue) : resting.delete(queue));
      note(isPaused);
      then(queue, async (name) => {
        try {
          await (isPaused ? workers.end(name) : workers.begin(name));
        } catch (error) {
          // The next look tries once more.
          note(!isPaused);
          throw error;
        }
      });
    }
  };
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look()
      .catch(fail)
      .finally(() => {
        looking = undefined;
      });
  }, lookMs);
  return async () => {
    hasEnded = true;
    clearInterval(timer);
    await looking;
  };
}
