import * as z from 'zod';
import { boundedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { adminPromise, adminScopes } from '#wire/promise.ts';

const tags = ['admin'];
const Nothing = z.object({});

/** How often something was called in a time, and how long half and nearly all of the calls took at most. */
export const Calls = z.object({
  calls: z.int(),
  /** Not refusals: faults of ours, or of what we need. */
  errors: z.int(),
  p50Ms: z.int().nullable(),
  p95Ms: z.int().nullable(),
});
export type Calls = z.infer<typeof Calls>;

const Measured = z.object({ hour: Calls, day: Calls });

/** A procedure of the API or a route of its own; nothing of what was said to it. */
export const FunctionRow = Measured.extend({
  kind: z.enum(['procedure', 'route']),
  name: z.string(),
  address: z.string(),
  who: z.array(z.string()),
  scopes: z.array(z.enum(adminScopes)),
});
export type FunctionRow = z.infer<typeof FunctionRow>;

/** A queue of jobs, how it runs them and how it stands with them. */
export const QueueRow = Measured.extend({
  queue: z.string(),
  about: z.string(),
  /** Of a job that comes by itself. */
  cron: z.string().nullable(),
  nextAt: z.date().nullable(),
  waiting: z.int(),
  running: z.int(),
  failed: z.int(),
  last: z.object({ at: z.date(), ms: z.int(), hasFailed: z.boolean() }).nullable(),
  atOnce: z.int(),
  retryLimit: z.int(),
  expireInSeconds: z.int(),
  /** `by` is null for the command line. */
  paused: z.object({ at: z.date(), by: z.string().nullable() }).nullable(),
  /** Why nobody may pause it; null when it may be paused. */
  neverPaused: z.string().nullable(),
});
export type QueueRow = z.infer<typeof QueueRow>;

export const FailedJobRow = z.object({
  id: Uuid,
  queue: z.string(),
  tries: z.int(),
  error: z.string(),
  failedAt: z.date(),
});
export type FailedJobRow = z.infer<typeof FailedJobRow>;

const OfQueue = z.object({ queue: boundedText(100) });

/** Everything that the server does when it is called, and by itself. */
export const adminFunctionsContract = {
  list: adminPromise('support')
    .route({ method: 'GET', path: '/admin/functions', tags })
    .input(Nothing.optional())
    .output(z.object({ functions: z.array(FunctionRow) })),
  queues: adminPromise('support')
    .route({ method: 'GET', path: '/admin/queues', tags })
    .input(Nothing.optional())
    .output(z.object({ queues: z.array(QueueRow), failed: z.array(FailedJobRow) })),
  retryJob: adminPromise('support')
    .route({ method: 'POST', path: '/admin/jobs/retry', tags })
    .input(OfQueue.extend({ jobId: Uuid }))
    .output(Nothing),
  /** Runs a job now that else comes by itself; refused while it runs or waits. */
  run: adminPromise('owner').route({ method: 'POST', path: '/admin/queues/run', tags }).input(OfQueue).output(Nothing),
  /** Has the jobs of a queue wait, in every process and after a restart. */
  pause: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/queues/pause', tags })
    .input(OfQueue)
    .output(Nothing),
  resume: adminPromise('owner')
    .route({ method: 'POST', path: '/admin/queues/resume', tags })
    .input(OfQueue)
    .output(Nothing),
};
