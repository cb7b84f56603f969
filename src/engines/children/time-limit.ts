const watchEveryMs = 200;

/** What waits for a processor uses none: the clock alone ends only what hangs, after so many times its processor time. */
export const hangFactor = 10;
/** The longest that anything may take by the clock: its job is given to another worker soon after. */
const mostHangSeconds = 75_000;

/** How long something may go on by the clock that may use so much processor time. */
export const hangSecondsOf = (seconds: number): number => Math.min(hangFactor * seconds, mostHangSeconds);

/**
 * Ends work that has used up its processor time, or hangs. Where the system does not tell what a process has used, only the
 * clock ends it.
 * @param seconds of processor time, from now on
 * @param usedSeconds what its processes have used since they began
 * @returns stops watching
 */
export function limitTime(seconds: number, usedSeconds: () => number | undefined, end: () => void): () => void {
  const before = usedSeconds() ?? 0;
  const watch = setInterval(() => (usedSeconds() ?? 0) - before > seconds && end(), watchEveryMs);
  const clock = setTimeout(end, 1000 * hangSecondsOf(seconds));
  return () => {
    clearInterval(watch);
    clearTimeout(clock);
  };
}
