import type { Engines } from '#engines/engines.ts';
import type { Refund } from '#engines/payments/payments.ts';
import { callOnce } from './call-once.ts';

/** Asks the provider for a refund, which is made once however often it is asked for. @throws PaymentRefused, PaymentsAway */
export async function refundOnce(engines: Engines, refund: Refund): Promise<void> {
  const { payments } = engines;
  const { refundId, paymentId } = refund;
  await callOnce(engines, {
    name: `refund:${refundId}`,
    find: () => payments.findMade({ kind: 'refund', refundId, paymentId }),
    async make(refusals) {
      await payments.refund({ ...refund, refusals });
      return refundId;
    },
  });
}

/** The same of a whole bill of a plan; what went back already is not given back twice by the provider either. */
export async function refundInvoiceOnce(
  engines: Engines,
  invoiceId: string,
  { key, reason }: { key: string; reason?: 'fraudulent' },
): Promise<void> {
  const { payments } = engines;
  await callOnce(engines, {
    name: `invoice-${key}`,
    find: async () => undefined,
    async make(refusals) {
      await payments.refundInvoice(invoiceId, { key, reason, refusals });
      return invoiceId;
    },
  });
}
