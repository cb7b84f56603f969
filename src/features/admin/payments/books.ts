import { operatorOf } from '#features/audit/operator.ts';
import { listRuns } from '#features/books/reconcile-store.ts';
import { checkBooks as check } from '#features/money/checking-books.ts';
import { listProviderEvents, replayEvent as replay } from '#features/money/provider-events.ts';
import type { AdminContext } from '#wire/context.ts';
import { listNegative } from './books-store.ts';
import { requireDone } from './orders.ts';

const pageSize = 50;
const mostChecks = 5;
const mostNegative = 100;

/** Lists what the provider has told and nobody could act upon yet. */
export async function showEvents({ engines }: AdminContext, page: number) {
  const range = { limit: pageSize + 1, offset: page * pageSize };
  const { events, lastReceivedAt } = await listProviderEvents(engines, range);
  return { events: events.slice(0, pageSize), hasMore: events.length > pageSize, lastReceivedAt };
}

/** @throws NOT_FOUND, CONFLICT */
export async function replayEvent(context: AdminContext, eventId: string): Promise<void> {
  requireDone(await replay(context.engines, eventId, operatorOf(context)));
}

/** Shows the last comparisons of the books, and who owes the platform. */
export const showBooks = ({ asSystem, engines: { payments } }: AdminContext) =>
  asSystem(async (tx) => ({
    checks: await listRuns(tx, payments.realm, mostChecks),
    negative: await listNegative(tx, payments.realm, mostNegative),
  }));

/** Has the books compared. @throws CONFLICT while they are */
export async function checkBooks(context: AdminContext): Promise<void> {
  const { asSystem, engines } = context;
  requireDone(await asSystem((tx) => check(engines, tx, operatorOf(context))));
}
