import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { latePaymentEmail } from '#features/notices/money-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { findSaleEnd } from '#features/sales/ends-store.ts';
import { describeSaleEnd, isPaidLate, type OrderEnd } from '#features/sales/rules.ts';
import { newId } from '#kit/ids.ts';
import { formatMoney } from '#kit/text.ts';
import type { OrderRow } from '../orders-store.ts';
import { receiptCode } from '../receipts.ts';
import { insertRefund } from '../refunds-store.ts';
import { refundOrderQueue } from '../rules.ts';
import { describeSold } from '../sold-words.ts';

interface Payment {
  /** Undefined for a month that came by itself: whether it goes on is decided elsewhere. */
  sessionId: string | undefined;
  chargedAt?: Date | undefined;
  isPaidNow: boolean;
  now: Date;
}

/**
 * What ended the sale of an order before it was paid. What was paid before its end was told of late has bought, and what nobody has
 * noted is looked at once more: a payment is never kept for something that is not for sale.
 */
export async function findOrderEnd(
  tx: Tx,
  { id, endedAt, endedWhy }: Pick<OrderRow, 'id' | 'endedAt' | 'endedWhy'>,
  { sessionId, chargedAt, isPaidNow, now }: Payment,
): Promise<OrderEnd | undefined> {
  if (endedAt !== null && endedWhy !== null)
    return isPaidNow && !isPaidLate(endedAt, chargedAt) ? undefined : { why: endedWhy, at: endedAt };
  if (!isPaidNow || sessionId === undefined) return undefined;
  const why = await findSaleEnd(tx, id, now);
  return why && { why, at: now };
}

/** Gives back at once what was paid when its sale was over, in the transaction that writes the payment down, and says so. */
export async function returnLate(
  engines: Pick<Engines, 'jobs' | 'installation' | 'secrets'>,
  tx: Tx,
  order: OrderRow,
  { end, email, now }: { end: OrderEnd; email: string | undefined; now: Date },
): Promise<void> {
  const { id: orderId, kind, creatorName, amountCents, currency } = order;
  const params = { id: newId<'refund'>(now.getTime()), orderId, reason: 'access_revoked', note: '' } as const;
  await insertRefund(tx, { ...params, by: { kind: 'system' }, cause: 'paid_after_end', isTold: true, now });
  await engines.jobs.send(tx, refundOrderQueue, { orderId });
  if (email === undefined) return;
  const words = latePaymentEmail({
    what: describeSold(kind, creatorName),
    amount: formatMoney(amountCents, currency.toUpperCase()),
    why: describeSaleEnd(end.why),
    isSubscription: kind === 'fan_sub',
    receiptPage: `${engines.installation.publicUrl}/receipt/${receiptCode(engines, orderId)}`,
  });
  await queueEmail(tx, engines.jobs, { to: email.trim().toLowerCase(), now, ...words });
}
