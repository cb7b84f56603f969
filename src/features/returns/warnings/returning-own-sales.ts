import type { Engines } from '#engines/engines.ts';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { refundInvoiceOnce } from '#features/books/refund-once.ts';
import { runPackRefunds } from '#features/orders/packs.ts';
import { findPack, type PackRow, requestFullPackRefund } from '#features/orders/packs-store.ts';
import { findBilledPlan, notePlanReturned, noteReturned } from '#features/plans/invoices-store.ts';
import { notifyRefund } from '#features/plans/notify-plans.ts';
import { syncPlan } from '#features/plans/sync-plan.ts';
import { markReturned, type WarningRow } from './warnings-store.ts';

const system = { kind: 'system' } as const;

/** Gives all of a pack of credits back; its credits go with it, also those that are spent already. @returns whether the provider refused it */
export async function returnPack(engines: Engines, row: WarningRow, { id, userId }: PackRow): Promise<boolean> {
  const { database } = engines;
  // What was asked back before goes first.
  if (row.returnedAt === null) await runPackRefunds(engines, id);
  const requested = await database.work(system, async (tx) => {
    if (row.returnedAt !== null) return 'wished';
    const said = await requestFullPackRefund(tx, id);
    if (said === 'wished') await markReturned(tx, row.id, moneyNow(engines));
    if (said === 'wished' && userId !== null) await tx.publish({ kind: 'credits.changed', creatorId: userId });
    return said;
  });
  if (requested === 'later') throw new Error('A part of this pack is on its way back.');
  if (requested === 'wished') await runPackRefunds(engines, id);
  return (await database.work(system, (tx) => findPack(tx, id)))?.backState === 'failed';
}

/** Gives a month of a creator's plan back, and ends the plan. @returns whether the provider refused it */
export async function returnPlan(engines: Engines, row: WarningRow): Promise<boolean> {
  const { database, payments, log } = engines;
  const invoiceId = await payments.findInvoiceOf(row.chargeId);
  const plan = invoiceId && (await database.work(system, (tx) => findBilledPlan(tx, payments.realm, invoiceId)));
  // Nobody has anything of what is not known here.
  if (!invoiceId || !plan) return true;
  const { planId, subscriptionId, userId, currency } = plan;
  await database.work(system, async (tx) => {
    await markReturned(tx, row.id, moneyNow(engines));
    await notePlanReturned(tx, planId, moneyNow(engines));
  });
  const isBack = await refundInvoiceOnce(engines, invoiceId, { key: `fraud:${row.id}`, reason: 'fraudulent' }).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof PaymentRefused)) throw error;
      // What a bank has by now is not given back as well.
      if (error.why !== 'disputed') log.error({ area: 'money', invoiceId, err: error }, 'a refund was refused');
      return false;
    },
  );
  await payments.endPlan(subscriptionId);
  const now = moneyNow(engines);
  if (isBack)
    await database.work(system, async (tx) => {
      const amountCents = await noteReturned(tx, invoiceId, now);
      if (amountCents !== undefined && userId !== null)
        await notifyRefund(engines, tx, { userId, amountCents, currency, isReported: true, now });
    });
  await syncPlan(engines, subscriptionId);
  return !isBack;
}
