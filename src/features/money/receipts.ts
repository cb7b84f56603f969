import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Engines } from '#engines/engines.ts';
import { isUuid } from '#kit/ids.ts';

type Secrets = Pick<Engines, 'secrets'>;

const macOf = (secret: string, orderId: string) =>
  createHmac('sha256', secret).update(`receipt:${orderId}`).digest('base64url').slice(0, 22);

/** The name under which a receipt is found: its order, and a proof that we gave it to somebody. */
export const receiptCode = ({ secrets: [secret] }: Secrets, orderId: string): string =>
  `${orderId}.${macOf(secret, orderId)}`;

/** @returns the order's id, undefined for a code that we did not give */
export function readReceiptCode({ secrets }: Secrets, code: string): string | undefined {
  const [orderId = '', mac = ''] = code.split('.');
  if (!isUuid(orderId)) return undefined;
  const given = Buffer.from(mac);
  const isOurs = secrets.some((secret) => {
    const wanted = Buffer.from(macOf(secret, orderId));
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  });
  return isOurs ? orderId : undefined;
}
