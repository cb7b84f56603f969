import type { Engines } from '#engines/engines.ts';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { dayMs } from '#kit/time.ts';
import { findAdopted, keepAdopted, listExpected } from './cards-store.ts';
import { moneyNow } from './money-clock.ts';
import { withObjectLock } from './object-lock.ts';
import { doOneByOne } from './one-by-one.ts';

const system = { kind: 'system' } as const;
/** Whoever went to give another card has done so by then, or not at all. */
const givenWithinMs = dayMs;

/** How a subscription is asked about once its card has changed. */
export type SyncOne = (engines: Engines, subscriptionId: string) => Promise<unknown>;

/**
 * Sets the card that a customer gave for everything at each of their subscriptions, and takes what is owed from it: once for each card,
 * however often and by whomever this is called. What is paused or cancelled is not paid.
 */
export async function adoptCard(engines: Engines, customerId: string, syncOne: SyncOne): Promise<void> {
  const { database, payments } = engines;
  const { realm } = payments;
  const changed = await withObjectLock(engines, `card:${customerId}`, async () => {
    const cardId = await payments.findCustomerCard(customerId);
    const before = await database.work(system, (tx) => findAdopted(tx, realm, customerId));
    if (cardId === undefined || cardId === before) return [];
    const subscriptions = await payments.listPaidByCard(customerId);
    for (const { subscriptionId, cardId: own } of subscriptions)
      if (own !== cardId) await payments.setCard(subscriptionId, cardId);
    for (const { subscriptionId, isResting } of subscriptions)
      if (!isResting) await payOwed(engines, subscriptionId, cardId);
    await database.work(system, (tx) => keepAdopted(tx, realm, customerId, cardId));
    return subscriptions;
  });
  for (const { subscriptionId } of changed) await syncOne(engines, subscriptionId);
}

async function payOwed({ payments, log }: Engines, subscriptionId: string, cardId: string): Promise<void> {
  for (const invoiceId of await payments.listOwed(subscriptionId))
    await payments.payOwed(invoiceId, cardId).catch((error: unknown) => {
      if (!(error instanceof PaymentRefused)) throw error;
      // Declined as well: the provider tries it again on its own days.
      log.info({ area: 'money', invoiceId, said: error.message }, 'what is owed was not taken from another card');
    });
}

/** The same for all who went to give another card, of which nobody may have told. @param among left out, all of them */
export async function adoptExpected(engines: Engines, syncOne: SyncOne, among?: readonly string[]): Promise<void> {
  const { database, payments } = engines;
  const since = new Date(moneyNow(engines).getTime() - givenWithinMs);
  const customers = await database.work(system, (tx) => listExpected(tx, payments.realm, { since, among }));
  await doOneByOne(engines, customers, {
    words: 'a card that somebody may have changed could not be asked about',
    act: (customerId) => adoptCard(engines, customerId, syncOne),
    // It is asked again by the next round.
    postpone: async () => undefined,
  });
}
