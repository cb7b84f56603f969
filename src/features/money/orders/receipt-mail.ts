import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { receiptEmail } from '#features/notices/money-emails.ts';
import { termsOf } from '#features/notices/refund-promise.ts';
import { queueEmail } from '#features/notices/store.ts';
import { readSettings } from '#features/settings/store.ts';
import { formatMoney } from '#kit/text.ts';
import type { OrderRow } from '../orders-store.ts';
import { receiptCode } from '../receipts.ts';
import { requestCode } from '../request-code.ts';
import { tellSold } from '../sold-words.ts';

/** Mails the receipt of an order, with the way back to what was bought. */
export async function mailReceipt(
  engines: Engines,
  tx: Tx,
  order: Pick<
    OrderRow,
    'id' | 'kind' | 'isOnPage' | 'creatorName' | 'amountCents' | 'currency' | 'requestId' | 'termsShown'
  >,
  { number, to, now }: { number: number; to: string; now: Date },
): Promise<void> {
  const { publicUrl } = engines.installation;
  const { 'money.statementDescriptor': statementDescriptor } = await readSettings(tx);
  const text = receiptEmail({
    statementDescriptor,
    number,
    amount: formatMoney(order.amountCents, order.currency.toUpperCase()),
    what: tellSold(order.kind, order.creatorName),
    receiptPage: `${publicUrl}/receipt/${receiptCode(engines, order.id)}`,
    terms: order.termsShown ?? termsOf(order.kind, order.isOnPage),
    ...(!order.isOnPage && { purchasesPage: `${publicUrl}/find-my-purchases` }),
    ...(order.requestId !== null && { requestPage: `${publicUrl}/request/${requestCode(engines, order.requestId)}` }),
  });
  await queueEmail(tx, engines.jobs, { to: to.trim().toLowerCase(), now, ...text });
}
