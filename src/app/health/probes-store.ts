import { statement, type Tx } from '#engines/database/work.ts';

const beaten = statement(
  'worker_beat',
  `insert into worker_beats (worker_id, began_at, beat_at) values ($1, clock_timestamp(), clock_timestamp())
   on conflict (worker_id) do update set beat_at = excluded.beat_at`,
);

/** Says that a worker is there; dated by the database, as are the looks at it. */
export async function beat(tx: Tx, workerId: string): Promise<void> {
  await tx.query(beaten, [workerId]);
}

const stopped = statement('worker_stopped', 'delete from worker_beats where worker_id = $1');

/** Says that a worker has stopped. */
export async function endBeats(tx: Tx, workerId: string): Promise<void> {
  await tx.query(stopped, [workerId]);
}

const swept = statement(
  'worker_beats_swept',
  `delete from worker_beats where beat_at < clock_timestamp() - interval '1 hour'`,
);

/** Forgets workers that were killed long ago. */
export async function sweepBeats(tx: Tx): Promise<void> {
  await tx.query(swept, []);
}

const databaseNow = statement<{ ms: number }>(
  'database_now',
  'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
);

/** What time it is in the database: milliseconds since 1970. */
export async function readDatabaseClock(tx: Tx): Promise<number> {
  return (await tx.query(databaseNow, []))[0]?.ms ?? 0;
}

const lastHook = statement<{ at: Date | null }>('hooks_last', 'select max(received_at) as at from webhook_inbox');

/** When the payment provider last told something; null when it never did. */
export async function findLastHook(tx: Tx): Promise<Date | null> {
  return (await tx.query(lastHook, []))[0]?.at ?? null;
}

const recentErrors = statement<{ count: number }>(
  'errors_recent',
  'select count(*)::int as count from error_logs where created_at > $1',
);

/** How many errors were kept since a moment. */
export async function countErrorsSince(tx: Tx, since: Date): Promise<number> {
  return (await tx.query(recentErrors, [since]))[0]?.count ?? 0;
}
