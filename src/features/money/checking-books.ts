import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { type NotDone, notDone, type Operator } from '#features/audit/operator.ts';
import { insertAudit } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { beginRun, listRuns } from '#features/books/reconcile-store.ts';
import { newId } from '#kit/ids.ts';
import { minuteMs } from '#kit/time.ts';

/** Compares the books because somebody has asked for it. */
export const checkBooksQueue = 'money.checkBooks';
/** A comparison that has not ended by then was cut off. */
export const checkBooksMs = 15 * minuteMs;

/** Has the books compared, in the background. */
export async function checkBooks(
  engines: Pick<Engines, 'jobs' | 'linkClock' | 'payments'>,
  tx: Tx,
  { actor, requestId }: Operator,
): Promise<{ kind: 'done' } | NotDone> {
  const { realm } = engines.payments;
  const startedAt = moneyNow(engines);
  const [last] = await listRuns(tx, realm, 1);
  const isRunning = last?.finishedAt === null && startedAt.getTime() - last.startedAt.getTime() < checkBooksMs;
  if (isRunning) return notDone('A check is under way already.');
  const runId = newId<'run'>(startedAt.getTime());
  await beginRun(tx, { id: runId, realm, startedAt });
  await engines.jobs.send(tx, checkBooksQueue, { runId }, { singletonKey: 'books' });
  await insertAudit(tx, { actor, action: 'books.checked', ...(requestId && { requestId }) });
  return { kind: 'done' };
}
