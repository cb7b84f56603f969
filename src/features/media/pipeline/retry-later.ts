import type { Engines } from '#engines/engines.ts';
import { sendMedium } from '../queues.ts';
import { retryPauseOf } from '../rules.ts';
import { failMedium } from '../store.ts';
import { holdTimedOut, noteGivenUp, postponeMedium } from '../timeouts-store.ts';

const waitingText = "Processing took too long. We'll try again automatically.";

/**
 * Has a medium that ran out of time made later, by itself, with growing pauses, and fails it once that has been in vain. It is the
 * machine that was slow, so the log of its operator says so.
 */
export async function retryLater(
  engines: Engines,
  { mediaId, number, words }: { mediaId: string; number: number; words: string },
): Promise<void> {
  const { database, clock, log } = engines;
  const now = new Date(clock());
  const said = await database.work({ kind: 'system' }, async (tx) => {
    const medium = await holdTimedOut(tx, { mediaId, number });
    if (medium === undefined) return undefined;
    const { creatorId, kind, timeouts } = medium;
    const pauseSeconds = retryPauseOf(timeouts);
    if (pauseSeconds === undefined) {
      await noteGivenUp(tx, mediaId);
      await failMedium(tx, mediaId, { code: 'TIMEOUT', now });
    } else {
      const retryAt = new Date(now.getTime() + 1000 * pauseSeconds);
      await postponeMedium(tx, { mediaId, creatorId, retryAt, text: waitingText });
      await sendMedium(engines, tx, { mediaId, creatorId, kind }, pauseSeconds);
    }
    return { kind, timeouts: timeouts + 1, retrySeconds: pauseSeconds ?? null };
  });
  if (said !== undefined) log.warn({ mediaId, ...said, words }, 'a medium ran out of time');
}
