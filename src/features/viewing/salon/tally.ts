import type { Sample } from '../contract.ts';

/** A page that slept or was throttled between two looks is not credited with the time it slept. */
const longestStepMs = 2000;
const longestSampleMs = 60_000;
const mostSamples = 50;

/** Adds up how long each item was to be seen. */
export interface Tally {
  /** What is to be seen from now on; what was to be seen until now is credited. @param now on a monotonic clock, ms */
  see(now: number, mediaIds: readonly string[]): void;
  /** What was gathered, longest first; it begins anew. */
  take(): Sample[];
  /** A report that did not arrive is told once more with the next one. */
  putBack(samples: readonly Sample[]): void;
}

export function createTally(): Tally {
  const seenMs = new Map<string, number>();
  let visible: readonly string[] = [];
  let since = 0;

  const add = (mediaId: string, ms: number) => seenMs.set(mediaId, (seenMs.get(mediaId) ?? 0) + ms);
  return {
    see(now, mediaIds) {
      const stepMs = Math.min(now - since, longestStepMs);
      for (const mediaId of visible) add(mediaId, stepMs);
      visible = [...mediaIds];
      since = now;
    },
    take() {
      const samples = [...seenMs]
        .map(([mediaId, ms]) => ({ mediaId, visibleMs: Math.min(Math.round(ms), longestSampleMs) }))
        .filter(({ visibleMs }) => visibleMs > 0)
        .sort((one, other) => other.visibleMs - one.visibleMs)
        .slice(0, mostSamples);
      seenMs.clear();
      return samples;
    },
    putBack(samples) {
      for (const { mediaId, visibleMs } of samples) add(mediaId, visibleMs);
    },
  };
}
