import { statement, type Tx } from '#engines/database/work.ts';

/** A worker says every three seconds that it is there. */
const silentSeconds = 7;

/** The processes that run jobs. */
export interface Workers {
  /** Workers that said so within the last seconds. */
  count: number;
  /** How long nobody has said anything; null where nobody did in the last hour. */
  silentSeconds: number | null;
}

const workers = statement<Workers>(
  'workers',
  `select count(*) filter (where beat_at > clock_timestamp() - make_interval(secs => $1))::int as count,
  extract(epoch from clock_timestamp() - max(beat_at))::float8 as "silentSeconds" from worker_beats`,
);

/** Counts the processes that run jobs. */
export async function countWorkers(tx: Tx): Promise<Workers> {
  return (await tx.query(workers, [silentSeconds]))[0] ?? { count: 0, silentSeconds: null };
}
