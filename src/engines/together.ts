import { withoutDeadline } from './deadline.ts';

interface Waiting<T> {
  item: T;
  done: () => void;
  failed: (error: unknown) => void;
}

/**
 * Does for several callers at once what each of them wants for one item: whoever calls while a round is under way goes along with the
 * next one. A round that fails is done again one by one, so that nobody fails for another's item.
 * @param run does it for some items; it may be asked twice for the same
 * @returns does it for one item, and resolves when that is done
 */
export function doTogether<T>(run: (items: readonly T[]) => Promise<void>, mostAtOnce: number) {
  const waiting: Waiting<T>[] = [];
  let isRunning = false;
  async function runRound(round: readonly Waiting<T>[]): Promise<void> {
    try {
      await run(round.map(({ item }) => item));
      for (const { done } of round) done();
    } catch (error) {
      if (round.length === 1) return round[0]?.failed(error);
      for (const one of round) await runRound([one]);
    }
  }
  async function runAll(): Promise<void> {
    while (waiting.length > 0) await runRound(waiting.splice(0, mostAtOnce));
    isRunning = false;
  }
  return (item: T): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.push({ item, done: resolve, failed: reject });
    if (!isRunning) {
      isRunning = true;
      // Whatever has come in by the same turn goes along.
      withoutDeadline(() => setImmediate(() => void runAll()));
    }
    return promise;
  };
}
