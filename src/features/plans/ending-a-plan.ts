import type { Engines } from '#engines/engines.ts';
import { PaymentsAway } from '#engines/payments/payments.ts';
import type { Subscription } from '#engines/payments/plan-payments.ts';
import { insertAudit } from '#features/audit/store.ts';
import { expectCard } from '#features/books/cards-store.ts';
import { isUnpaid } from '#features/books/draft-rules.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { refundInvoiceOnce } from '#features/books/refund-once.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import {
  findFirstPaid,
  findPlanRefund,
  insertPlanRefund,
  listUnsettledRefunds,
  settlePlanRefund,
} from './invoices-store.ts';
import { notifyRefund } from './notify-plans.ts';
import { hasPauseBegun } from './pauses/pause-rules.ts';
import { doubtPlan, findPlanOf, type PlanRow } from './plans-store.ts';
import { isLive, moneyBackUntil } from './rules.ts';
import { syncPlan } from './sync-plan.ts';

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

/** Changes a plan by what the provider says of it now: whoever taps twice finds it changed already. @returns whether it was */
export async function changePlan(
  { engines }: CreatorContext,
  subscriptionId: string,
  run: (plan: Subscription) => Promise<boolean>,
): Promise<boolean> {
  return withObjectLock(engines, subscriptionId, async () =>
    run(await engines.payments.findSubscription(subscriptionId)),
  );
}

/** Lets their plan run out at the end of what is paid for, or go on after all; one that is paused, or whose month was not paid, ends now. */
export async function changePlanEnd(context: CreatorContext, isEnding: boolean): Promise<void> {
  const { engines } = context;
  const { subscriptionId } = await livePlan(context);
  const run = isEnding ? cancel : keep;
  if (await changePlan(context, subscriptionId, (plan) => run(engines, plan)))
    await notePlan(context, isEnding ? 'plan.cancelled' : 'plan.resumed');
  await syncPlan(engines, subscriptionId);
}

async function cancel(engines: Engines, plan: Subscription): Promise<boolean> {
  const { payments } = engines;
  const { subscriptionId, isPaused, cancelsAtPeriodEnd } = plan;
  if (!isLive(plan)) return false;
  if (hasPauseBegun(plan, moneyNow(engines)) || (await isPlanUnpaid(engines, plan))) {
    // Nothing is paid for while a plan is paused, so there is nothing to run out.
    await payments.endPlan(subscriptionId);
    return true;
  }
  // Whoever keeps it after all is not surprised by a pause that was to come. It goes first: if the second call fails, the next
  // tap makes it.
  if (isPaused) await payments.resumePlan(subscriptionId);
  if (!cancelsAtPeriodEnd) await payments.setPlanEnding(subscriptionId, true);
  return isPaused || !cancelsAtPeriodEnd;
}

/** The month that runs was never paid: there is nothing to run out, and nothing more is tried. */
const isPlanUnpaid = async ({ payments }: Engines, { status, subscriptionId }: Subscription): Promise<boolean> =>
  isUnpaid(status, await payments.listInvoices(subscriptionId));

async function keep({ payments }: Engines, { subscriptionId, cancelsAtPeriodEnd }: Subscription): Promise<boolean> {
  if (cancelsAtPeriodEnd) await payments.setPlanEnding(subscriptionId, false);
  return cancelsAtPeriodEnd;
}

/** Returns where they give another card; what is known of their plan is asked for again when they come back. */
export async function findCardPage(context: CreatorContext): Promise<string> {
  const { engines } = context;
  const plan = await livePlan(context);
  const url = await engines.payments.cardUrl(
    plan.customerId,
    `${engines.installation.publicUrl}/account/billing?card=back`,
  );
  await context.asSystem(async (tx) => {
    await expectCard(tx, engines.payments.realm, plan.customerId, moneyNow(engines));
    await doubtPlan(tx, plan.id);
  });
  return url;
}

/** The first payment back, once per person, and the plan ends now. @throws CONFLICT */
export async function takeMoneyBack(context: CreatorContext): Promise<void> {
  const { engines, creator, asSystem } = context;
  const { userId } = creator;
  const now = moneyNow(engines);
  const plan = await livePlan(context);
  const isRequested = await asSystem(async (tx) => {
    const used = await findPlanRefund(tx, userId);
    const invoice = await findFirstPaid(tx, plan.id);
    const until = moneyBackUntil({ firstPaidAt: plan.firstPaidAt, isUsed: used !== undefined }, now);
    if (invoice === undefined || until === null) return false;
    const { id: invoiceId, amountCents, currency } = invoice;
    return insertPlanRefund(tx, { userId, planId: plan.id, invoiceId, amountCents, currency, now });
  });
  if (!isRequested) throw refuse('CONFLICT', { message: 'The time for a refund has passed.' });
  await notePlan(context, 'plan.refunded');
  // What the provider does not take now it is asked for again: the request is written down.
  await runPlanRefunds(engines, userId).catch((error: unknown) => {
    if (!(error instanceof PaymentsAway)) throw error;
  });
}

/** Asks the provider for the refunds that are wished for, and ends their plans. What it does not answer now it is asked again. */
export async function runPlanRefunds(engines: Engines, ofUserId?: string): Promise<void> {
  const { database, payments } = engines;
  const unsettled = await database.work(system, (tx) => listUnsettledRefunds(tx, payments.realm, ofUserId));
  for (const { userId, invoiceId, subscriptionId, amountCents, currency } of unsettled) {
    await refundInvoiceOnce(engines, invoiceId, { key: `moneyback:${subscriptionId}` });
    await payments.endPlan(subscriptionId);
    const now = moneyNow(engines);
    await database.work(system, async (tx) => {
      if (await settlePlanRefund(tx, userId, now))
        await notifyRefund(engines, tx, { userId, amountCents, currency, now });
    });
    await syncPlan(engines, subscriptionId);
  }
}
