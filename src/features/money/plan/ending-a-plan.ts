import type { Engines } from '#engines/engines.ts';
import { PaymentsAway } from '#engines/payments/payments.ts';
import { insertAudit } from '#features/audit/store.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import {
  findFirstPaid,
  findPlanRefund,
  insertPlanRefund,
  listUnsettledRefunds,
  settlePlanRefund,
} from './invoices-store.ts';
import { isPausedNow } from './pause-rules.ts';
import { isLive, moneyBackUntil } from './plan-rules.ts';
import { doubtPlan, findPlanOf, type PlanRow } from './plans-store.ts';
import { planNow, projectPlan } from './project-plan.ts';
import { tellRefund } from './telling-plans.ts';

const system = { kind: 'system' } as const;

/** @throws CONFLICT without a plan that goes on, be it paused */
export async function livePlan({ engines, creator }: CreatorContext): Promise<PlanRow> {
  const plan = await findPlanOf(engines.database, engines.payments.realm, creator.userId);
  if (plan === undefined || !isLive(plan))
    throw refuse('CONFLICT', { message: "You don't have a plan that is running." });
  return plan;
}

export async function notePlan({ creator, asSystem, requestId }: CreatorContext, action: string): Promise<void> {
  await asSystem((tx) => insertAudit(tx, { actor: { type: creator.kind, id: creator.userId }, action, requestId }));
}

/** Lets her plan run out at the end of what is paid for, or go on after all; one that is paused ends now. */
export async function changePlanEnd(context: CreatorContext, isEnding: boolean): Promise<void> {
  const { engines } = context;
  const plan = await livePlan(context);
  const { subscriptionId, cancelAtPeriodEnd, isPaused } = plan;
  if (cancelAtPeriodEnd === isEnding) return;
  // Nothing is paid for while a plan is paused, so there is nothing to run out.
  if (isEnding && isPausedNow(plan, planNow(engines))) await engines.payments.endPlan(subscriptionId);
  else await engines.payments.setPlanEnding(subscriptionId, isEnding);
  // Whoever keeps it after all is not surprised by a pause that was to come.
  if (isEnding && isPaused && plan.pausedFrom !== null && plan.pausedFrom > planNow(engines))
    await engines.payments.resumePlan(subscriptionId);
  await notePlan(context, isEnding ? 'plan.cancelled' : 'plan.resumed');
  await projectPlan(engines, subscriptionId);
}

/** Where she gives another card; what is known of her plan is asked for anew when she comes back. */
export async function findCardPage(context: CreatorContext): Promise<string> {
  const { engines } = context;
  const plan = await livePlan(context);
  const url = await engines.payments.cardUrl(
    plan.customerId,
    `${engines.installation.publicUrl}/account/billing?card=back`,
  );
  await context.asSystem((tx) => doubtPlan(tx, plan.id));
  return url;
}

/** The first payment back, once per person, and the plan ends now. @throws CONFLICT */
export async function takeMoneyBack(context: CreatorContext): Promise<void> {
  const { engines, creator, asSystem } = context;
  const { userId } = creator;
  const now = planNow(engines);
  const plan = await livePlan(context);
  const isWished = await asSystem(async (tx) => {
    const used = await findPlanRefund(tx, userId);
    const invoice = await findFirstPaid(tx, plan.id);
    const until = moneyBackUntil({ firstPaidAt: plan.firstPaidAt, isUsed: used !== undefined }, now);
    if (invoice === undefined || until === null) return false;
    const { id: invoiceId, amountCents, currency } = invoice;
    return insertPlanRefund(tx, { userId, planId: plan.id, invoiceId, amountCents, currency, now });
  });
  if (!isWished) throw refuse('CONFLICT', { message: 'The time for a refund has passed.' });
  await notePlan(context, 'plan.refunded');
  // What the provider does not take now it is asked for again: the wish is written down.
  await runPlanRefunds(engines, userId).catch((error: unknown) => {
    if (!(error instanceof PaymentsAway)) throw error;
  });
}

/** Asks the provider for the refunds that are wished for, and ends their plans. What it does not answer now it is asked again. */
export async function runPlanRefunds(engines: Engines, ofUserId?: string): Promise<void> {
  const { database, payments } = engines;
  const wishes = await database.work(system, (tx) => listUnsettledRefunds(tx, payments.realm, ofUserId));
  for (const { userId, invoiceId, subscriptionId, amountCents, currency } of wishes) {
    await payments.refundInvoice(invoiceId, `moneyback:${subscriptionId}`);
    await payments.endPlan(subscriptionId);
    const now = planNow(engines);
    await database.work(system, async (tx) => {
      if (await settlePlanRefund(tx, userId, now))
        await tellRefund(engines, tx, { userId, amountCents, currency, now });
    });
    await projectPlan(engines, subscriptionId);
  }
}
