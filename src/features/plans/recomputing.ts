import type { Engines } from '#engines/engines.ts';
import { findSubscriptionStatus } from '#features/accounts/rules.ts';
import { findMe } from '#features/accounts/store.ts';
import { type NotDone, notDone, type Operator } from '#features/audit/operator.ts';
import { hashKey, insertAudit, takeRate } from '#features/audit/store.ts';
import type { KnownPlanState, Recomputed } from './contract.ts';
import { findOpenPlanCheckout } from './plan-checkouts-store.ts';
import { findPlanOf } from './plans-store.ts';
import { askPlan } from './showing-a-plan.ts';
import { syncPlanSession } from './sync-plan.ts';

const system = { kind: 'system' } as const;
/** So often the provider is asked about one account because somebody at the desk wants to know. */
const askedRate = { limit: 6, windowSeconds: 600 };

/** The provider was asked about this account so often that it is not asked now. */
export interface AskedTooOften {
  kind: 'too_often';
  retryAfterSeconds: number;
}

/**
 * Asks the provider how somebody's plan stands, however new what is known is, and writes down what it says.
 * @throws PaymentsAway
 */
export async function recomputePlan(
  engines: Engines,
  userId: string,
  by: Operator,
): Promise<({ kind: 'done' } & Recomputed) | NotDone | AskedTooOften> {
  const { database, payments, keys, clock } = engines;
  if (payments.isOff) return notDone('Payments are off here, so there is nobody to ask.');
  const found = await database.work(system, async (tx) => ({
    plan: await findPlanOf(tx, payments.realm, userId),
    checkout: await findOpenPlanCheckout(tx, payments.realm, userId),
  }));
  const sessionId = found.checkout?.sessionId ?? undefined;
  if (found.plan === undefined && sessionId === undefined)
    return notDone('They have never taken a plan, so the provider knows nothing of them.');
  const key = hashKey(keys, 'recompute_plan', userId);
  const rate = await database.work(system, (tx) => takeRate(tx, { key, ...askedRate, now: new Date(clock()) }));
  if (rate.isOver) return { kind: 'too_often', retryAfterSeconds: rate.retryAfterSeconds };
  const before = await readKnownState(engines, userId);
  if (sessionId !== undefined) await syncPlanSession(engines, sessionId);
  if (found.plan !== undefined) await askPlan(engines, found.plan);
  const after = await readKnownState(engines, userId);
  const details = { before: before.status, after: after.status };
  const target = { type: 'user', id: userId };
  await database.work(system, (tx) => insertAudit(tx, { ...by, action: 'plan.recomputed', target, details }));
  return { kind: 'done', before, after };
}

/** How a plan stands by what is written here. */
async function readKnownState({ database, payments, clock }: Engines, userId: string): Promise<KnownPlanState> {
  const [me, plan] = await Promise.all([findMe(database, userId), findPlanOf(database, payments.realm, userId)]);
  return {
    status: me === undefined ? null : findSubscriptionStatus(me, new Date(clock())),
    isPaused: me?.planIsPaused ?? false,
    trialEnd: plan?.trialEnd ?? me?.trialEndsAt ?? null,
    periodEnd: plan?.periodEnd ?? null,
    cancelAtPeriodEnd: plan?.cancelAtPeriodEnd ?? false,
  };
}
