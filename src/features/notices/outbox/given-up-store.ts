import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { Jobs } from '#engines/jobs/jobs.ts';
import { sendEmailJob } from '../store.ts';

/** An email that no server has taken, as an operator sees it: who it was for, and why, but none of its text. */
export interface GivenUpEmail {
  id: string;
  to: string;
  template: string;
  state: 'queued' | 'given_up';
  tries: number;
  lastError: string | null;
  createdAt: Date;
  /** Its text is still there; that of an email with a code or link that has expired is gone. */
  canBeSentAgain: boolean;
}

const isGivenUp = sql<boolean>`state = 'given_up' and not is_seen`;
const isFailing = sql<boolean>`state = 'queued' and tries > 0`;

/** Lists emails that were given up and those that wait after a try that failed, the newest first. */
export async function listFailedEmails(tx: Tx, limit: number): Promise<GivenUpEmail[]> {
  return tx.db
    .selectFrom('mail_outbox')
    .select([
      'id',
      'recipient as to',
      'template',
      'state',
      'tries',
      'last_error as lastError',
      'created_at as createdAt',
    ])
    .select(sql<boolean>`body_text <> ''`.as('canBeSentAgain'))
    .where((eb) => eb.or([isGivenUp, isFailing]))
    .orderBy('state')
    .orderBy('expires_at', 'desc')
    .limit(limit)
    .$castTo<GivenUpEmail>()
    .execute();
}

export interface FailedCounts {
  givenUp: number;
  failing: number;
  /** Of both, those that failed before the server was told for whom they were, or had no try at all. */
  ours: number;
  /** How many domains of recipients they are for; those below one registered name count as one. */
  domains: number;
}

/** Counts emails that were given up and not looked at since, and those that wait after a try that failed. */
export async function countFailedEmails(tx: Tx): Promise<FailedCounts> {
  return tx.db
    .selectFrom('mail_outbox')
    .select(sql<number>`(count(*) filter (where ${isGivenUp}))::int`.as('givenUp'))
    .select(sql<number>`(count(*) filter (where ${isFailing}))::int`.as('failing'))
    .select(sql<number>`(count(*) filter (where is_failure_ours))::int`.as('ours'))
    .select(sql<number>`(count(distinct substring(lower(recipient) from '[^@.]+\\.?[^@.]*$')))::int`.as('domains'))
    .where((eb) => eb.or([isGivenUp, isFailing]))
    .executeTakeFirstOrThrow();
}

/** So many are queued in one transaction. */
export const mostSentAgain = 500;

/**
 * Queues emails that were given up once more, for as long as they lived before, the oldest first and `mostSentAgain` at most.
 * @param id of one; undefined for all that were not marked as seen @returns how many there were to send
 */
export async function sendAgain(tx: Tx, jobs: Jobs, id: string | undefined): Promise<number> {
  const rows = await tx.db
    .updateTable('mail_outbox')
    .set({
      state: 'queued',
      tries: 0,
      is_failure_ours: false,
      next_try_at: sql<Date>`now()`,
      expires_at: sql<Date>`now() + make_interval(secs => life_seconds)`,
    })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('mail_outbox')
        .select('id')
        .where('state', '=', 'given_up')
        .where('body_text', '<>', '')
        .$call((query) => (id === undefined ? query.where('is_seen', '=', false) : query.where('id', '=', id)))
        .orderBy('id')
        .limit(mostSentAgain)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'is_urgent as isUrgent'])
    .execute();
  for (const row of rows) await sendEmailJob(tx, jobs, row);
  return rows.length;
}

/** Marks emails that were given up as seen. @returns how many there were */
export async function markGivenUpSeen(tx: Tx, id: string | undefined): Promise<number> {
  const { numUpdatedRows } = await tx.db
    .updateTable('mail_outbox')
    .set({ is_seen: true })
    .where(isGivenUp)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Marks codes and links as seen that were given up a day ago: nobody can do anything about them, and anybody can ask for one. */
export async function markExpiredProofsSeen(tx: Tx): Promise<void> {
  await tx.db
    .updateTable('mail_outbox')
    .set({ is_seen: true })
    .where(isGivenUp)
    .where('is_urgent', '=', true)
    .where('expires_at', '<', sql<Date>`now() - interval '1 day'`)
    .execute();
}
