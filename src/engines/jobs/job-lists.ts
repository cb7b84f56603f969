import type { PgBoss } from 'pg-boss';
import type { FailedJob, PausedQueue, QueueState } from './jobs.ts';
import { keptFailedDays } from './queues.ts';

const states = `
  select name as queue,
    count(*) filter (where state in ('created', 'retry'))::int as waiting,
    count(*) filter (where state = 'active')::int as running,
    count(*) filter (where state = 'failed')::int as failed,
    max(completed_on) filter (where state = 'completed') as "lastDoneAt",
    (array_agg(jsonb_build_object('at', completed_on, 'hasFailed', state = 'failed',
        'ms', extract(epoch from completed_on - started_on) * 1000) order by completed_on desc)
      filter (where state in ('completed', 'failed') and started_on is not null))[1] as last
  from pgboss.job where name = any($1) group by 1`;

const failed = `
  select id, name as queue, retry_count + 1 as tries, coalesce(output->>'message', '') as error, completed_on as "failedAt"
  from pgboss.job where state = 'failed' and name <> $1 and not starts_with(name, '__')
  order by completed_on desc limit $2`;

const ask = async <Row>(boss: PgBoss, text: string, values: unknown[]): Promise<Row[]> =>
  ((await boss.getDb().executeSql(text, values)) as { rows: Row[] }).rows;

type DeclaredQueue = Pick<QueueState, 'queue' | 'cron' | 'atOnce' | 'retryLimit' | 'expireInSeconds'>;
type CountedQueue = Pick<QueueState, 'queue' | 'waiting' | 'running' | 'failed' | 'lastDoneAt'>;

/** Says how it stands with each of these queues, by name. */
export async function readQueueStates(
  boss: PgBoss,
  queues: readonly DeclaredQueue[],
  paused: readonly PausedQueue[],
): Promise<QueueState[]> {
  const rows = await ask<CountedQueue & { last: { at: string; ms: number; hasFailed: boolean } | null }>(boss, states, [
    queues.map(({ queue }) => queue),
  ]);
  const found = new Map(rows.map(({ last, ...row }) => [row.queue, { ...row, last: last && timed(last) }]));
  const resting = new Map(paused.map(({ queue, at, by }) => [queue, { at, by }]));
  const idle = { waiting: 0, running: 0, failed: 0, lastDoneAt: null, last: null };
  return queues
    .map((one) => ({ ...idle, ...found.get(one.queue), ...one, paused: resting.get(one.queue) ?? null }))
    .toSorted((one, other) => one.queue.localeCompare(other.queue, 'en'));
}

const timed = ({ at, ms, hasFailed }: { at: string; ms: number; hasFailed: boolean }) => ({
  at: new Date(at),
  ms: Math.max(0, Math.round(ms)),
  hasFailed,
});

/** Lists jobs that were laid aside, the newest first. @param deadLetters the queue that holds their copies */
export const listFailedJobs = (boss: PgBoss, deadLetters: string, limit: number): Promise<FailedJob[]> =>
  ask<FailedJob>(boss, failed, [deadLetters, limit]);

/** Returns whether a job was laid aside and is still there. */
export const isLaidAside = async (boss: PgBoss, queue: string, id: string): Promise<boolean> =>
  (await ask(boss, `select from pgboss.job where name = $1 and id = $2 and state = 'failed'`, [queue, id])).length > 0;

// Until then the job itself can be tried again.
const oldDead = `name = $1 and created_on < now() - interval '${keptFailedDays} days'`;

/** Lists copies of jobs that were laid aside so long ago that they cannot be tried again. */
export const listOldDead = async (boss: PgBoss, deadLetters: string, limit: number): Promise<string[]> =>
  (
    await ask<{ id: string }>(
      boss,
      `select id::text from pgboss.job where ${oldDead} and state = 'created' order by created_on limit $2`,
      [deadLetters, limit],
    )
  ).map(({ id }) => id);

/** Deletes those of these copies that are that old. @returns how many there were */
export const deleteOldDead = async (boss: PgBoss, deadLetters: string, ids: readonly string[]): Promise<number> =>
  (
    await ask(
      boss,
      `delete from pgboss.job where ${oldDead} and state = 'created' and id = any($2::uuid[]) returning id`,
      [deadLetters, ids],
    )
  ).length;

const mostAtOnce = 10_000;
const oldDone = `
  delete from pgboss.job where (name, id) in (
    select name, id from pgboss.job where state in ('completed', 'cancelled') and completed_on < now() - interval '1 day'
      and not starts_with(name, '__') limit ${mostAtOnce})
  returning id`;

/** Deletes jobs that ended well more than a day ago. */
export async function deleteOldDone(boss: PgBoss): Promise<void> {
  while ((await ask(boss, oldDone, [])).length === mostAtOnce);
}
