import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { refuse } from '#wire/refusals.ts';
import type { Acting } from '../acting.ts';
import { whyNeverPaused } from './queue-rules.ts';

type Jobs = Pick<Engines, 'jobs'>;

/** Runs a job now that else comes by itself. @throws NOT_FOUND, or CONFLICT while it runs, waits or is paused */
export async function runQueueNow({ jobs }: Jobs, tx: Tx, queue: string, acting: Acting): Promise<void> {
  if ((await jobs.paused()).some((one) => one.queue === queue))
    throw refuse('CONFLICT', { message: 'It is paused. Resume it first.' });
  const outcome = await jobs.runNow(tx, queue);
  if (outcome === 'unknown') throw refuse('NOT_FOUND');
  if (outcome === 'busy') throw refuse('CONFLICT', { message: 'It runs or waits already.' });
  await note(tx, acting, 'job.triggered', queue);
}

/** Has the jobs of a queue wait until somebody resumes it. @throws NOT_FOUND, or CONFLICT when it may not be or is paused */
export async function pauseQueue({ jobs }: Jobs, tx: Tx, queue: string, acting: Acting): Promise<void> {
  if (!(await jobs.overview()).some((one) => one.queue === queue)) throw refuse('NOT_FOUND');
  const why = whyNeverPaused(queue);
  if (why !== null) throw refuse('CONFLICT', { message: `It is never paused. ${why}` });
  if (!(await jobs.pause(tx, queue, acting.type === 'admin' ? acting.id : null)))
    throw refuse('CONFLICT', { message: 'It is paused already.' });
  await note(tx, acting, 'queue.paused', queue);
}

/** Has the jobs of a queue go on. @throws CONFLICT when it is not paused */
export async function resumeQueue({ jobs }: Jobs, tx: Tx, queue: string, acting: Acting): Promise<void> {
  if (!(await jobs.resume(tx, queue))) throw refuse('CONFLICT', { message: 'It is not paused.' });
  await note(tx, acting, 'queue.resumed', queue);
}

function note(tx: Tx, acting: Acting, action: string, queue: string): Promise<void> {
  const details = { queue };
  if (acting.type === 'system') return insertAudit(tx, { actor: acting, action, details });
  const { id, requestId } = acting;
  return insertAudit(tx, {
    actor: { type: 'admin', id },
    action,
    details,
    ...(requestId !== undefined && { requestId }),
  });
}
