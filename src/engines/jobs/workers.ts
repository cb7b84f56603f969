import type { Job, PgBoss } from 'pg-boss';
import { withDeadline } from '#engines/deadline.ts';
import type { Log } from '../engines.ts';
import { JobRequeued, type RunListener } from './jobs.ts';
import { followPauses } from './pausing.ts';
import { type Declared, shapeOf } from './queues.ts';
import { watchClock } from './set-back.ts';

/** How often each process looks which queues are paused. */
const pauseLookMs = 2000;

/** Returns what may be kept of a job's error: its words and where, never the values that a database adds to them. */
const wordsOf = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

interface WorkSettings {
  log: Log;
  /** So long a job may wait of which nothing was told. */
  lookAgainSeconds: number;
  hear: RunListener;
}

/** Begins the workers of this process, and keeps up with the database's clock and with what is paused. @returns ends that */
export async function beginWork(
  boss: PgBoss,
  settings: WorkSettings,
  declared: readonly Declared[],
): Promise<() => Promise<void>> {
  const byName = new Map(declared.map((one) => [one.queue, one]));
  const workers = {
    queues: [...byName.keys()],
    begin: async (queue: string) => {
      const one = byName.get(queue);
      if (one !== undefined) await startWorkers(boss, settings, one);
    },
    end: (queue: string) => boss.offWork(queue),
  };
  const ends = [await followPauses(boss, settings.log, workers, pauseLookMs), await watchClock(boss, settings.log)];
  return async () => {
    await Promise.all(ends.map((end) => end()));
  };
}

/** One pg-boss worker for each job that may run at once; each looks for the next job as soon as it has finished one. */
async function startWorkers(
  boss: PgBoss,
  { log, lookAgainSeconds, hear }: WorkSettings,
  { queue, run, options }: Declared,
): Promise<void> {
  const shaped = shapeOf(options);
  for (let n = 0; n < (options.atOnce ?? 1); n++) {
    const pace = {
      pollingIntervalSeconds: Math.min(2, lookAgainSeconds),
      notifyPollingIntervalSeconds: lookAgainSeconds,
      heartbeatRefreshSeconds: 4,
    };
    const worker = await boss.work<object>(queue, pace, async ([job]: Job<object>[]) => {
      if (job === undefined) return;
      const beganMs = performance.now();
      let hasFailed = false;
      try {
        // After that the job is somebody else's: whoever had it until then ends.
        const isLastTry = job.retryCount >= shaped.retryLimit;
        await withDeadline(shaped.expireInSeconds * 1000, () => run(job.data, job.signal, isLastTry));
      } catch (error) {
        const failure = wordsOf(error);
        if (error instanceof JobRequeued) log.info({ area: 'jobs', queue, job: job.id }, 'a job was put back');
        else {
          hasFailed = true;
          log.error({ area: 'jobs', queue, job: job.id, tries: job.retryCount + 1, err: failure }, 'a job failed');
        }
        throw new Error(failure.message);
      } finally {
        const ms = performance.now() - beganMs;
        hear({ queue, ms, hasFailed });
        log.debug?.({ area: 'jobs', queue, job: job.id, ms: Math.round(ms), hasFailed }, 'a job ended');
        boss.notifyWorker(worker);
      }
    });
  }
}
