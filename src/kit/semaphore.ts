/** Lets only so many pieces of work run at once; the others wait in the order they came. */
export interface Semaphore {
  /** Waits for a turn and runs. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** The same; undefined at once when so many are waiting already. */
  tryRun<T>(work: () => Promise<T>, mostWaiting: number): Promise<T | undefined>;
  /** Nobody runs or waits. */
  isFree(): boolean;
}

/** Makes one for this process. */
export function createSemaphore(atOnce: number): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) await new Promise<void>((go) => waiting.push(go));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
  return {
    run,
    tryRun: async (work, mostWaiting) =>
      running >= atOnce && waiting.length >= mostWaiting ? undefined : await run(work),
    isFree: () => running === 0,
  };
}
