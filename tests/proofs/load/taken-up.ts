import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

/** How long a job of a killed worker may lie locked; at graphile-worker it was measured to be four hours. */
export const mostSecondsLocked = 60;

/**
 * Waits until somebody works again on what was being worked on when everything was killed.
 * @param about an id in the job
 * @param patience in seconds
 * @returns seconds from the start of the database until then, by the database's own clock
 * @throws when nobody has taken it up by then
 */
export async function secondsUntilTakenUp(
  dataDir: string,
  about: string,
  patience = 2 * mostSecondsLocked,
): Promise<number> {
  const client = new pg.Client({ host: path.join(dataDir, 'pg/run'), port: 5432, user: 'pf', database: 'pf' });
  await client.connect();
  try {
    await client.query('set role app_system');
    for (const end = performance.now() + 1000 * patience; performance.now() < end; await wait(50)) {
      const { rows } = await client.query<{ seconds: number }>(
        `select extract(epoch from started_on - pg_postmaster_start_time())::float8 as seconds from pgboss.job
         where data::text like '%' || $1 || '%' and started_on > pg_postmaster_start_time()`,
        [about],
      );
      if (rows[0] !== undefined) return rows[0].seconds;
    }
  } finally {
    await client.end();
  }
  throw new Error(`Nobody took a job up again within ${patience} s.`);
}
