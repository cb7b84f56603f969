/** Each is a fifth longer than the one before: from a millisecond to a quarter of an hour. */
const growth = 1.2;
const mostMs = 900_000;

/** How many buckets durations are sorted into. */
export const bucketCount = Math.ceil(Math.log(mostMs) / Math.log(growth)) + 1;

/** Returns the bucket of a duration; what took longer than the last one lies in the last one. */
export const bucketOf = (ms: number): number =>
  Math.min(bucketCount - 1, Math.max(0, Math.ceil(Math.log(Math.max(1, ms)) / Math.log(growth))));

/** Returns the duration, in milliseconds, below which this share of what was counted lies, up to a fifth too long; null of nothing. */
export function quantileOf(buckets: readonly number[], share: number): number | null {
  const all = buckets.reduce((sum, count) => sum + count, 0);
  if (all === 0) return null;
  let below = 0;
  for (const [bucket, count] of buckets.entries()) {
    below += count;
    if (below >= share * all) return Math.round(growth ** bucket);
  }
  return mostMs;
}
