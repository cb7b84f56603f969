import type { Engines } from '#engines/engines.ts';
import { notifyRefusedKey } from './notify-refused-keys.ts';

/** One round of whatever comes by itself: what is left is done by the next, and none keeps the others waiting for long. */
const mostSeconds = 300;

/** Declares rounds of which the operator hears where the provider does not take our key. */
export const declareRounds =
  (engines: Engines) =>
  (cron: string, queue: string, run: () => Promise<void>): void =>
    engines.jobs.every(cron, queue, () => orTell(engines, run), { expireInSeconds: mostSeconds });

async function orTell(engines: Engines, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    await notifyRefusedKey(engines, error);
    throw error;
  }
}
