import { untilDeadline, withOwnDeadline } from './deadline.ts';

/** When an answer of shared work is good enough. */
export interface Asking {
  /** Begins at once where nothing runs, without the pause between two runs. */
  isUrgent?: boolean;
  /** An answer is new enough whose run began then or later, by `performance.now()`; left out, it has to begin after the call. */
  sinceMs?: number | undefined;
}

/** Work that is done once for all who want it at the same time. */
export interface SharedRun<T> {
  /**
   * The answer of one run, with everybody else who waits for it. At most one runs, and one more waits behind it.
   * @param run how it is done, where this call is the first that wants the next run
   * @throws DeadlinePassed when the work that calls may not go on for so long; the run goes on
   */
  ask(run: () => Promise<T>, asking?: Asking): Promise<T>;
  /** Nothing runs or waits, and the next one need not wait either. */
  isIdle(): boolean;
  /** Waits for what runs and for what waits behind it, which begins at once. */
  untilIdle(): Promise<void>;
}

interface Begun<T> {
  beganMs: number;
  answer: Promise<T>;
}

/** How long runs take, and how often they begin. */
export interface Pace {
  /** A run is over after this, whatever the deadlines of those who wait for it. */
  mostMs: number;
  /** Between the beginnings of two runs, unless somebody is in a hurry. */
  gapMs?: number;
}

const ignore = () => undefined;

/** Makes work that many may ask for into as few runs as give everybody an answer that is newer than their question. */
export function createSharedRun<T>({ mostMs, gapMs = 0 }: Pace): SharedRun<T> {
  let latest: Begun<T> | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let isRunning = false;
  let next: { answer: Promise<T>; hurry: () => void } | undefined;
  const isEarly = () => latest !== undefined && performance.now() - latest.beganMs < gapMs;
  async function begin(run: () => Promise<T>, hurried: Promise<unknown>): Promise<T> {
    await running;
    const waitMs = (latest?.beganMs ?? Number.NEGATIVE_INFINITY) + gapMs - performance.now();
    if (waitMs > 0) await orLater(hurried, waitMs);
    next = undefined;
    isRunning = true;
    const own = { beganMs: performance.now(), answer: withOwnDeadline(mostMs, run) };
    latest = own;
    running = own.answer.catch(() => {
      // What went wrong answers nobody who comes later.
      if (latest === own) latest = undefined;
    });
    running = running.then(() => {
      isRunning = false;
    });
    return own.answer;
  }
  function askNext(run: () => Promise<T>, isUrgent: boolean): Promise<T> {
    if (next === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>();
      next = { answer: begin(run, promise), hurry: resolve };
      next.answer.catch(ignore); // whoever asked hears of it
    }
    if (isUrgent) next.hurry();
    return next.answer;
  }
  return {
    ask(run, { isUrgent = false, sinceMs } = {}) {
      if (sinceMs !== undefined && latest !== undefined && latest.beganMs >= sinceMs)
        return untilDeadline(latest.answer);
      return untilDeadline(askNext(run, isUrgent));
    },
    isIdle: () => !isRunning && next === undefined && !isEarly(),
    async untilIdle() {
      next?.hurry();
      await next?.answer.catch(ignore);
      await running;
    },
  };
}

/** Waits for what comes first; the timer is cleared. */
async function orLater(early: Promise<unknown>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([early, promise]);
  clearTimeout(timer);
}

/** The same for work about one of many things, each of which is remembered only as long as somebody may still share a run. */
export interface SharedRuns<T> {
  ask(key: string, run: () => Promise<T>, asking?: Asking): Promise<T>;
}

/** @param keptMs how long a run that is over is remembered; no shorter than the gap */
export function createSharedRuns<T>(pace: Pace, keptMs = pace.gapMs ?? 0): SharedRuns<T> {
  const all = new Map<string, SharedRun<T>>();
  const forgetLater = (key: string, shared: SharedRun<T>) => {
    const forget = () => {
      if (!shared.isIdle()) return forgetLater(key, shared);
      if (all.get(key) === shared) all.delete(key);
    };
    setTimeout(forget, keptMs + 1).unref();
  };
  return {
    ask(key, run, asking) {
      let shared = all.get(key);
      if (shared === undefined) {
        shared = createSharedRun(pace);
        all.set(key, shared);
        forgetLater(key, shared);
      }
      return shared.ask(run, asking);
    },
  };
}
