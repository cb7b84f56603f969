import type { PgBoss } from 'pg-boss';
import type { Log } from '../engines.ts';

/** How often it is looked whether the database's clock was set back. */
const lookMs = 5000;

/** pg-boss notes its round for the calendar twice a minute: a note that is so far ahead was written by a clock that was. */
const ahead = `now() + interval '1 minute'`;
const newest = 'greatest(j.created_on, j.started_on, j.heartbeat_on)';

/**
 * pg-boss notes by the database's clock when it last did each of its rounds and from when on a job may run. After that clock was set
 * back, rounds and jobs would stand still until it has come so far again. So what lies ahead is forgotten: every round is due at once,
 * and what a job has still to wait, it waits from now on. A minute that comes a second time gets its jobs a second time.
 */
const bringBack = `
with back as (
  update pgboss.version set cron_on = null, bam_on = null, flow_on = null, reindex_on = null, monitor_backoff_on = null
  where cron_on > ${ahead} returning true
), rounds as (
  update pgboss.queue set monitor_claim_on = null, monitor_on = null, maintain_on = null from back
), jobs as (
  update pgboss.job j set start_after = start_after - (${newest} - now()), created_on = least(created_on, now()),
    started_on = case when started_on > now() then now() else started_on end,
    heartbeat_on = case when heartbeat_on > now() then now() else heartbeat_on end
  from back where state < 'completed' and ${newest} > ${ahead}
), minutes as (
  update pgboss.job set singleton_on = null from back where state >= 'completed' and singleton_on > now() at time zone 'utc'
)
select from back`;

/**
 * Keeps jobs going when the database's clock is set back: looks now and every few seconds.
 * @returns ends it, and waits for a look that is under way
 */
export async function watchClock(boss: PgBoss, log: Log): Promise<() => Promise<void>> {
  const look = async () => {
    const { rows } = (await boss.getDb().executeSql(bringBack, [])) as { rows: unknown[] };
    if (rows.length > 0) log.warn({ area: 'jobs' }, 'the clock of the database was set back');
  };
  const fail = (error: Error) => log.error({ area: 'jobs', err: error }, 'the job store failed');
  let isLooking = false;
  let looking = Promise.resolve();
  const begin = () => {
    // A line that is dead keeps a look waiting: others would only queue behind it.
    if (isLooking) return;
    isLooking = true;
    looking = look()
      .catch(fail)
      .finally(() => {
        isLooking = false;
      });
  };
  begin();
  await looking;
  const timer = setInterval(begin, lookMs);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
