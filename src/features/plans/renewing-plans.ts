import type { Engines } from '#engines/engines.ts';
import { finalizeDraft } from '#features/books/finalizing-draft.ts';
import { doOneByOne } from '#features/books/one-by-one.ts';
import { dayMs } from '#kit/time.ts';
import { writePlanStatus } from './plans-store.ts';
import { listUnbilledUsers, listUnfinalized, noteFinalizing } from './renewals-store.ts';
import { syncPlan } from './sync-plan.ts';

const system = { kind: 'system' } as const;
/** A bill that could not be made final is tried again so often: its cause is for somebody to mend. */
const againMs = dayMs;

/** Ends access by plans whose renewal was never charged, also while the provider does not answer. */
export const endUnbilled = ({ database, payments }: Engines, now: Date): Promise<void> =>
  database.work(system, async (tx) => {
    for (const userId of await listUnbilledUsers(tx, payments.realm, now))
      if (await writePlanStatus(tx, payments.realm, userId, now))
        await tx.publish({ kind: 'plan.changed', creatorId: userId });
  });

/** Tries again to make final what could not be made so: once a day each. */
export async function finalizePlans(engines: Engines, now: Date): Promise<void> {
  const { database, payments } = engines;
  const again = new Date(now.getTime() + againMs);
  const { realm } = payments;
  await doOneByOne(engines, await database.work(system, (tx) => listUnfinalized(tx, realm, now)), {
    words: 'the bill of a plan could not be made final',
    async act({ subscriptionId, invoiceId }) {
      await database.work(system, (tx) => noteFinalizing(tx, realm, subscriptionId, again));
      await finalizeDraft(engines, subscriptionId, invoiceId);
      await syncPlan(engines, subscriptionId);
    },
    // It is taken again after a day.
    postpone: async () => undefined,
  });
}
