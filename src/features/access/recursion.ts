import { insertErrorLog } from '#features/audit/store.ts';
import type { CreatorContext } from '#wire/context.ts';

/** What is needed of a creator's call. */
type Asking = Pick<CreatorContext, 'asSystem' | 'now' | 'requestId'> & { creator: { userId: string } };

/** Whether a query failed because the row policies of its tables refer to each other in a circle. */
const isRecursion = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return code === '42P17' || /infinite recursion/i.test(message ?? '');
};

/**
 * Answers with an empty list where row policies run in a circle, and leaves a critical entry in the error log: the page stays
 * usable, and the operator learns of it.
 */
export async function orNothingOnRecursion<T>(
  { asSystem, now, requestId, creator }: Asking,
  read: () => Promise<T>,
  nothing: T,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isRecursion(error)) throw error;
    const entry = {
      component: 'access.requests',
      message: error instanceof Error ? error.message : 'infinite recursion in a row policy',
      severity: 'critical',
      userId: creator.userId,
      requestId,
    } as const;
    await asSystem((tx) => insertErrorLog(tx, entry, now));
    return nothing;
  }
}
