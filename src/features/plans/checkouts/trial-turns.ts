import { setTimeout as pause } from 'node:timers/promises';
import { networkOf } from '#features/audit/rules.ts';
import { openPlaces } from '#kit/places.ts';
import { secondMs } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';

/** Questions that strangers ask the provider at the same time: all together, and of one network. */
const turns = openPlaces({ most: 20, mostOf: { network: 4 } });
const lookMs = 0.2 * secondMs;
/** Whoever has waited so long is asked to come again. */
const mostWaitMs = 10 * secondMs;

/**
 * Asks the provider for somebody of whom nothing is known: a few at a time, and of no network more than its share, so that whoever
 * asks very often waits for themselves and for nobody else.
 * @throws UNAVAILABLE for whoever would wait too long
 */
export async function inTurn<T>(context: Context, run: () => Promise<T>): Promise<T> {
  const keys = { network: networkOf(context.caller.address) };
  for (let waitedMs = 0; waitedMs <= mostWaitMs; waitedMs += lookMs) {
    const giveBack = turns.take(keys);
    if (giveBack !== undefined) return run().finally(giveBack);
    context.waitOutside();
    await pause(lookMs);
  }
  throw refuse('UNAVAILABLE', { retryAfter: mostWaitMs / secondMs });
}
