import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { Jobs } from '#engines/jobs/jobs.ts';
import { newId } from '#kit/ids.ts';
import { dayMs, secondMs } from '#kit/time.ts';
import type { EmailKind, EmailText, Part } from './email-words.ts';

/** Queue whose jobs send the emails of the outbox. */
export const emailQueue = 'notices.sendLetter';

export interface EmailToQueue extends EmailText {
  /** The account it is about; left out for strangers. */
  userId?: string;
  to: string;
  now: Date;
}

/** Puts an email into the outbox in the caller's transaction; it is sent when that commits, and only then. */
export async function queueEmail(
  tx: Tx,
  jobs: Jobs,
  { userId, to, now, template, kind, subject, parts, text, lifeMs }: EmailToQueue,
): Promise<void> {
  const id = newId<'email'>(now.getTime());
  const about = { user_id: userId ?? null, template, kind, recipient: to };
  const lifeSeconds = Math.ceil(lifeMs / secondMs);
  await tx.asSystem(async (system) => {
    await system.db
      .insertInto('mail_outbox')
      .values({
        id,
        ...about,
        subject,
        body_text: text,
        parts: JSON.stringify(parts),
        created_at: now,
        ...untilFrom(lifeSeconds),
      })
      .execute();
    await sendEmailJob(system, jobs, { id, lifeSeconds });
  });
}

/** By the clock of the database, as jobs: in a sandbox the clock of links can be turned. */
const untilFrom = (lifeSeconds: number) => ({
  life_seconds: lifeSeconds,
  expires_at: sql<Date>`now() + make_interval(secs => ${lifeSeconds})`,
});

/** Carries a code or a link that soon expires. */
export const isUrgent = (lifeSeconds: number): boolean => lifeSeconds < dayMs / secondMs;

/** Puts the job that sends an email into its queue; whoever waits for a code comes first. */
export const sendEmailJob = (
  tx: Tx,
  jobs: Jobs,
  { id, lifeSeconds }: { id: string; lifeSeconds: number },
  startAfterSeconds = 0,
): Promise<void> =>
  jobs.send(tx, emailQueue, { letterId: id }, { priority: isUrgent(lifeSeconds) ? 1 : 0, startAfterSeconds });

export interface QueuedEmail {
  id: string;
  to: string;
  kind: EmailKind;
  subject: string;
  text: string;
  /** Null for one that was queued before emails had HTML, or whose text is gone. */
  parts: Part[] | null;
  /** How often a server was asked to take it. */
  tries: number;
  lifeSeconds: number;
  /** Until what it carries has expired; zero or less when it has. */
  secondsLeft: number;
}

/** An email that still has to be sent; undefined when it was sent or given up. */
export async function findQueuedEmail(tx: Tx, id: string): Promise<QueuedEmail | undefined> {
  return tx.db
    .selectFrom('mail_outbox')
    .select(['id', 'recipient as to', 'kind', 'subject', 'body_text as text', 'parts', 'tries'])
    .select([
      'life_seconds as lifeSeconds',
      sql<number>`extract(epoch from expires_at - now())::float8`.as('secondsLeft'),
    ])
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .$castTo<QueuedEmail>()
    .executeTakeFirst();
}

const withoutText = { body_text: '', parts: null };

/** Notes that an email has left; its text goes too, because of the links and codes in it, unless it is to be read here. */
export async function markEmailSent(
  tx: Tx,
  id: string,
  { now, keepText }: { now: Date; keepText: boolean },
): Promise<void> {
  await tx.db
    .updateTable('mail_outbox')
    .set(({ eb }) => ({
      // The provider's word on its delivery may be here first.
      state: sql<'sent'>`case state when 'queued' then 'sent' else state end`,
      sent_at: now,
      tries: eb('tries', '+', 1),
      last_error: null,
      ...(keepText ? {} : withoutText),
    }))
    .where('id', '=', id)
    .execute();
}

/** Notes a try that failed; the email is tried again. */
export async function markEmailFailed(
  tx: Tx,
  id: string,
  { words, pauseSeconds }: { words: string; pauseSeconds: number },
): Promise<void> {
  await tx.db
    .updateTable('mail_outbox')
    .set(({ eb }) => ({
      tries: eb('tries', '+', 1),
      last_error: words.slice(0, 500),
      next_try_at: sql<Date>`now() + make_interval(secs => ${pauseSeconds})`,
    }))
    .where('id', '=', id)
    .execute();
}

/** Notes that the recipient's server will never take an email; its text goes as that of an email that has left. */
export async function markEmailBounced(
  tx: Tx,
  id: string,
  { words, keepText }: { words: string; keepText: boolean },
): Promise<void> {
  await tx.db
    .updateTable('mail_outbox')
    .set(({ eb }) => ({
      state: 'bounced',
      tries: eb('tries', '+', 1),
      last_error: words.slice(0, 500),
      ...(keepText ? {} : withoutText),
    }))
    .where('id', '=', id)
    .execute();
}

/** Notes that an email has expired before a server took it. */
export async function giveUpEmail(tx: Tx, id: string, { keepText }: { keepText: boolean }): Promise<void> {
  await tx.db
    .updateTable('mail_outbox')
    .set({ state: 'given_up', is_seen: false, ...(keepText ? {} : withoutText) })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute();
}

/** Notes that an email is not sent, because its address gets no notices any more. */
export async function suppressEmail(tx: Tx, id: string, { keepText }: { keepText: boolean }): Promise<void> {
  await tx.db
    .updateTable('mail_outbox')
    .set({ state: 'suppressed', ...(keepText ? {} : withoutText) })
    .where('id', '=', id)
    .execute();
}

/** What a mail provider can say of an email that it took. */
export const reportedStates = ['delivered', 'bounced', 'complained'] as const;
export type ReportedState = (typeof reportedStates)[number];

/** States in the order in which one follows another; reports come twice, and in any order. */
const order = ['queued', 'given_up', 'sent', ...reportedStates] as const;

/** Notes what a provider reports. @returns the address of the email; undefined when nobody knows the email */
export async function markReported(tx: Tx, id: string, state: ReportedState): Promise<string | undefined> {
  await tx.db
    .updateTable('mail_outbox')
    .set({ state })
    .where('id', '=', id)
    .where('state', 'in', order.slice(0, order.indexOf(state)))
    .execute();
  return findRecipient(tx, id);
}

/** Whom an email was for. */
export async function findRecipient(tx: Tx, id: string): Promise<string | undefined> {
  const row = await tx.db.selectFrom('mail_outbox').select('recipient').where('id', '=', id).executeTakeFirst();
  return row?.recipient;
}

export interface OutboxRow extends Omit<QueuedEmail, 'parts' | 'lifeSeconds' | 'secondsLeft'> {
  template: string;
  state: string;
  lastError: string | null;
  createdAt: Date;
  sentAt: Date | null;
}

/** The newest emails of the outbox, for the developer's page and the operator. */
export async function listEmails(tx: Tx, limit: number): Promise<OutboxRow[]> {
  return tx.db
    .selectFrom('mail_outbox')
    .select(['id', 'recipient as to', 'kind', 'subject', 'body_text as text', 'template', 'state', 'tries'])
    .select(['last_error as lastError', 'created_at as createdAt', 'sent_at as sentAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .$castTo<OutboxRow>()
    .execute();
}

/** Forgets every email about an account, sent or not. */
export async function deleteEmailsOf(tx: Tx, userId: string): Promise<void> {
  await tx.db.deleteFrom('mail_outbox').where('user_id', '=', userId).execute();
}

/**
 * Forgets emails to people without an account, whose erasure would take them along. Those stay that an unsubscribe link names: it
 * works for ever.
 */
export async function forgetStrangersEmails(tx: Tx, before: Date): Promise<void> {
  await tx.db
    .deleteFrom('mail_outbox')
    .where('user_id', 'is', null)
    .where('is_named_by_link', '=', false)
    .where('created_at', '<', before)
    .execute();
}

/** So long after its time an email is still queued only when its job died. */
const lostAfter = sql`interval '15 minutes'`;

/** Finds emails that no job sends any more, and gives each a job again. @returns how many there were */
export async function requeueLostEmails(tx: Tx, jobs: Jobs, limit: number): Promise<number> {
  const rows = await tx.db
    .updateTable('mail_outbox')
    .set({ next_try_at: sql<Date>`now()` })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('mail_outbox')
        .select('id')
        .where('state', '=', 'queued')
        .where('next_try_at', '<', sql<Date>`now() - ${lostAfter}`)
        .orderBy('next_try_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'life_seconds as lifeSeconds'])
    .execute();
  for (const row of rows) await sendEmailJob(tx, jobs, row);
  return rows.length;
}

/** Forgets the text of emails that were given up and that nobody has sent again. */
export async function forgetGivenUpTexts(tx: Tx, before: Date): Promise<void> {
  await tx.db
    .updateTable('mail_outbox')
    .set({ ...withoutText, is_seen: true })
    .where('state', '=', 'given_up')
    .where('body_text', '<>', '')
    .where('created_at', '<', before)
    .execute();
}

/** Empties the outbox of a sandbox: what still waits is not sent, and no code or link can be read there. @returns how many waited */
export async function forgetEmails(tx: Tx): Promise<number> {
  const { numUpdatedRows } = await tx.db
    .updateTable('mail_outbox')
    .set({ state: 'suppressed', last_error: 'It was written in a sandbox.' })
    .where('state', '=', 'queued')
    .executeTakeFirst();
  await tx.db.updateTable('mail_outbox').set(withoutText).execute();
  return Number(numUpdatedRows);
}
