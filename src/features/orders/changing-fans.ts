import type { Engines } from '#engines/engines.ts';
import { expectCard } from '#features/books/cards-store.ts';
import { isUnpaid } from '#features/books/draft-rules.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { refuse } from '#wire/refusals.ts';
import { isRunning, termCents } from './fan-rules.ts';
import { findTier } from './fan-tiers-store.ts';
import type { FanRow } from './fans-store.ts';
import { syncFan } from './sync-fan.ts';

type Paid = FanRow & { subscriptionId: string; customerId: string };

/** @throws CONFLICT where nothing is paid every month any more */
function paidOf(engines: Engines, fan: FanRow): Paid {
  const { subscriptionId, customerId } = fan;
  if (subscriptionId === null || customerId === null || !isRunning(fan, moneyNow(engines)))
    throw refuse('CONFLICT', { message: 'This subscription has ended.' });
  return { ...fan, subscriptionId, customerId };
}

/** Lets a subscription run out at the end of what is paid for, or go on after all. Whoever calls has asked whose it is. */
export async function changeFanEnd(engines: Engines, fan: FanRow, isEnding: boolean): Promise<void> {
  const { subscriptionId, cancelAtPeriodEnd, tierId } = paidOf(engines, fan);
  if (cancelAtPeriodEnd === isEnding) return;
  if (isEnding) {
    await endRenewal(engines, subscriptionId);
    await syncFan(engines, subscriptionId);
    return;
  }
  const tier = tierId === null ? undefined : await findTier(engines.database, tierId);
  if (tier === undefined || tier.stoppedAt !== null)
    throw refuse('CONFLICT', { message: "The creator doesn't offer this subscription any more." });
  await engines.payments.setPlanEnding(subscriptionId, false);
  await syncFan(engines, subscriptionId);
}

/** From the next renewal on it costs what new subscribers pay. @param priceCents as its subscriber saw it */
export async function agreeToPrice(engines: Engines, fan: FanRow, priceCents: number): Promise<void> {
  const { subscriptionId, currency, tierId, months } = paidOf(engines, fan);
  const tier = tierId === null ? undefined : await findTier(engines.database, tierId);
  if (tier === undefined || tier.stoppedAt !== null || termCents(tier, months) !== priceCents)
    throw refuse('PRICE_CHANGED');
  await engines.payments.setPrice(subscriptionId, { amountCents: priceCents, currency, months });
  await syncFan(engines, subscriptionId);
}

/** Returns where another card is given; what is owed is taken from it at once. */
export async function findFanCardPage(engines: Engines, fan: FanRow): Promise<string> {
  const { database, payments } = engines;
  const { customerId } = paidOf(engines, fan);
  const now = moneyNow(engines);
  await database.work({ kind: 'system' }, (tx) => expectCard(tx, payments.realm, customerId, now));
  return payments.cardUrl(customerId, `${engines.installation.publicUrl}/my?card=back`);
}

/**
 * Lets a subscription run out at the end of what was paid for, by what the provider says of it now. Where the period that runs was
 * not paid there is nothing to run out: it ends at once, and nothing more is tried.
 */
export const endRenewal = (engines: Engines, subscriptionId: string): Promise<void> =>
  withObjectLock(engines, subscriptionId, async () => {
    const { payments } = engines;
    const { status, cancelsAtPeriodEnd, endedAt } = await payments.findSubscription(subscriptionId);
    if (endedAt !== undefined) return;
    if (isUnpaid(status, await payments.listInvoices(subscriptionId))) return payments.endPlan(subscriptionId);
    if (!cancelsAtPeriodEnd) await payments.setPlanEnding(subscriptionId, true);
  });
