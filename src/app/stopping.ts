import { setTimeout as wait } from 'node:timers/promises';

/** All that a stop may take. What is not over by then ends with the process: the next one finds it, as after a crash. */
export const stopMs = 10_000;

/** How long each step of a stop is waited for; together they leave some time for the database to close in order. */
export const stepMs = { serving: 3000, working: 5000, keeping: 9000, closing: 9500 };

/** Waits for a step of a stop, no longer than until so many milliseconds after the stop began; whatever went wrong in it, the next one comes. */
export async function awaitStep(step: Promise<unknown>, beganMs: number, untilMs: number): Promise<void> {
  const over = new AbortController();
  const leftMs = Math.max(0, beganMs + untilMs - performance.now());
  const tooLong = wait(leftMs, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([step.catch(() => undefined), tooLong]);
  over.abort();
}

/**
 * Ends a process that was told to: in order where that is soon enough, else without it.
 * @param exit ends the process
 */
export async function stopInTime(
  close: () => Promise<void>,
  exit: () => void,
  log: (error: unknown) => void,
  mostMs = stopMs,
): Promise<void> {
  const hard = setTimeout(exit, mostMs);
  await close().catch(log);
  clearTimeout(hard);
  exit();
}
