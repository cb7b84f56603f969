import type { Engines } from '#engines/engines.ts';
import { kindOf } from '#engines/payments/object-kinds.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { noteBillsChanged } from './bills-changed.ts';
import { writeRefunded } from './invoices-store.ts';

/**
 * Asks the provider how much of a bill has gone back, also of what somebody has given back there by hand, and writes it down.
 * @returns the charge by which it was paid; undefined where it was paid by none
 */
export async function syncBillRefund(engines: Engines, invoiceId: string): Promise<string | undefined> {
  const { database, payments } = engines;
  return withObjectLock(engines, `refunds:${invoiceId}`, async () => {
    const { chargeId, refundedCents } = await payments.findInvoicePayment(invoiceId);
    // Of a bill without a charge the provider knows nothing that could go back.
    if (chargeId === undefined) return undefined;
    await database.work({ kind: 'system' }, async (tx) => {
      if (await writeRefunded(tx, payments.realm, { invoiceId, refundedCents })) await noteBillsChanged(engines, tx);
    });
    return chargeId;
  });
}

/** The same for what an event tells of: only a charge and what went back of it can say anything new. */
export async function syncRefundOf(engines: Engines, objectId: string): Promise<void> {
  const kind = kindOf(objectId);
  if (kind !== 'charge' && kind !== 'refund') return;
  const invoiceId = await engines.payments.findInvoiceOf(objectId);
  if (invoiceId !== undefined) await syncBillRefund(engines, invoiceId);
}
