/** Adds the milliseconds since its last call to the named lap. */
export type Stopwatch = (lap: string) => void;

/** Starts a stopwatch; where the time of a photo went is part of its answer. */
export function startStopwatch(laps: Record<string, number>): Stopwatch {
  let since = performance.now();
  return (lap) => {
    const now = performance.now();
    laps[lap] = (laps[lap] ?? 0) + now - since;
    since = now;
  };
}
