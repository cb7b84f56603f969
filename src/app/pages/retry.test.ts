import { ORPCError } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import { shouldRetry } from '#app/pages/retry.ts';

describe('a call that failed', () => {
  it('is tried again twice when the connection broke or the server failed', () => {
    for (const error of [new TypeError('fetch failed'), new ORPCError('INTERNAL', { status: 500 })])
      expect([0, 1, 2].map((times) => shouldRetry(times, error))).toEqual([true, true, false]);
  });

  it('is not tried again when it was refused', () => {
    for (const status of [401, 403, 404, 409, 410, 422, 429])
      expect(shouldRetry(0, new ORPCError('REFUSED', { status }))).toBe(false);
    expect(shouldRetry(0, new ORPCError('MAINTENANCE', { status: 503 }))).toBe(false);
  });
});
