import type { Engines } from '#engines/engines.ts';
import type { Subscription } from '#engines/payments/plan-payments.ts';
import { callOnce } from '#features/books/call-once.ts';
import { findDraft } from '#features/books/draft-rules.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { changePlan, livePlan, notePlan } from '../ending-a-plan.ts';
import { syncPlan } from '../sync-plan.ts';
import { findPauseFault, listPauses } from './pause-rules.ts';
import { listPausesOf } from './pauses-store.ts';

/** Pauses their plan for some months from the end of what is paid for. @throws CONFLICT */
export async function pausePlan(context: CreatorContext, months: number): Promise<void> {
  const { engines } = context;
  const { subscriptionId } = await livePlan(context);
  const isNew = await changePlan(context, subscriptionId, (plan) => pause(context, plan, months));
  if (isNew) await notePlan(context, 'plan.paused');
  await syncPlan(engines, subscriptionId);
}

async function pause({ engines, creator }: CreatorContext, plan: Subscription, months: number): Promise<boolean> {
  const { payments, database } = engines;
  const { subscriptionId, status, isPaused, cancelsAtPeriodEnd: cancelAtPeriodEnd, periodEndsAt, anchoredAt } = plan;
  const isUncharged = findDraft(plan, await payments.listInvoices(subscriptionId)) !== undefined;
  const facts = {
    isUncharged,
    status,
    isPaused: false,
    cancelAtPeriodEnd,
    periodEnd: periodEndsAt ?? null,
    anchoredAt,
  };
  const now = moneyNow(engines);
  const used = await listPausesOf(database, payments.realm, creator.userId);
  // What this pause itself uses is not in its own way.
  const before = used.filter(({ startsAt }) => startsAt.getTime() !== periodEndsAt?.getTime());
  const chosen = listPauses(facts, before, now).find((one) => one.months === months);
  if (isPaused && chosen?.until.getTime() === plan.pausedUntil?.getTime()) return false;
  const message = findPauseFault({ ...facts, isPaused }, now);
  if (message !== undefined) throw refuse('CONFLICT', { message });
  if (chosen === undefined || periodEndsAt === undefined)
    throw refuse('CONFLICT', { message: 'A plan can be paused for three months in any twelve.' });
  await payments.pausePlan(subscriptionId, { from: periodEndsAt, until: chosen.until });
  return true;
}

/** Takes a pause back before it begins, or ends it: then a month is paid for that begins now. @throws CONFLICT */
export async function endPause(context: CreatorContext): Promise<void> {
  const { engines } = context;
  const { subscriptionId } = await livePlan(context);
  const isNew = await changePlan(context, subscriptionId, (plan) => resume(engines, plan));
  if (isNew) await notePlan(context, 'plan.unpaused');
  await syncPlan(engines, subscriptionId);
}

async function resume(engines: Engines, plan: Subscription): Promise<boolean> {
  const { subscriptionId, isPaused, pausedFrom, periodStartsAt } = plan;
  if (!isPaused) return false;
  // Not by the clock: whether a month was begun that nobody paid for is what the provider says.
  const hasBegun = pausedFrom !== undefined && periodStartsAt !== undefined && periodStartsAt >= pausedFrom;
  if (!hasBegun) {
    await engines.payments.resumePlan(subscriptionId);
    return true;
  }
  const key = `resume:${subscriptionId}:${periodStartsAt.getTime()}`;
  return callOnce(engines, {
    name: key,
    // That it is paused was asked just now.
    find: async () => undefined,
    async make(refusals) {
      await engines.payments.resumePlan(subscriptionId, { key, refusals });
      return true;
    },
  });
}
