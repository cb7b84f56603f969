import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { markRequestPaid, noteRequestPaid } from '#features/held/paid-requests-store.ts';
import { requestCode, requestReference } from '#features/held/request-code.ts';
import { noteNotice } from '#features/notices/notices-store.ts';
import { requestPaidEmail } from '#features/notices/request-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { newId } from '#kit/ids.ts';
import { formatMoney } from '#kit/text.ts';
import { zoneOrUtc } from '#kit/time.ts';
import type { OrderRow } from '../orders-store.ts';
import { insertRefund } from '../refunds-store.ts';
import { lateRequestMs } from '../rules.ts';

/**
 * The payment of a request has come in: from now on it is held, and the work begins. One that nobody waits for any more goes back.
 * Their notices keep the time of their day, whatever time it is for money.
 */
export async function holdPayment(
  engines: Engines,
  tx: Tx,
  { id: orderId, requestId, amountCents, feeCents, currency: code, creatorId, creatorName }: OrderRow,
  { email, now }: { email: string | undefined; now: Date },
): Promise<void> {
  if (requestId === null) return;
  const held = await markRequestPaid(tx, { requestId, orderId, amountCents, now, graceMs: lateRequestMs });
  if (held === undefined) {
    const about = { id: newId<'refund'>(now.getTime()), orderId, reason: 'not_delivered', note: '' } as const;
    await insertRefund(tx, { ...about, by: { kind: 'system' }, cause: 'late_payment', now });
    return;
  }
  const currency = code.toUpperCase();
  await noteRequestPaid(tx, requestId, amountCents, now);
  const { publicUrl } = engines.installation;
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: zoneOrUtc(held.timeZone) });
  const words = requestPaidEmail({
    creatorName,
    amount: formatMoney(amountCents, currency),
    day: day.format(held.dueAt),
    reference: requestReference(requestId),
    page: `${publicUrl}/request/${requestCode(engines, requestId)}`,
  });
  if (email !== undefined) await queueEmail(tx, engines.jobs, { to: email.trim().toLowerCase(), now, ...words });
  if (creatorId === null) return;
  const sums = { amountCents, shareCents: amountCents - feeCents, currency };
  const notice = { event: 'request', requestId, stage: 'paid', ...sums } as const;
  await noteNotice(tx, { userId: creatorId, notice, now: new Date(engines.clock()) });
}
