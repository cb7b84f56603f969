import type { Engines } from '#engines/engines.ts';
import { isUnpaid } from '#features/books/draft-rules.ts';
import { withObjectLock } from '#features/books/object-lock.ts';

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
