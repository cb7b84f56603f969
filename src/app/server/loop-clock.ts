/** A clock that hardly goes on while this process is away: nobody was slow while nobody listened. */
export interface LoopClock {
  /** Calls something once, after so much time in which the process listened. @returns forgets it */
  after(ms: number, run: () => void): () => void;
  /** Calls something again and again. @returns ends it */
  every(ms: number, run: () => void): () => void;
  close(): void;
}

/**
 * Opens one. However long the event loop was held up, a step counts as one step, and what has come meanwhile is read before
 * anybody is called late.
 */
export function openLoopClock(stepMs: number): LoopClock {
  const due = new Set<{ atMs: number; run: () => void }>();
  let [nowMs, seenMs] = [0, performance.now()];
  const callDue = () => {
    for (const each of due) {
      if (each.atMs > nowMs) continue;
      due.delete(each);
      each.run();
    }
  };
  const timer = setInterval(() => {
    const sinceMs = performance.now() - seenMs;
    seenMs += sinceMs;
    nowMs += Math.min(sinceMs, stepMs);
    setImmediate(callDue); // sockets are read between timers and this
  }, stepMs).unref();
  const after = (ms: number, run: () => void) => {
    const mine = { atMs: nowMs + ms, run };
    due.add(mine);
    return () => void due.delete(mine);
  };
  return {
    after,
    every(ms, run) {
      let forget = () => {};
      const next = () => {
        forget = after(ms, () => {
          next();
          run();
        });
      };
      next();
      return () => forget();
    },
    close: () => clearInterval(timer),
  };
}
