import type { Engines } from '#engines/engines.ts';
import { kindOf } from '#engines/payments/object-kinds.ts';
import type { BillPayment } from '#engines/payments/plan-payments.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { noteBillsChanged } from './bills-changed.ts';
import { writeRefunded } from './invoices-store.ts';

/**
 * Asks the provider how much of a bill has gone back, also of what somebody has given back there by hand, and writes it down.
 * @returns what the provider says of its payment
 */
export async function syncBillRefund(engines: Engines, invoiceId: string): Promise<BillPayment> {
  const { database, payments } = engines;
  return withObjectLock(engines, `refunds:${invoiceId}`, async () => {
    const payment = await payments.findInvoicePayment(invoiceId);
    const { chargeId, refundedCents } = payment;
    // Of a bill without a charge the provider knows nothing that could go back.
    if (chargeId === undefined) return payment;
    await database.work({ kind: 'system' }, async (tx) => {
      if (await writeRefunded(tx, payments.realm, { invoiceId, refundedCents })) await noteBillsChanged(engines, tx);
    });
    return payment;
  });
}

/** The same for what an event tells of: only a charge and what went back of it can say anything new. */
export async function syncRefundOf(engines: Engines, objectId: string): Promise<void> {
  const kind = kindOf(objectId);
  if (kind !== 'charge' && kind !== 'refund') return;
  const invoiceId = await engines.payments.findInvoiceOf(objectId);
  if (invoiceId !== undefined) await syncBillRefund(engines, invoiceId);
}
