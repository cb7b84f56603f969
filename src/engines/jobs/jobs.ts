import type { Tx } from '../database/work.ts';

/** A queue of jobs with ids only; jobs run at least once, so every handler is idempotent. */
export interface QueueOptions {
  /** Jobs of this queue that run at once in one process. */
  atOnce?: number;
  retryLimit?: number;
  /** Seconds one job may take before it is given to another worker. */
  expireInSeconds?: number;
}

export interface Jobs {
  /** Declares a queue and its handler; handlers run only where workers run. */
  handle<Data extends object>(queue: string, run: (data: Data, signal: AbortSignal) => Promise<void>, options?: QueueOptions): void;
  /** Declares a job that comes by itself, by cron expression in UTC. */
  every(cron: string, queue: string, run: () => Promise<void>): void;
  /** Puts a job into the queue in the caller's transaction: neither exists without the other. */
  send<Data extends object>(tx: Tx, queue: string, data: Data, options?: { singletonKey?: string; priority?: number; startAfterSeconds?: number }): Promise<void>;
  /** Opens the queues; `work` also runs handlers. */
  start(work: boolean): Promise<void>;
  /** Oldest waiting job's age in seconds, for health. */
  ageSeconds(): Promise<number>;
  stop(): Promise<void>;
}
