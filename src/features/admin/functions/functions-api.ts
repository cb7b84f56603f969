import { implement } from '@orpc/server';
import type { Tx } from '#engines/database/work.ts';
import { insertAudit } from '#features/audit/store.ts';
import { requireScope } from '#wire/answer.ts';
import type { AdminContext, Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { Acting } from '../acting.ts';
import { adminFunctionsContract } from '../functions-contract.ts';
import { mostFailedJobs, showFunctions, showQueues } from './functions.ts';
import { pauseQueue, resumeQueue, runQueueNow } from './queues.ts';

const answer = implement(adminFunctionsContract).$context<Context>();
const support = requireScope('support');
const owner = requireScope('owner');
/** The empty answer of a call that has nothing to tell. */
const done = {};

/** Everything that the server does when it is called, and by itself. */
export const adminFunctionsApi = answer.router({
  list: answer.list.use(support).handler(async ({ context }) => ({ functions: await showFunctions(context) })),
  queues: answer.queues.use(support).handler(({ context }) => showQueues(context)),
  retryJob: answer.retryJob.use(support).handler(async ({ context, input }) => {
    await retryJob(context, input.queue, input.jobId);
    return done;
  }),
  run: answer.run.use(owner).handler(({ context, input }) => act(context, runQueueNow, input.queue)),
  pause: answer.pause.use(owner).handler(({ context, input }) => act(context, pauseQueue, input.queue)),
  resume: answer.resume.use(owner).handler(({ context, input }) => act(context, resumeQueue, input.queue)),
});

type Act = (engines: AdminContext['engines'], tx: Tx, queue: string, acting: Acting) => Promise<void>;

async function act(
  { engines, asSystem, admin, requestId }: AdminContext,
  run: Act,
  queue: string,
): Promise<typeof done> {
  await asSystem((tx) => run(engines, tx, queue, { type: 'admin', id: admin.userId, requestId }));
  return done;
}

/** Tries a job once more that was laid aside. @throws NOT_FOUND */
async function retryJob(
  { engines, asSystem, admin, requestId }: AdminContext,
  queue: string,
  jobId: string,
): Promise<void> {
  const { jobs } = engines;
  if (!(await jobs.failed(mostFailedJobs)).some((job) => job.id === jobId && job.queue === queue))
    throw refuse('NOT_FOUND');
  // Written down first: what was done and nobody knows of is worse than what is written down and was not done.
  const actor = { type: 'admin', id: admin.userId } as const;
  await asSystem((tx) => insertAudit(tx, { actor, action: 'job.retried', details: { queue, jobId }, requestId }));
  if (!(await jobs.retry(queue, jobId))) throw refuse('NOT_FOUND');
}
