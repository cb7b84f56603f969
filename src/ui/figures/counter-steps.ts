/** A figure counts up in so many steps. */
export const counterSteps = 60;

/** Returns what a counter shows after a step on its way from one whole number to another; the last step is the number itself. */
export function countAt(from: number, to: number, step: number): number {
  const done = Math.min(1, Math.max(0, step / counterSteps));
  return Math.round(from + (to - from) * done);
}
