import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

const record = statement<{ since: Date; sales: number; disputes: number }>(
  'seller_record',
  `select u.created_at as since,
  (select count(*)::int from (select from checkout_orders o where o.creator_id = u.id and o.provider = $2 and o.livemode = $3
    and o.paid_at is not null and o.state in ('paid', 'partially_refunded') limit 100) sold) as sales,
  (select count(*)::int from checkout_orders o where o.creator_id = u.id and o.provider = $2 and o.livemode = $3
    and o.state in ('disputed', 'charged_back')) as disputes
from users u where u.id = $1`,
);

/** Returns how long a creator is here, how much of what they sold stayed sold – counted up to 100 –, and how much was disputed. */
export const findSellerRecord = async (tx: Pick<Tx, 'query'>, userId: string, { provider, livemode }: Realm) =>
  (await tx.query(record, [userId, provider, livemode]))[0];
