import { AsyncLocalStorage } from 'node:async_hooks';

/** Thrown by work that goes on after its deadline: what it holds is let go of by that. */
export class DeadlinePassed extends Error {
  constructor() {
    super('This took longer than it may.');
    this.name = 'DeadlinePassed';
  }
}

/** When the work that calls has to be over, in milliseconds of `performance.now()`. */
const deadlines = new AsyncLocalStorage<number>();

/**
 * Runs work that may take so long: past that, whatever it asks of the database or a provider is refused with `DeadlinePassed`, so it
 * ends no later than with the answer that it waits for. Inside another deadline the earlier one holds.
 */
export const withDeadline = <T>(ms: number, run: () => Promise<T>): Promise<T> =>
  deadlines.run(Math.min(performance.now() + ms, deadlines.getStore() ?? Number.POSITIVE_INFINITY), run);

/** Runs work that is done for others as well, under a deadline of its own instead of that of whoever was the first to ask. */
export const withOwnDeadline = <T>(ms: number, run: () => Promise<T>): Promise<T> =>
  deadlines.run(performance.now() + ms, run);

/**
 * Begins something that outlives the work that calls, such as a timer or a server: what it does later has no deadline of whoever
 * happened to be the first to need it.
 */
export const withoutDeadline = <T>(begin: () => T): T => deadlines.run(Number.POSITIVE_INFINITY, begin);

/** Returns how long the work that calls may still go on; endless without a deadline. */
export const leftMs = (): number => (deadlines.getStore() ?? Number.POSITIVE_INFINITY) - performance.now();

/** @throws DeadlinePassed */
export function checkDeadline(): void {
  if (leftMs() <= 0) throw new DeadlinePassed();
}

/**
 * The answer of a promise that comes within so long.
 * @throws DeadlinePassed; what is under way goes on, and nobody waits for it
 */
export async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  // Timers take no more than 2^31 ms.
  const timer = setTimeout(() => reject(new DeadlinePassed()), Math.min(Math.max(ms, 0), 0x7fffffff));
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for work that is done for others as well, no longer than the work that calls may go on. @throws DeadlinePassed */
export const untilDeadline = <T>(answer: Promise<T>): Promise<T> =>
  leftMs() === Number.POSITIVE_INFINITY ? answer : within(leftMs(), answer);
