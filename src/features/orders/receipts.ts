import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { requestCode } from '#features/held/request-code.ts';
import { receiptEmail } from '#features/notices/money-emails.ts';
import { termsOf } from '#features/notices/refund-promise.ts';
import { queueEmail } from '#features/notices/store.ts';
import { readSettings } from '#features/settings/store.ts';
import { isUuid } from '#kit/ids.ts';
import { formatMoney } from '#kit/text.ts';
import { findOrderHere, type OrderRow } from './orders-store.ts';
import { describeSold } from './sold-words.ts';

type Secrets = Pick<Engines, 'secrets'>;

const macOf = (secret: string, orderId: string) =>
  createHmac('sha256', secret).update(`receipt:${orderId}`).digest('base64url').slice(0, 22);

/** The name under which a receipt is found: its order, and a proof that we gave it to somebody. */
export const receiptCode = ({ secrets: [secret] }: Secrets, orderId: string): string =>
  `${orderId}.${macOf(secret, orderId)}`;

/** @returns the order's id, undefined for a code that we did not give */
function readReceiptCode({ secrets }: Secrets, code: string): string | undefined {
  const [orderId = '', mac = ''] = code.split('.');
  if (!isUuid(orderId)) return undefined;
  const given = Buffer.from(mac);
  const isOurs = secrets.some((secret) => {
    const wanted = Buffer.from(macOf(secret, orderId));
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  });
  return isOurs ? orderId : undefined;
}

/** Finds the order of a receipt's code; undefined for one that we did not give, and where it was paid with other money than is taken here. */
export async function findReceiptOrder(
  tx: Tx,
  engines: Pick<Engines, 'secrets' | 'payments'>,
  code: string,
): Promise<OrderRow | undefined> {
  const orderId = readReceiptCode(engines, code);
  return orderId === undefined ? undefined : findOrderHere(tx, engines.payments.realm, orderId);
}

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
    what: describeSold(order.kind, order.creatorName),
    receiptPage: `${publicUrl}/receipt/${receiptCode(engines, order.id)}`,
    terms: order.termsShown ?? termsOf(order.kind, order.isOnPage),
    ...(!order.isOnPage && { purchasesPage: `${publicUrl}/find-my-purchases` }),
    ...(order.requestId !== null && { requestPage: `${publicUrl}/request/${requestCode(engines, order.requestId)}` }),
  });
  await queueEmail(tx, engines.jobs, { to: to.trim().toLowerCase(), now, ...text });
}
