import { ORPCError } from '@orpc/server';
import { insertErrorLog } from '#features/audit/store.ts';
import type { CreatorContext } from '#wire/context.ts';

/** What is needed of a creator's call. */
type Asking = Pick<CreatorContext, 'asSystem' | 'now' | 'requestId'> & { creator: { userId: string } };

/** Returns true for a query that failed because the row policies of its tables refer to each other in a circle. */
const isRecursion = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return code === '42P17' || /infinite recursion/i.test(message ?? '');
};

async function record(
  { asSystem, now, requestId, creator }: Asking,
  component: string,
  error: unknown,
  severity: 'error' | 'critical',
): Promise<void> {
  const message = error instanceof Error ? error.message : String(error);
  const entry = { component, message, severity, userId: creator.userId, requestId };
  await asSystem((tx) => insertErrorLog(tx, entry, now));
}

/** Runs a call, and keeps for the operator why it failed; a refusal is no failure. @throws what the call throws */
export async function recordingFailures<T>(context: Asking, component: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    // Whoever is told that the team knows of it is told the truth, also where the database is the reason.
    if (!(error instanceof ORPCError)) await record(context, component, error, 'error').catch(() => undefined);
    throw error;
  }
}

/**
 * Answers with an empty list where row policies run in a circle, and leaves a critical entry in the error log: the page stays
 * usable, and the operator learns of it.
 */
export async function orNothingOnRecursion<T>(context: Asking, read: () => Promise<T>, nothing: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isRecursion(error)) throw error;
    await record(context, 'access.requests', error, 'critical');
    return nothing;
  }
}
