import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { Jobs } from '#engines/jobs/jobs.ts';
import { newId } from '#kit/ids.ts';
import { isSyntheticAddress } from '#kit/synthetic-address.ts';
import { secondMs } from '#kit/time.ts';
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
  { userId, to, now, template, kind, subject, parts, text, lifeMs, isUrgent }: EmailToQueue,
): Promise<void> {
  // Nobody has the address of an account that was erased.
  if (to.endsWith('@erased.invalid')) return;
  const id = newId<'email'>(now.getTime());
  const about = { user_id: userId ?? null, template, kind, recipient: to };
  const lifeSeconds = Math.ceil(lifeMs / secondMs);
  // It stands in the outbox, where the full check reads it, and no server is ever asked to take it.
  const isSynthetic = isSyntheticAddress(to);
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
        is_urgent: isUrgent,
        ...(isSynthetic && { state: 'suppressed' }),
        ...untilFrom(lifeSeconds),
      })
      .execute();
    if (!isSynthetic) await sendEmailJob(system, jobs, { id, isUrgent });
  });
}

/** By the clock of the database, as jobs: in a sandbox the clock of links can be turned. */
const untilFrom = (lifeSeconds: number) => ({
  life_seconds: lifeSeconds,
  expires_at: sql<Date>`now() + make_interval(secs => ${lifeSeconds})`,
});

/** Puts the job that sends an email into its queue; whoever waits for a code comes first. */
export const sendEmailJob = (
  tx: Tx,
  jobs: Jobs,
  { id, isUrgent }: { id: string; isUrgent: boolean },
  startAfterSeconds = 0,
): Promise<void> => jobs.send(tx, emailQueue, { letterId: id }, { priority: isUrgent ? 1 : 0, startAfterSeconds });

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
  isUrgent: boolean;
  /** Until what it carries has expired; zero or less when it has. */
  secondsLeft: number;
}

/**
 * Says that an email waits, where it is found by its id. The words of the index of the queue would have that read whole, whenever few
 * waited as the table was last analyzed.
 */
const isQueued = sql<boolean>`state || '' = 'queued'`;

/** Far longer than a server is waited for, and than the job that sends an email may take. */
const claimTime = sql`interval '3 minutes'`;

/**
 * Claims an email that is due, so that of several jobs one alone sends it. If its process dies before it has noted what became of
 * the email, that is tried again when the time of the claim is over: at worst it arrives twice, by the same Message-ID.
 * @returns undefined when it was sent or given up, is not due yet, or another job has it
 */
export async function claimEmail(tx: Tx, id: string): Promise<QueuedEmail | undefined> {
  return (
    tx.db
      .updateTable('mail_outbox')
      .set({ next_try_at: sql<Date>`now() + ${claimTime}` })
      .where('id', '=', id)
      .where(isQueued)
      // The queue counts in whole seconds.
      .where('next_try_at', '<=', sql<Date>`now() + interval '1 second'`)
      .returning(['id', 'recipient as to', 'kind', 'subject', 'body_text as text', 'parts', 'tries'])
      .returning([
        'is_urgent as isUrgent',
        sql<number>`extract(epoch from expires_at - now())::float8`.as('secondsLeft'),
      ])
      .$castTo<QueuedEmail>()
      .executeTakeFirst()
  );
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

/** Notes a try that failed. @returns whether the email is to be tried again: what was sent meanwhile is not */
export async function markEmailFailed(
  tx: Tx,
  id: string,
  { words, pauseSeconds, isOurs }: { words: string; pauseSeconds: number; isOurs: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('mail_outbox')
    .set(({ eb }) => ({
      tries: eb('tries', '+', 1),
      last_error: words.slice(0, 500),
      is_failure_ours: isOurs,
      next_try_at: sql<Date>`now() + make_interval(secs => ${pauseSeconds})`,
    }))
    .where('id', '=', id)
    .where(isQueued)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
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
    .where(isQueued)
    .execute();
}

/** Notes that an email has expired before a server took it. */
export async function giveUpEmail(tx: Tx, id: string, { keepText }: { keepText: boolean }): Promise<void> {
  await tx.db
    .updateTable('mail_outbox')
    .set({
      state: 'given_up',
      is_seen: false,
      // Nobody's domain is the reason where no server was ever asked.
      is_failure_ours: sql<boolean>`is_failure_ours or tries = 0`,
      ...(keepText ? {} : withoutText),
    })
    .where('id', '=', id)
    .where(isQueued)
    .execute();
}

/** Notes that an email is not sent, because its address gets no notices any more. */
export async function suppressEmail(tx: Tx, id: string, { keepText }: { keepText: boolean }): Promise<void> {
  await tx.db
    .updateTable('mail_outbox')
    .set({ state: 'suppressed', ...(keepText ? {} : withoutText) })
    .where('id', '=', id)
    .where(isQueued)
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

export interface OutboxRow extends Omit<QueuedEmail, 'parts' | 'isUrgent' | 'secondsLeft'> {
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
