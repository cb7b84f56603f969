import type { Tx } from '../database/work.ts';

/** How a queue runs its jobs. */
export interface QueueOptions {
  /** Jobs of this queue that run at once in one process; default 1. */
  atOnce?: number;
  /** How often a failed job is tried again before it is laid aside; default 3. */
  retryLimit?: number;
  /** Pause before the first retry, doubled by each further one; default 1. */
  retryDelaySeconds?: number;
  /** How long one job may take before it is given to another worker, and may ask the database nothing more; default 900. */
  expireInSeconds?: number;
  /**
   * What a `singletonKey` means: `one_running` of a key at a time (the others wait), `one_waiting` of a key (a further
   * one is dropped), `one` of a key at all, waiting or running. Without a key all jobs share one. Default `any`.
   */
  perKey?: 'any' | 'one_running' | 'one_waiting' | 'one';
}

export interface SendOptions {
  /** See `QueueOptions.perKey`. */
  singletonKey?: string;
  /** Higher runs first; default 0. */
  priority?: number;
  startAfterSeconds?: number;
}

/** Thrown by a job that ends because its process does: nothing is wrong with it, and it comes again as one of its retries. */
export class JobRequeued extends Error {
  constructor() {
    super('the server stops');
    this.name = 'JobRequeued';
  }
}

/** How many jobs of a queue are in a state (`created`, `retry`, `active`, `completed`, `cancelled`, `failed`). */
export interface JobCount {
  queue: string;
  state: string;
  count: number;
}

/** How it stands with one queue. */
export interface QueueState {
  queue: string;
  /** Of a job that comes by itself: when, in UTC. */
  cron: string | null;
  waiting: number;
  running: number;
  /** Laid aside within the last two weeks. */
  failed: number;
  /** When one last ended well, within the last day. */
  lastDoneAt: Date | null;
  /** The one that ended last, of those that are kept: well within the last day, or not within the last two weeks. */
  last: { at: Date; ms: number; hasFailed: boolean } | null;
  /** Jobs that run at once in one process. */
  atOnce: number;
  retryLimit: number;
  expireInSeconds: number;
  /** Since when it is paused, and by whom; null while it runs. */
  paused: Omit<PausedQueue, 'queue'> | null;
}

/** A queue whose jobs wait. */
export interface PausedQueue {
  queue: string;
  at: Date;
  /** The administrator; null for the command line. */
  by: string | null;
}

/** Hears of each job that has ended. */
export type RunListener = (run: { queue: string; ms: number; hasFailed: boolean }) => void;

/** A job that was laid aside, within the last two weeks: it failed as often as it may. */
export interface FailedJob {
  id: string;
  queue: string;
  tries: number;
  /** The words of its last error. */
  error: string;
  failedAt: Date;
}

/** Background work with ids only as its data; jobs run at least once, so every handler is idempotent. */
export interface Jobs {
  /**
   * Declares a queue and its handler; handlers run only where workers run.
   * @param run is told when this is its last try: if it fails, the job is laid aside
   */
  handle<Data extends object>(
    queue: string,
    run: (data: Data, signal: AbortSignal, isLastTry: boolean) => Promise<void>,
    options?: QueueOptions,
  ): void;
  /** Declares a job that comes by itself, by cron expression in UTC, in one process at a time. */
  every(cron: string, queue: string, run: () => Promise<void>, options?: Pick<QueueOptions, 'expireInSeconds'>): void;
  /** Puts a job into the queue in the caller's transaction: neither exists without the other. Waits for `start`. */
  send<Data extends object>(tx: Tx, queue: string, data: Data, options?: SendOptions): Promise<void>;
  /** Opens the queues; `work` also runs handlers. */
  start(work: boolean): Promise<void>;
  /** Age of the oldest job that could run but waits. @param queue left out, of all queues that are not paused */
  ageSeconds(queue?: string): Promise<number>;
  counts(): Promise<JobCount[]>;
  /** Says how it stands with every queue that was declared, by name. */
  overview(): Promise<QueueState[]>;
  /** Lists jobs that were laid aside, the newest first. */
  failed(limit: number): Promise<FailedJob[]>;
  /** Tries a job once more that was laid aside. @returns false when it is not there any more */
  retry(queue: string, id: string): Promise<boolean>;
  /** Lists jobs that failed too often and were laid aside more than two weeks ago. */
  deadLetters(limit: number): Promise<string[]>;
  /** Forgets those of these that are that old. @returns how many there were */
  removeDead(ids: readonly string[]): Promise<number>;
  /** Forgets jobs that ended well more than a day ago. */
  forgetDone(): Promise<void>;
  /** Runs a job now that else comes by itself. @returns `busy` when one runs or waits, `unknown` when no such job comes by itself */
  runNow(tx: Tx, queue: string): Promise<'sent' | 'busy' | 'unknown'>;
  /** Has the jobs of a queue wait, in every process and after a restart, until it is resumed; those that run end first. @returns false when it was paused before */
  pause(tx: Tx, queue: string, by: string | null): Promise<boolean>;
  /** @returns false when it was not paused */
  resume(tx: Tx, queue: string): Promise<boolean>;
  paused(): Promise<PausedQueue[]>;
  /** Tells of each job that ends in this process, of those as well that will be tried again. */
  listen(listener: RunListener): void;
  /** Lets running jobs finish for 4 s; what is left waits for the next start. */
  stop(): Promise<void>;
}
