import type { PgBoss } from 'pg-boss';
import type { FailedJob, QueueState } from './jobs.ts';

const states = `
  select name as queue,
    count(*) filter (where state in ('created', 'retry'))::int as waiting,
    count(*) filter (where state = 'active')::int as running,
    count(*) filter (where state = 'failed')::int as failed,
    max(completed_on) filter (where state = 'completed') as "lastDoneAt"
  from pgboss.job where name = any($1) group by 1`;

const failed = `
  select id, name as queue, retry_count + 1 as tries, coalesce(output->>'message', '') as error, completed_on as "failedAt"
  from pgboss.job where state = 'failed' and name <> $1 and not starts_with(name, '__')
  order by completed_on desc limit $2`;

const ask = async <Row>(boss: PgBoss, text: string, values: unknown[]): Promise<Row[]> =>
  ((await boss.getDb().executeSql(text, values)) as { rows: Row[] }).rows;

/** Says how it stands with each of these queues, by name. */
export async function readQueueStates(
  boss: PgBoss,
  queues: readonly Pick<QueueState, 'queue' | 'cron'>[],
): Promise<QueueState[]> {
  const rows = await ask<Omit<QueueState, 'cron'>>(boss, states, [queues.map(({ queue }) => queue)]);
  const found = new Map(rows.map((row) => [row.queue, row]));
  const idle = { waiting: 0, running: 0, failed: 0, lastDoneAt: null };
  return queues
    .map(({ queue, cron }) => ({ ...idle, ...found.get(queue), queue, cron }))
    .toSorted((one, other) => one.queue.localeCompare(other.queue, 'en'));
}

/** Lists jobs that were laid aside, the newest first. @param deadLetters the queue that holds their copies */
export const listFailedJobs = (boss: PgBoss, deadLetters: string, limit: number): Promise<FailedJob[]> =>
  ask<FailedJob>(boss, failed, [deadLetters, limit]);

/** Returns whether a job was laid aside and is still there. */
export const isLaidAside = async (boss: PgBoss, queue: string, id: string): Promise<boolean> =>
  (await ask(boss, `select from pgboss.job where name = $1 and id = $2 and state = 'failed'`, [queue, id])).length > 0;
