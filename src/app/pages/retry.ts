import { ORPCError } from '@orpc/client';

const timesMax = 2;

/** A refusal is an answer, maintenance as well: only broken connections and faults of the server are tried again, twice. */
export function shouldRetry(times: number, error: unknown): boolean {
  return times < timesMax && !(error instanceof ORPCError && (error.status < 500 || error.code === 'MAINTENANCE'));
}
