import type { Engines } from '#engines/engines.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { unusedCents } from '#features/orders/fan-rules.ts';
import { insertRefund } from '#features/orders/refunds-store.ts';
import { refundOnLeavingMs, takenDownNote } from '#features/orders/rules.ts';
import { syncFan } from '#features/orders/sync-fan.ts';
import { runRefunds } from '#features/returns/refunding.ts';
import { newId } from '#kit/ids.ts';
import { holdRunningTime, keepCut, type RunningTime } from './cut-short-store.ts';

const system = { kind: 'system' } as const;

/**
 * Ends a subscription now that nobody offers any more. Where its creator is suspended or gone, or we removed after a report all that
 * it opened, what was paid for the time that is left goes back, once, however often this is called.
 */
export async function endNow(engines: Engines, subscriptionId: string): Promise<void> {
  await syncFan(engines, subscriptionId);
  const orderId = await requestRefund(engines, subscriptionId);
  await engines.payments.endPlan(subscriptionId);
  await syncFan(engines, subscriptionId);
  if (orderId !== undefined) await runRefunds(engines, orderId);
}

/** @returns the order of which something goes back */
const requestRefund = (
  { database, payments, ...engines }: Engines,
  subscriptionId: string,
): Promise<string | undefined> =>
  database.work(system, async (tx) => {
    const now = moneyNow(engines);
    const time = await holdRunningTime(tx, payments.realm, subscriptionId, now);
    if (time === undefined) return undefined;
    const cents = backOf(time, now);
    const { fanId, orderId } = time;
    const why =
      time.why === 'removed'
        ? ({ reason: 'platform_decision', note: takenDownNote } as const)
        : ({ reason: 'access_revoked', note: '', cause: time.why === 'left' ? 'creator_left' : 'suspended' } as const);
    // The email about the subscription's end says what goes back.
    const params = { id: newId<'refund'>(now.getTime()), orderId, ...why, isTold: true };
    const isRequested =
      cents > 0 && (await insertRefund(tx, { ...params, amountCents: cents, by: { kind: 'system' }, now }));
    if (!isRequested) return undefined;
    await keepCut(tx, fanId, cents);
    return orderId;
  });

/** Who leaves gives back all of what was paid in the last month, as for everything that they sold. */
function backOf(time: RunningTime, now: Date): number {
  const isRecent = now.getTime() - time.paidAt.getTime() < refundOnLeavingMs;
  return time.why === 'left' && isRecent ? time.amountCents - time.refundedCents : unusedCents(time, now);
}
