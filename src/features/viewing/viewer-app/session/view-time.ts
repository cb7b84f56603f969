import type { Sample } from '../../contract.ts';

/** A page that slept or was throttled between two looks is not credited with the time it slept. */
const longestStepMs = 2000;
const longestSampleMs = 60_000;
const mostSamples = 50;

/** Adds up how long each item was to be seen. */
export interface ViewTime {
  /** What is to be seen from now on; what was to be seen until now is credited. @param now on a monotonic clock, ms */
  see(now: number, mediaIds: readonly string[]): void;
  /** A second of a video was played. */
  play(mediaId: string, second: number): void;
  /** What was gathered, longest first; it begins again. */
  take(): Sample[];
  /** A report that did not arrive is told once more with the next one. */
  putBack(samples: readonly Sample[]): void;
}

const mostStretches = 60;

/** Seconds as stretches, each to the second behind its last. */
function stretchesOf(seconds: ReadonlySet<number> | undefined): Pick<Sample, 'played'> {
  if (seconds === undefined) return {};
  const stretches: [number, number][] = [];
  for (const second of [...seconds].sort((one, other) => one - other)) {
    const last = stretches.at(-1);
    if (last?.[1] === second) last[1]++;
    else stretches.push([second, second + 1]);
  }
  return { played: stretches.slice(0, mostStretches) };
}

export function createViewTime(): ViewTime {
  const seenMs = new Map<string, number>();
  const played = new Map<string, Set<number>>();
  let visible: readonly string[] = [];
  let since = 0;

  const add = (mediaId: string, ms: number) => seenMs.set(mediaId, (seenMs.get(mediaId) ?? 0) + ms);
  const play = (mediaId: string, second: number) => {
    const seconds = played.get(mediaId) ?? new Set();
    played.set(mediaId, seconds.add(second));
  };
  return {
    play,
    see(now, mediaIds) {
      const stepMs = Math.min(now - since, longestStepMs);
      for (const mediaId of visible) add(mediaId, stepMs);
      visible = [...mediaIds];
      since = now;
    },
    take() {
      const samples = [...seenMs]
        .map(([mediaId, ms]) => ({
          mediaId,
          visibleMs: Math.min(Math.round(ms), longestSampleMs),
          ...stretchesOf(played.get(mediaId)),
        }))
        .filter(({ visibleMs }) => visibleMs > 0)
        .sort((one, other) => other.visibleMs - one.visibleMs)
        .slice(0, mostSamples);
      seenMs.clear();
      played.clear();
      return samples;
    },
    putBack(samples) {
      for (const { mediaId, visibleMs, played: stretches = [] } of samples) {
        add(mediaId, visibleMs);
        for (const [from, to] of stretches) for (let second = from; second < to; second++) play(mediaId, second);
      }
    },
  };
}
