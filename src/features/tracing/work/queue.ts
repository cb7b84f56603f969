import type { Tx } from '#engines/database/work.ts';
import type { Jobs } from '#engines/jobs/jobs.ts';
import { countUnderWay } from '../progress/progress-store.ts';

/** Copies that leaked are read one after the other; one creator never has two at once. */
export const traceQueue = 'traces.read';

/** Puts a copy into the queue, now or later, behind as many of others as its creator has under way: creators take turns. */
export async function queueTrace(
  tx: Tx,
  jobs: Jobs,
  trace: { traceId: string; creatorId: string },
  startAfterSeconds = 0,
): Promise<void> {
  const { traceId, creatorId } = trace;
  const priority = -(await tx.asSystem((system) => countUnderWay(system, creatorId, traceId)));
  await jobs.send(tx, traceQueue, { traceId }, { singletonKey: creatorId, priority, startAfterSeconds });
}
