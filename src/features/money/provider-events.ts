import type { Engines } from '#engines/engines.ts';
import { type NotDone, notDone, type Operator } from '#features/audit/operator.ts';
import { insertAudit } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { wakeInbox } from './webhooks/inbox.ts';
import { findLastReceived, listWaitingEvents, makeDueAgain } from './webhooks/inbox-store.ts';

const system = { kind: 'system' } as const;

/** Lists what the provider has told and nobody could act upon yet, and says when it told something last. */
export const listProviderEvents = (
  { database, payments }: Pick<Engines, 'database' | 'payments'>,
  range: { limit: number; offset: number },
) =>
  database.work(system, async (tx) => ({
    events: await listWaitingEvents(tx, payments.realm, range),
    lastReceivedAt: await findLastReceived(tx, payments.realm),
  }));

/** Acts upon an event once more. Only what it is about is believed, so twice is once. @returns undefined for one that never came */
export async function replayEvent(
  engines: Engines,
  eventId: string,
  { actor, requestId }: Operator,
): Promise<{ kind: 'done' } | NotDone | undefined> {
  const { database, payments } = engines;
  const now = moneyNow(engines);
  const outcome = await database.work(system, async (tx) => {
    const event = await makeDueAgain(tx, payments.realm, eventId, now);
    if (event === undefined) return undefined;
    if (!event.isTakenAgain) return notDone('It is older than 30 days: what it was about is asked for anyway.');
    const details = { event: eventId, type: event.type };
    await insertAudit(tx, { actor, action: 'event.replayed', details, ...(requestId && { requestId }) });
    return { kind: 'done' } as const;
  });
  if (outcome?.kind === 'done') wakeInbox(engines);
  return outcome;
}
