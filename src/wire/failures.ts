import { ORPCError, ValidationError } from '@orpc/server';
import { DatabaseAway } from '#engines/database/away.ts';
import { StorageAway } from '#engines/storage/storage.ts';
import { refuse } from './refusals.ts';

interface Issue {
  readonly message: string;
  readonly path?: readonly unknown[];
}

/**
 * What leaves the server when a call fails: malformed input is 422 with its field, a refusal is itself, a database or
 * store that is away is 503, and everything else is a bug that shows its request id and nothing more.
 */
export function refusalOf(
  error: unknown,
  requestId: string,
  logBug: (error: unknown) => void,
): ORPCError<string, unknown> {
  if (error instanceof ORPCError && error.code === 'BAD_REQUEST') {
    const issue = error.cause instanceof ValidationError ? (error.cause.issues[0] as Issue | undefined) : undefined;
    const field = issue?.path
      ?.map((step) =>
        typeof step === 'object' && step !== null ? String((step as { key: unknown }).key) : String(step),
      )
      .join('.');
    return refuse('VALIDATION', { message: issue?.message ?? 'Malformed input', ...(field && { field }) });
  }
  if (error instanceof ORPCError && error.status < 500) return error;
  if (error instanceof ORPCError && error.code in { MAINTENANCE: 0, UNAVAILABLE: 0 }) return error;
  if (error instanceof DatabaseAway || error instanceof StorageAway) return refuse('UNAVAILABLE', { retryAfter: 1 });
  logBug(error);
  return new ORPCError('INTERNAL', { status: 500, message: 'Something went wrong', data: { requestId } });
}
