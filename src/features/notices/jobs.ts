import type { Engines } from '#engines/engines.ts';
import { LetterRefused } from '#engines/mail/mail.ts';
import { findQueuedLetter, letterQueue, markLetterFailed, markLetterSent } from './store.ts';

/** What the room does by itself: it sends the outbox, each letter for two hours until the mail server has taken it. */
export function declareNoticeJobs(engines: Engines): void {
  const options = { atOnce: 2, retryLimit: 8, retryDelaySeconds: 30, expireInSeconds: 120 };
  engines.jobs.handle<{ letterId: string }>(letterQueue, ({ letterId }) => sendLetter(engines, letterId), options);
}

/**
 * Sends one letter of the outbox; one that has left already is left alone.
 * @throws without the recipient's address in it, for the log
 */
async function sendLetter({ database, mail, clock, house }: Engines, id: string): Promise<void> {
  const letter = await database.work({ kind: 'system' }, (tx) => findQueuedLetter(tx, id));
  if (letter === undefined) return;
  try {
    await mail.send(letter);
  } catch (error) {
    const isFinal = error instanceof LetterRefused;
    const words = wordsOf(isFinal ? error.cause : error);
    await database.work({ kind: 'system' }, (tx) => markLetterFailed(tx, id, isFinal ? 'bounced' : 'queued', words));
    if (isFinal) return;
    throw new Error(`Letter ${id} was not taken; the reason is in the outbox.`);
  }
  const sent = { now: new Date(clock()), keepText: house.isSandbox };
  await database.work({ kind: 'system' }, (tx) => markLetterSent(tx, id, sent));
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
