import type { Engines } from '#engines/engines.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { findPlanOf } from '#features/plans/plans-store.ts';
import { isLive } from '#features/plans/rules.ts';
import { syncPlan } from '#features/plans/sync-plan.ts';
import { findDeletionOf } from './deletions-store.ts';

/** Has the plan of an account that is to be deleted run out, as soon as its transaction has committed. */
export const stopPlanQueue = 'privacy.stopPlan';

/** Lets the plan of an account that is leaving run out at the provider; one that is being erased ends at once. Safe to repeat. */
export async function stopPlan(engines: Engines, userId: string): Promise<void> {
  const { database, payments } = engines;
  const deletion = await database.work({ kind: 'system' }, (tx) => findDeletionOf(tx, userId));
  if (deletion === undefined || deletion.state === 'kept') return;
  const known = await findPlanOf(database, payments.realm, userId);
  if (known === undefined || !isLive(known)) return;
  const { subscriptionId } = known;
  await withObjectLock(engines, subscriptionId, async () => {
    const plan = await payments.findSubscription(subscriptionId);
    if (!isLive(plan)) return;
    if (deletion.state !== 'waiting') await payments.endPlan(subscriptionId);
    else if (!plan.cancelsAtPeriodEnd) await payments.setPlanEnding(subscriptionId, true);
  });
  await syncPlan(engines, subscriptionId);
}
