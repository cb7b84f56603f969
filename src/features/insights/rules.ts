import { dayMs } from '#kit/time.ts';

/** Single visits and looks are kept for 13 months, then only their sums. */
export function eventsKeptSince(now: Date): Date {
  const since = new Date(now);
  since.setUTCMonth(since.getUTCMonth() - 13);
  return since;
}

/**
 * Watch time of an open screen at this moment: what was counted, and what has gone by since its last renewal. A screen that
 * has not renewed for longer than it should adds no time until it does.
 */
export const lookedMsNow = (watchMs: number, lastHeartbeatAt: Date, now: Date, renewMs: number): number =>
  watchMs + Math.min(renewMs, Math.max(0, now.getTime() - lastHeartbeatAt.getTime()));

/** Returns whether a screen is alive: open, and heard of since `aliveSince`. */
export const isAlive = (
  { state, lastHeartbeatAt }: { state: string; lastHeartbeatAt: Date },
  aliveSince: Date,
): boolean => state === 'open' && lastHeartbeatAt > aliveSince;

/** What is known of a visit when it is told whether it counts. */
export interface CountFacts {
  suspectReason: 'own' | 'automation' | 'admin' | null;
  isCounted: boolean;
  isOpen: boolean;
}

/** Why a visit is not a view; undefined for a view, and for a visit that may still become one. */
export function whyNotCounted({ suspectReason, isCounted, isOpen }: CountFacts) {
  if (suspectReason !== null) return suspectReason;
  return isCounted || isOpen ? undefined : 'short';
}

/** A day of a chart and its neighbours: every one of `count` days that end with `today`. */
export function listDays(today: string, count: number): string[] {
  const end = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: count }, (_, at) => new Date(end - (count - 1 - at) * dayMs).toISOString().slice(0, 10));
}

/** Opens by hour of a week out of those hours in which there were any. */
export function weekOf(hours: readonly { weekday: number; hour: number; opens: number }[]): number[] {
  const week = Array.from({ length: 168 }, () => 0);
  for (const { weekday, hour, opens } of hours) week[24 * weekday + hour] = opens;
  return week;
}

/**
 * Returns how many plays showed each second of a video.
 * @param edges where plays began (+) and ended (−) to show it, in order
 */
export function retentionOf(edges: readonly { second: number; change: number }[], seconds: number): number[] {
  const changes = new Map(edges.map(({ second, change }) => [second, change]));
  let showing = 0;
  return Array.from({ length: seconds }, (_, second) => {
    showing += changes.get(second) ?? 0;
    return showing;
  });
}

/** A curve has no more places than this: a long video is told in steps of some seconds. */
const mostPoints = 120;

/** A curve of seconds in few enough points: each is the mean of its seconds. */
export function pointsOf(seconds: readonly number[]): { second: number; value: number }[] {
  const step = Math.max(1, Math.ceil(seconds.length / mostPoints));
  return Array.from({ length: Math.ceil(seconds.length / step) }, (_, i) => {
    const part = seconds.slice(i * step, (i + 1) * step);
    return { second: i * step, value: part.reduce((sum, value) => sum + value, 0) / part.length };
  });
}

/** Moments evenly over a video, in seconds: the middle of each of so many parts. */
export const momentsOf = (durationMs: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => ((n + 0.5) / count) * (durationMs / 1000));
