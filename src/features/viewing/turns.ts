/** Runs pieces of work one after another, at most `atOnce` of them at the same time. */
export interface Turns {
  /** Waits for a turn and runs; undefined at once when too many are waiting. */
  run<T>(work: () => Promise<T>): Promise<T | undefined>;
  /** Nobody runs or waits. */
  isFree(): boolean;
}

/** Makes a queue in this process. @param mostWaiting further ones are not taken */
export function createTurns(atOnce: number, mostWaiting: number): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running >= atOnce) {
        if (waiting.length >= mostWaiting) return undefined;
        await new Promise<void>((go) => waiting.push(go));
      } else running++;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
    isFree: () => running === 0,
  };
}
