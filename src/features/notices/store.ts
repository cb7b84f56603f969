import type { Tx } from '#engines/database/work.ts';
import type { Jobs } from '#engines/jobs/jobs.ts';
import { newId } from '#kit/ids.ts';
import type { LetterText } from './letters.ts';

/** Queue whose jobs send the letters of the outbox. */
export const letterQueue = 'notices.sendLetter';

export interface LetterToQueue extends LetterText {
  /** The account it is about; left out for strangers. */
  userId?: string;
  to: string;
  now: Date;
}

/** Puts a letter into the outbox in the caller's transaction; it is sent when that commits, and only then. */
export async function queueLetter(
  tx: Tx,
  jobs: Jobs,
  { userId, to, now, template, subject, text }: LetterToQueue,
): Promise<void> {
  const id = newId<'letter'>(now.getTime());
  await tx.asSystem(async (system) => {
    await system.db
      .insertInto('mail_outbox')
      .values({ id, user_id: userId ?? null, template, recipient: to, subject, body_text: text, created_at: now })
      .execute();
    await jobs.send(system, letterQueue, { letterId: id });
  });
}

export interface QueuedLetter {
  id: string;
  to: string;
  subject: string;
  text: string;
  /** How often a server was asked to take it. */
  tries: number;
}

/** A letter that still has to be sent; undefined when it was sent or given up. */
export async function findQueuedLetter(tx: Tx, id: string): Promise<QueuedLetter | undefined> {
  return tx.db
    .selectFrom('mail_outbox')
    .select(['id', 'recipient as to', 'subject', 'body_text as text', 'tries'])
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .executeTakeFirst();
}

/** Notes that a letter has left; its text goes too, because of the links and codes in it, unless it is to be read here. */
export async function markLetterSent(
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

/** Notes a try that failed; the letter is tried again. */
export async function markLetterFailed(tx: Tx, id: string, words: string): Promise<void> {
  await tx.db
    .updateTable('mail_outbox')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1), last_error: words.slice(0, 500) }))
    .where('id', '=', id)
    .execute();
}

/** Notes that a letter will never leave; its text goes as that of a letter that has left. */
export async function giveLetterUp(
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

export interface OutboxRow extends QueuedLetter {
  template: string;
  state: string;
  lastError: string | null;
  createdAt: Date;
  sentAt: Date | null;
}

/** The newest letters of the outbox, for the developer's page and the operator. */
export async function listLetters(tx: Tx, limit: number): Promise<OutboxRow[]> {
  return tx.db
    .selectFrom('mail_outbox')
    .select(['id', 'recipient as to', 'subject', 'body_text as text', 'template', 'state', 'tries'])
    .select(['last_error as lastError', 'created_at as createdAt', 'sent_at as sentAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Forgets every letter about an account, sent or not. */
export async function deleteLettersOf(tx: Tx, userId: string): Promise<void> {
  await tx.db.deleteFrom('mail_outbox').where('user_id', '=', userId).execute();
}
