import type { Engines } from '#engines/engines.ts';
import { LetterRefused } from '#engines/mail/mail.ts';
import { findQueuedLetter, giveLetterUp, letterQueue, markLetterFailed, markLetterSent } from './store.ts';

/** A letter that no server has taken in two hours is given up. */
const mostTries = 9;

/** What the room does by itself: it sends the outbox, each letter for two hours until the mail server has taken it. */
export function declareNoticeJobs(engines: Engines): void {
  const options = { atOnce: 2, retryLimit: mostTries - 1, retryDelaySeconds: 30, expireInSeconds: 120 };
  engines.jobs.handle<{ letterId: string }>(letterQueue, ({ letterId }) => sendLetter(engines, letterId), options);
}

/**
 * Sends one letter of the outbox; one that has left already is left alone.
 * @throws without the recipient's address in it, for the log
 */
async function sendLetter({ database, mail, clock, installation }: Engines, id: string): Promise<void> {
  const found = await database.work({ kind: 'system' }, (tx) => findQueuedLetter(tx, id));
  if (found === undefined) return;
  const { tries, ...letter } = found;
  const keepText = installation.isSandbox;
  try {
    await mail.send(letter);
  } catch (error) {
    const isRefused = error instanceof LetterRefused;
    const words = wordsOf(isRefused ? error.cause : error);
    const isGivenUp = isRefused || tries + 1 >= mostTries;
    await database.work({ kind: 'system' }, (tx) =>
      isGivenUp ? giveLetterUp(tx, id, { words, keepText }) : markLetterFailed(tx, id, words),
    );
    if (isRefused) return;
    throw new Error(`Letter ${id} was not taken; the reason is in the outbox.`);
  }
  await database.work({ kind: 'system' }, (tx) => markLetterSent(tx, id, { now: new Date(clock()), keepText }));
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
