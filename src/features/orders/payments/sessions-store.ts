import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

const byPayment = statement<{ sessionId: string }>(
  'order_session_by_payment',
  `select session_id as "sessionId" from checkout_orders where (payment_id = $3 or charge_id = $3) and provider = $1 and livemode = $2
  and kind <> 'fan_sub' and session_id is not null limit 1`,
);

/** Where something was paid, by what is known of its payment; of what is paid again and again only the provider knows which month it was. */
export const findSessionOfPayment = async (
  tx: Pick<Tx, 'query'>,
  { provider, livemode }: Realm,
  paymentOrChargeId: string,
): Promise<string | undefined> => (await tx.query(byPayment, [provider, livemode, paymentOrChargeId]))[0]?.sessionId;
