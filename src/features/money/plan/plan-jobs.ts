import type { Engines } from '#engines/engines.ts';
import { dayMs } from '#kit/time.ts';
import { mailPayersWhoLeft } from './arriving.ts';
import { runPlanRefunds } from './ending-a-plan.ts';
import { listOpenPlanSessions } from './plan-checkouts-store.ts';
import { mailableMs, quietMs } from './plan-rules.ts';
import { listOverduePlans } from './plans-store.ts';
import { planNow, projectPlan, projectPlanSession } from './project-plan.ts';
import { announceRenewals } from './telling-plans.ts';

const system = { kind: 'system' } as const;

/** Asks about every plan of which something should have been told. It needs no webhook at all. */
export async function settlePlans(engines: Engines, quiet = quietMs): Promise<void> {
  const { database, payments } = engines;
  if (payments.isOff) return;
  const now = planNow(engines);
  const before = new Date(now.getTime() - quiet);
  const long = new Date(now.getTime() - dayMs);
  for (const sessionId of await database.work(system, (tx) => listOpenPlanSessions(tx, payments.realm, before)))
    await projectPlanSession(engines, sessionId);
  await mailPayersWhoLeft(engines, { after: new Date(now.getTime() - mailableMs), before });
  for (const id of await database.work(system, (tx) => listOverduePlans(tx, payments.realm, { now, before, long })))
    await projectPlan(engines, id);
  await runPlanRefunds(engines);
  await announceRenewals(engines, planNow(engines));
}
