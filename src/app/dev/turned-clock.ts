let offsetMs = 0;

/** By how much a developer has turned the clock of links and visits. */
export const turnedMs = (): number => offsetMs;

/** Turns it; only /dev calls this, and /dev exists in a sandbox only. */
export function turnClock(byMs: number): void {
  offsetMs = byMs;
}
