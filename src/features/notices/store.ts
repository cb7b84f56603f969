import type { Tx } from '#engines/database/work.ts';
import type { Jobs } from '#engines/jobs/jobs.ts';
import { newId } from '#kit/ids.ts';
import type { EmailText } from './emails.ts';

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
  { userId, to, now, template, subject, text }: EmailToQueue,
): Promise<void> {
  const id = newId<'email'>(now.getTime());
  await tx.asSystem(async (system) => {
    await system.db
      .insertInto('mail_outbox')
      .values({ id, user_id: userId ?? null, template, recipient: to, subject, body_text: text, created_at: now })
      .execute();
    await jobs.send(system, emailQueue, { letterId: id });
  });
}

export interface QueuedEmail {
  id: string;
  to: string;
  subject: string;
  text: string;
  /** How often a server was asked to take it. */
  tries: number;
}

/** An email that still has to be sent; undefined when it was sent or given up. */
export async function findQueuedEmail(tx: Tx, id: string): Promise<QueuedEmail | undefined> {
  return tx.db
    .selectFrom('mail_outbox')
    .select(['id', 'recipient as to', 'subject', 'body_text as text', 'tries'])
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .executeTakeFirst();
}

/** Notes that an email has left; its text goes too, because of the links and codes in it, unless it is to be read here. */
export async function markEmailSent(
  tx: Tx,
  id: string,
  { now, keepText }: { now: Date; keepText: boolean },
): Promise<void> {
  await tx.db
    .updateTable('mail_outbox')
    .set(({ eb }) => ({
      state: 'sent',
      sent_at: now,
      tries: eb('tries', '+', 1),
      last_error: null,
      ...(keepText ? {} : { body_text: '' }),
    }))
    .where('id', '=', id)
    .execute();
}

/** Notes a try that failed; the email is tried again. */
export async function markEmailFailed(tx: Tx, id: string, words: string): Promise<void> {
  await tx.db
    .updateTable('mail_outbox')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1), last_error: words.slice(0, 500) }))
    .where('id', '=', id)
    .execute();
}

/** Notes that an email will never leave; its text goes as that of an email that has left. */
export async function giveUpEmail(
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
      ...(keepText ? {} : { body_text: '' }),
    }))
    .where('id', '=', id)
    .execute();
}

export interface OutboxRow extends QueuedEmail {
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
    .select(['id', 'recipient as to', 'subject', 'body_text as text', 'template', 'state', 'tries'])
    .select(['last_error as lastError', 'created_at as createdAt', 'sent_at as sentAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Forgets every email about an account, sent or not. */
export async function deleteEmailsOf(tx: Tx, userId: string): Promise<void> {
  await tx.db.deleteFrom('mail_outbox').where('user_id', '=', userId).execute();
}
