import type { Engines } from '#engines/engines.ts';
import { type Asking, createSharedRuns, type SharedRuns } from '#engines/shared-run.ts';
import { minuteMs, secondMs } from '#kit/time.ts';

/** The provider is asked about one object no more often than this, however many look at it. */
const gapMs = 2 * secondMs;
/** One question, and what is written of its answer. */
const askingMs = minuteMs;

/** Of each database: what is asked just now. */
const askings = new WeakMap<object, SharedRuns<unknown>>();

/**
 * Asks the provider about one of its objects after this call, together with everybody else who asks about it.
 * @param kind whose question it is: the same object may be asked about for several reasons, each with an answer of its own
 */
export function askOnce<T>(
  { database: { connection } }: Pick<Engines, 'database'>,
  [kind, objectId]: readonly [kind: 'order' | 'plan checkout' | 'subscription' | 'pack', objectId: string],
  run: () => Promise<T>,
  asking?: Asking,
): Promise<T> {
  const all = askings.get(connection) ?? createSharedRuns<unknown>({ mostMs: askingMs, gapMs });
  askings.set(connection, all);
  return all.ask(`${kind} ${objectId}`, run, asking) as Promise<T>;
}
