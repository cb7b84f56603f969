import { ORPCError, ValidationError } from '@orpc/server';
import { DatabaseAway } from '#engines/database/away.ts';
import type { Log } from '#engines/engines.ts';
import { PaymentsAway } from '#engines/payments/payments.ts';
import { StorageAway } from '#engines/storage/storage.ts';
import { refuse } from './refusals.ts';

interface Issue {
  readonly message: string;
  readonly path?: readonly unknown[];
}

/** Failures that are not further apart are one outage. */
const outageMs = 60_000;
/** When each thing that is away was last missed, by the log that was told. */
const missedAtMs = new WeakMap<object, Map<string, number>>();

/** Says once per outage that the database or the store is away: each of a thousand refused calls would say the same. */
function noteAway(error: DatabaseAway | StorageAway, requestId: string, log: Pick<Log, 'warn'>): void {
  const known = missedAtMs.get(log) ?? new Map<string, number>();
  missedAtMs.set(log, known);
  const [now, before] = [performance.now(), known.get(error.name)];
  known.set(error.name, now);
  if (before === undefined || now - before > outageMs)
    log.warn({ requestId, err: error }, `${error instanceof DatabaseAway ? 'the database' : 'the store'} is away`);
}

/** The machine or the process can open nothing more just now: no fault of the call. */
const isOutOfFiles = (error: unknown): boolean =>
  ['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException | null)?.code ?? '');

/**
 * Returns what leaves the server when a call fails: malformed input is 422 with its field, a refusal is itself, a database or
 * store that is away is 503, and everything else is a bug that shows its request id and nothing more.
 */
export function refusalOf(
  error: unknown,
  requestId: string,
  log: Pick<Log, 'warn' | 'error'>,
  words = 'a bug',
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
  if (error instanceof ORPCError && error.code in { MAINTENANCE: 0, UNAVAILABLE: 0, PROVIDER_DOWN: 0 }) return error;
  if (error instanceof DatabaseAway || error instanceof StorageAway) {
    noteAway(error, requestId, log);
    return refuse('UNAVAILABLE', { retryAfter: 1 });
  }
  if (isOutOfFiles(error)) {
    log.warn({ requestId, err: error }, 'too many files are open');
    return refuse('UNAVAILABLE', { retryAfter: 1 });
  }
  if (error instanceof PaymentsAway) {
    log.warn({ requestId, err: error }, 'the payment provider is away');
    return refuse('PROVIDER_DOWN', { retryAfter: 5 });
  }
  log.error({ requestId, err: error }, words);
  return new ORPCError('INTERNAL', { status: 500, message: 'Something went wrong', data: { requestId } });
}
