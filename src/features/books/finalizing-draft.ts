import type { Engines } from '#engines/engines.ts';
import { findDraft, isDraftOver } from './draft-rules.ts';
import { moneyNow } from './money-clock.ts';
import { withObjectLock } from './object-lock.ts';

/**
 * Tries again to make the bill of a renewal final, which charges it: only where it is still waited for, as the provider says under
 * the lock under which it is cancelled as well. @throws PaymentRefused where it can't be made final
 */
export const finalizeDraft = (engines: Engines, subscriptionId: string, invoiceId: string): Promise<void> =>
  withObjectLock(engines, subscriptionId, async () => {
    const { payments } = engines;
    const subscription = await payments.findSubscription(subscriptionId);
    const draft = findDraft(subscription, await payments.listInvoices(subscriptionId));
    const isWanted = draft?.invoiceId === invoiceId && !subscription.cancelsAtPeriodEnd;
    if (isWanted && !isDraftOver(draft, moneyNow(engines))) await payments.finalizeInvoice(invoiceId);
  });
