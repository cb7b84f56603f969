import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketCount, bucketOf, quantileOf } from './latency-buckets.ts';

const counted = (durations: readonly number[]) =>
  durations.reduce<number[]>(
    (buckets, ms) => {
      buckets[bucketOf(ms)] = (buckets[bucketOf(ms)] ?? 0) + 1;
      return buckets;
    },
    Array.from({ length: bucketCount }, () => 0),
  );

test('a quantile is the true one, or up to a fifth more', () => {
  const durations = fc.array(fc.integer({ min: 1, max: 800_000 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.95, 1), (all, share) => {
      const truth = all.toSorted((one, other) => one - other)[Math.ceil(share * all.length) - 1] ?? 0;
      const found = quantileOf(counted(all), share) ?? 0;
      expect(found).toBeGreaterThanOrEqual(Math.floor(truth));
      expect(found).toBeLessThanOrEqual(Math.ceil(truth * 1.2) + 1);
    }),
  );
});

test('nothing has no quantile, and what has no end lies in the last bucket', () => {
  expect(quantileOf([], 0.5)).toBe(null);
  expect([bucketOf(-3), bucketOf(0), bucketOf(Number.POSITIVE_INFINITY)]).toEqual([0, 0, bucketCount - 1]);
});
