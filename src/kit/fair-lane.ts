/** Who wants a turn. */
export interface Queuer {
  /** Whose turns are counted together: a network, an account. */
  key: string;
  /** Goes before all who are not: what strangers do never keeps somebody waiting who was here before. */
  isKnown: boolean;
}

/** Lets only so many pieces of work run at once; those who wait take turns by their keys, however many one key sends. */
export interface FairLane {
  /** Waits for a turn and runs; undefined at once when too many are waiting. */
  run<T>(who: Queuer, work: () => Promise<T>): Promise<T | undefined>;
  /** Nobody runs or waits. */
  isFree(): boolean;
}

export interface LaneLimits {
  atOnce: number;
  /** Of one key. */
  mostWaitingOfOne: number;
  /** Of all strangers together. */
  mostWaiting: number;
}

/** Makes one for this process. */
export function openFairLane({ atOnce, mostWaitingOfOne, mostWaiting }: LaneLimits): FairLane {
  const known = openTurns();
  const strangers = openTurns();
  let running = 0;
  const isRefused = ({ key, isKnown }: Queuer) =>
    (isKnown ? known : strangers).waitingOf(key) >= mostWaitingOfOne ||
    (!isKnown && strangers.waiting() >= mostWaiting);
  return {
    async run(who, work) {
      if (running >= atOnce) {
        if (isRefused(who)) return undefined;
        await new Promise<void>((go) => (who.isKnown ? known : strangers).add(who.key, go));
      } else running++;
      try {
        return await work();
      } finally {
        const next = known.take() ?? strangers.take();
        if (next === undefined) running--;
        else next();
      }
    },
    isFree: () => running === 0,
  };
}

/** Those who wait, by key: the keys take turns, and each key's own come in their order. */
function openTurns() {
  const waiting = new Map<string, (() => void)[]>();
  let count = 0;
  return {
    waiting: () => count,
    waitingOf: (key: string) => waiting.get(key)?.length ?? 0,
    add(key: string, go: () => void): void {
      count++;
      const own = waiting.get(key);
      if (own === undefined) waiting.set(key, [go]);
      else own.push(go);
    },
    take(): (() => void) | undefined {
      const [first] = waiting;
      if (first === undefined) return undefined;
      const [key, own] = first;
      const go = own.shift();
      count--;
      waiting.delete(key);
      if (own.length > 0) waiting.set(key, own);
      return go;
    },
  };
}
