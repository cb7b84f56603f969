import type { Engines } from '#engines/engines.ts';
import { EmailRefused } from '#engines/mail/mail.ts';
import { emailQueue, findQueuedEmail, giveUpEmail, markEmailFailed, markEmailSent } from './store.ts';

/** An email that no server has taken in two hours is given up. */
const mostTries = 9;

/** What the room does by itself: it sends the outbox, each email for two hours until the mail server has taken it. */
export function declareNoticeJobs(engines: Engines): void {
  const options = { atOnce: 2, retryLimit: mostTries - 1, retryDelaySeconds: 30, expireInSeconds: 120 };
  engines.jobs.handle<{ letterId: string }>(emailQueue, ({ letterId }) => sendEmail(engines, letterId), options);
}

/**
 * Sends one email of the outbox; one that has left already is left alone.
 * @throws without the recipient's address in it, for the log
 */
async function sendEmail({ database, mail, clock, installation }: Engines, id: string): Promise<void> {
  const found = await database.work({ kind: 'system' }, (tx) => findQueuedEmail(tx, id));
  if (found === undefined) return;
  const { tries, ...email } = found;
  const keepText = installation.isSandbox;
  try {
    await mail.send(email);
  } catch (error) {
    const isRefused = error instanceof EmailRefused;
    const words = wordsOf(isRefused ? error.cause : error);
    const isGivenUp = isRefused || tries + 1 >= mostTries;
    await database.work({ kind: 'system' }, (tx) =>
      isGivenUp ? giveUpEmail(tx, id, { words, keepText }) : markEmailFailed(tx, id, words),
    );
    if (isRefused) return;
    throw new Error(`Email ${id} was not sent; the reason is in the outbox.`);
  }
  await database.work({ kind: 'system' }, (tx) => markEmailSent(tx, id, { now: new Date(clock()), keepText }));
}

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
