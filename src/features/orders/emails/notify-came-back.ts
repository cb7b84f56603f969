import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { refundCameBackEmail, refundNotTakenEmail } from '#features/notices/refund-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { formatMoney } from '#kit/text.ts';
import type { OrderRow } from '../orders-store.ts';
import { describeSold } from '../sold-words.ts';

/**
 * Tells the operator and whoever paid that a refund did not arrive; called in the transaction that writes that down, which only one
 * can do.
 */
export async function notifyCameBack(
  { jobs, installation }: Pick<Engines, 'jobs' | 'installation'>,
  tx: Tx,
  { id: orderId, kind, creatorName, currency, email, unreturnedCents: before }: OrderRow,
  { unreturnedCents, now }: { unreturnedCents: number; now: Date },
): Promise<void> {
  const { operatorEmail, publicUrl } = installation;
  const what = `${describeSold(kind, creatorName)}: ${formatMoney(unreturnedCents - before, currency.toUpperCase())}`;
  if (operatorEmail !== undefined)
    await queueEmail(tx, jobs, { to: operatorEmail, now, ...refundCameBackEmail({ orderId, what }) });
  if (email === null) return;
  await queueEmail(tx, jobs, { to: email, now, ...refundNotTakenEmail({ what, contact: `${publicUrl}/contact` }) });
}
