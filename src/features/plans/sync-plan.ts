import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import type { Invoice, PlanCheckout, Subscription } from '#engines/payments/plan-payments.ts';
import { findDraft, isDraftOver, statusWith } from '#features/books/draft-rules.ts';
import { syncTogether } from '#features/books/ledger-sync.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { refundInvoiceOnce } from '#features/books/refund-once.ts';
import { isPaidLate } from '#features/sales/rules.ts';
import { isUuid, newId } from '#kit/ids.ts';
import { writeInvoice } from './invoices-store.ts';
import { notifyChange, notifyReceipts, notifyRefund } from './notify-plans.ts';
import { notePause } from './pauses/pauses-store.ts';
import {
  findPlanCheckout,
  findPlanCheckoutOfSession,
  type PlanCheckoutRow,
  settlePlanCheckout,
} from './plan-checkouts-store.ts';
import { findPayer, findPlan, type PlanRow, writePlan, writePlanStatus } from './plans-store.ts';

const system = { kind: 'system' } as const;
/** Lost to somebody who was quicker, so often that something else is wrong. */
const mostRounds = 20;

/**
 * Asks the provider what became of a checkout of a plan, and writes it down with the plan that came of it. Repeating it changes
 * nothing; it is right whenever, however often and by whomever it is called.
 * @returns the checkout as it is now; undefined when it is none of ours
 */
export async function syncPlanSession(engines: Engines, sessionId: string): Promise<PlanCheckoutRow | undefined> {
  const { database, payments } = engines;
  const find = () => findPlanCheckoutOfSession(database, payments.realm, sessionId);
  const known = await find();
  if (known === undefined) return undefined;
  const subscriptionId = await withObjectLock(engines, sessionId, async () => {
    const checkout = await findEnded(engines, known, sessionId);
    await database.work(system, (tx) => settlePlanCheckout(tx, known.id, checkout.state, checkout.subscriptionId));
    return checkout.subscriptionId;
  });
  if (subscriptionId !== undefined) await syncPlan(engines, subscriptionId);
  return find();
}

/** What is not for sale to this account any more must not be taken any more. */
async function findEnded(
  { payments }: Engines,
  { endedAt }: PlanCheckoutRow,
  sessionId: string,
): Promise<PlanCheckout> {
  const checkout = await payments.findPlanCheckout(sessionId);
  if (endedAt === null || checkout.state !== 'open') return checkout;
  await payments.expireCheckout(sessionId);
  return payments.findPlanCheckout(sessionId);
}

/** A plan that was taken when it was not for sale any more ends, and what was paid for it goes back; each once, however often this is called. */
async function returnLate(engines: Engines, subscriptionId: string, invoices: readonly Invoice[]): Promise<void> {
  for (const { invoiceId, paidCents } of invoices)
    if (paidCents > 0) await refundInvoiceOnce(engines, invoiceId, { key: `late:${invoiceId}` });
  await engines.payments.endPlan(subscriptionId);
}

/** Asks the provider how a plan stands and writes it down, with its bills, its mails and what it gives access to. */
export async function syncPlan(engines: Engines, subscriptionId: string): Promise<PlanRow | undefined> {
  const { database, payments } = engines;
  const plan = await withObjectLock(engines, subscriptionId, async () => {
    for (let round = 0; round < mostRounds; round++) {
      const known = await findPlan(database, payments.realm, subscriptionId);
      const subscription = await payments.findSubscription(subscriptionId);
      const invoices = await payments.listInvoices(subscriptionId);
      const written = await database.work(system, (tx) => write(engines, tx, { known, subscription, invoices }));
      if (written === 'nobodys') return undefined;
      if (written === 'late') await returnLate(engines, subscriptionId, invoices);
      if (written === 'unbilled') await payments.endPlan(subscriptionId);
      if (written === 'written') return findPlan(database, payments.realm, subscriptionId);
    }
    throw new Error('A plan was changed by somebody else again and again.');
  });
  if (plan?.firstPaidAt != null) await syncTogether(engines);
  return plan;
}

interface Facts {
  known: PlanRow | undefined;
  subscription: Subscription;
  invoices: readonly Invoice[];
}

type Written = 'written' | 'nobodys' | 'again' | 'late' | 'unbilled';

async function write(engines: Engines, tx: Tx, facts: Facts): Promise<Written> {
  const { known, invoices } = facts;
  const { payments } = engines;
  const draft = findDraft(facts.subscription, invoices);
  const subscription = {
    ...facts.subscription,
    status: statusWith(facts.subscription.status, draft, moneyNow(engines)),
  };
  const checkout = await checkoutOf(tx, subscription);
  if (known === undefined && checkout === undefined) return 'nobodys';
  const now = moneyNow(engines);
  const paidAt = firstPaidAt(invoices);
  const { amountCents, currency } = known ?? checkout ?? { amountCents: 0, currency: 'usd' };
  const payer = checkout && paidAt && checkout.userId === null ? await findPayer(tx, checkout.email) : undefined;
  const plan = await writePlan(tx, {
    id: newId<'plan'>(now.getTime()),
    realm: payments.realm,
    subscription,
    draft,
    amountCents,
    currency,
    now,
    userId: checkout?.userId ?? payer ?? null,
    checkoutId: checkout?.id ?? null,
    firstPaidAt: paidAt,
    version: known?.syncedVersion,
  });
  if (plan === undefined) return 'again';
  for (const invoice of invoices) await writeInvoice(tx, plan.id, invoice);
  await notePause(tx, plan.id, subscription, now);
  const { userId } = plan;
  const done = isDraftOver(draft, now) ? 'unbilled' : 'written';
  if (userId === null) return done;
  if (isPaidLate(checkout?.endedAt ?? null, subscription.createdAt))
    return writeLate(engines, tx, { ...facts, userId, currency, now });
  if (await writePlanStatus(tx, payments.realm, userId, now))
    await tx.publish({ kind: 'plan.changed', creatorId: userId });
  await notifyReceipts(engines, tx, { planId: plan.id, userId, now });
  const nextAttemptAt = invoices.find((invoice) => invoice.nextAttemptAt !== undefined)?.nextAttemptAt;
  await notifyChange(engines, tx, {
    userId,
    before: known,
    after: subscription,
    amountCents,
    currency,
    nextAttemptAt,
    draft,
    now,
  });
  return done;
}

/** A plan that came too late gives access to nothing, and its buyer hears only of the refund. */
async function writeLate(
  engines: Engines,
  tx: Tx,
  { known, subscription, invoices, userId, currency, now }: Facts & { userId: string; currency: string; now: Date },
): Promise<'written' | 'late'> {
  const amountCents = invoices.reduce((sum, { paidCents }) => sum + paidCents, 0);
  if (known === undefined && amountCents > 0) await notifyRefund(engines, tx, { userId, amountCents, currency, now });
  return subscription.endedAt === undefined ? 'late' : 'written';
}

/** The checkout by which a plan was taken, as the provider names it. */
async function checkoutOf(tx: Tx, { orderId }: Subscription): Promise<PlanCheckoutRow | undefined> {
  return orderId !== undefined && isUuid(orderId) ? findPlanCheckout(tx, orderId) : undefined;
}

function firstPaidAt(invoices: readonly Invoice[]): Date | undefined {
  const paid = invoices.flatMap(({ paidAt, paidCents }) => (paidAt !== undefined && paidCents > 0 ? [paidAt] : []));
  return paid.sort((a, b) => a.getTime() - b.getTime())[0];
}
