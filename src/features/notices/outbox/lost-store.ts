import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { Jobs } from '#engines/jobs/jobs.ts';
import { sendEmailJob } from '../store.ts';

/** Finds emails that have been due for so long that no job sends them any more, and gives each a job again. @returns how many there were */
export async function requeueLostEmails(
  tx: Tx,
  jobs: Jobs,
  { limit, afterSeconds }: { limit: number; afterSeconds: number },
): Promise<number> {
  const rows = await tx.db
    .updateTable('mail_outbox')
    .set({ next_try_at: sql<Date>`now()` })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('mail_outbox')
        .select('id')
        .where('state', '=', 'queued')
        .where('next_try_at', '<', sql<Date>`now() - make_interval(secs => ${afterSeconds})`)
        .orderBy('next_try_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'is_urgent as isUrgent'])
    .execute();
  for (const row of rows) await sendEmailJob(tx, jobs, row);
  return rows.length;
}
