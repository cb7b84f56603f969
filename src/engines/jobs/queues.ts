import type { QueueOptions as BossQueue, PgBoss } from 'pg-boss';
import type { QueueOptions } from './jobs.ts';

/** Where jobs go that failed too often; they wait there for a person. */
export const deadLetters = 'dead';

/** So long a job that was laid aside can be tried again; its copy among the dead letters tells of it for longer. */
export const keptFailedDays = 14;

const policies = { any: 'standard', one_running: 'singleton', one_waiting: 'short', one: 'exclusive' } as const;

/** A queue, and what runs its jobs. */
export interface Declared {
  queue: string;
  run: (data: object, signal: AbortSignal, isLastTry: boolean) => Promise<void>;
  options: QueueOptions;
  cron?: string;
}

/**
 * A worker that says nothing for so long has lost its job to another one. It is told by the clock: a process that is short of CPU,
 * or waits for a database that is, says so late and works on all the same. A killed one's jobs still go on within a minute.
 */
const silenceSeconds = 30;

/** Returns how a queue is kept by pg-boss. */
export const shapeOf = ({ retryLimit = 3, retryDelaySeconds = 1, expireInSeconds = 900 }: QueueOptions) => ({
  notify: true,
  heartbeatSeconds: silenceSeconds,
  retryLimit,
  retryDelay: retryDelaySeconds,
  retryBackoff: true,
  expireInSeconds,
  // What failed on a Friday is seen and tried again on a Monday. What is done goes sooner, by `forgetDone`: pg-boss has one time for both.
  deleteAfterSeconds: keptFailedDays * 86_400,
  // What waits is never thrown away: without this it would be after 14 days, or when the clock jumps on.
  retentionSeconds: 10 * 365 * 86_400,
});

/** Makes what is missing and corrects what differs; several processes may do it at once. */
export async function declareQueues(boss: PgBoss, declared: readonly Declared[]): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  if (!known.has(deadLetters))
    await boss.createQueue(deadLetters, { retentionSeconds: 30 * 86_400, deleteAfterSeconds: 30 * 86_400 });
  for (const { queue, options } of declared) {
    const policy = policies[options.perKey ?? 'any'];
    const wanted = { ...shapeOf(options), deadLetter: deadLetters };
    const found = known.get(queue);
    if (found === undefined) await boss.createQueue(queue, { ...wanted, policy });
    else if (found.policy !== policy)
      throw new Error(`The queue ${queue} exists with another rule per key. Give the new one a new name.`);
    else if (differs(found, wanted)) await boss.updateQueue(queue, wanted);
  }
}

const differs = (found: BossQueue, wanted: BossQueue) =>
  Object.entries(wanted).some(([name, value]) => found[name as keyof BossQueue] !== value);

/** Puts what comes by itself into the calendar, and takes out what does not any more. */
export async function declareSchedules(boss: PgBoss, declared: readonly Declared[]): Promise<void> {
  const known = await boss.getSchedules();
  for (const { queue, cron } of declared) {
    if (cron !== undefined && !known.some(({ name, cron: kept }) => name === queue && kept === cron))
      await boss.schedule(queue, cron);
  }
  for (const { name } of known)
    if (!declared.some(({ queue, cron }) => queue === name && cron !== undefined)) await boss.unschedule(name);
}
