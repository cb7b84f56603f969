import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { isUuid } from '#kit/ids.ts';
import { findOrderHere, type OrderRow } from './orders-store.ts';

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
