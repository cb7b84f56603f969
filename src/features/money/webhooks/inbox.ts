import type { Engines } from '#engines/engines.ts';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { moneyNow, projectObject } from '../project.ts';
import { settleEvent, takeEvents } from './inbox-store.ts';

const system = { kind: 'system' } as const;
const atOnce = 20;

/**
 * Acts upon the events that have arrived: of each only what it is about is believed, and the provider is asked how that stands
 * now. Late, doubled and reordered events come to the same.
 */
export async function workInbox(engines: Engines): Promise<void> {
  const { database, payments } = engines;
  for (;;) {
    const now = moneyNow(engines);
    const events = await database.work(system, (tx) => takeEvents(tx, payments.realm, now, atOnce));
    if (events.length === 0) return;
    await Promise.all(events.map(({ eventId, objectId }) => act(engines, eventId, objectId)));
  }
}

async function act(engines: Engines, eventId: string, objectId: string): Promise<void> {
  const { database, log } = engines;
  const settle = (at: Date | null, error: string | null) =>
    database.work(system, (tx) => settleEvent(tx, eventId, at, error));
  try {
    const isKnown = await projectObject(engines, objectId);
    // An object that nobody knows yet may be known in a moment: such an event is not lost, it comes again.
    await settle(isKnown ? moneyNow(engines) : null, isKnown ? null : 'nothing of ours is known by this name yet');
  } catch (error) {
    const isNobodys = error instanceof PaymentRefused && error.why === 'unknown';
    if (!isNobodys) log.warn({ area: 'money', err: error }, 'an event could not be acted upon yet');
    await settle(null, error instanceof Error ? error.message.slice(0, 300) : String(error));
  }
}
