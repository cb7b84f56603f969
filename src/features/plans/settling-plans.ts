import type { Engines } from '#engines/engines.ts';
import { draftedMs } from '#features/books/draft-rules.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { doOneByOne } from '#features/books/one-by-one.ts';
import { dayMs } from '#kit/time.ts';
import { mailPayersWhoLeft } from './checkouts/arriving.ts';
import { runPlanRefunds } from './ending-a-plan.ts';
import { announceRenewals } from './notify-plans.ts';
import { listOpenPlanSessions } from './plan-checkouts-store.ts';
import { listOverduePlans } from './plans-store.ts';
import { endUnbilled, finalizePlans } from './renewing-plans.ts';
import { mailableMs, quietMs } from './rules.ts';
import { syncPlan, syncPlanSession } from './sync-plan.ts';

const system = { kind: 'system' } as const;
/** What could not be asked about is asked again by the next round. */
const postpone = async (): Promise<void> => undefined;

/** Asks about every plan of which something should have been told. It needs no webhook at all. */
export async function settlePlans(engines: Engines, quiet = quietMs): Promise<void> {
  const { database, payments } = engines;
  if (payments.isOff) return;
  const now = moneyNow(engines);
  const before = new Date(now.getTime() - quiet);
  const long = new Date(now.getTime() - dayMs);
  await endUnbilled(engines, now);
  await doOneByOne(engines, await database.work(system, (tx) => listOpenPlanSessions(tx, payments.realm, before)), {
    words: 'a checkout of a plan could not be asked about',
    act: (sessionId) => syncPlanSession(engines, sessionId),
    postpone,
  });
  await mailPayersWhoLeft(engines, { after: new Date(now.getTime() - mailableMs), before });
  const times = { now, before, long, drafted: new Date(now.getTime() - draftedMs) };
  await doOneByOne(engines, await database.work(system, (tx) => listOverduePlans(tx, payments.realm, times)), {
    words: 'a plan could not be asked about',
    act: (id) => syncPlan(engines, id),
    postpone,
  });
  await finalizePlans(engines, now);
  await runPlanRefunds(engines);
  await announceRenewals(engines, moneyNow(engines));
}
