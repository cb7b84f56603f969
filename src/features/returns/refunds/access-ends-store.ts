import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { OrderRow } from '#features/orders/orders-store.ts';
import { endedByCreator } from './owed-store.ts';

/** What was paid for, and whose access to it ends. */
export interface AccessEnd extends Pick<OrderRow, 'id' | 'kind' | 'creatorName'> {
  email: string;
  /** When it ends, or has ended. */
  at: Date;
}

const isOpening = `o.state in ('paid', 'partially_refunded') and o.kind in ('tip', 'album', 'bundle') and o.terms @> '{"opens":true}'
  and o.provider = $1 and o.livemode = $2 and o.retired_at is null`;
const endOf = `o.opened_at + o.open_for_ms * interval '1 ms'`;
const noticeColumns = `o.id, o.kind, o.creator_name as "creatorName", b.email`;

// Whoever has paid once more looks on. A span that is hardly longer than the warning needs none.
const ending = statement<AccessEnd>(
  'access_ending_told',
  `with due as (
  select o.id, ${endOf} as at from checkout_orders o join magic_links l on l.id = o.link_id join users u on u.id = o.creator_id
  where o.open_for_ms >= $5 and o.told_ending_at is null and o.opened_at is not null and ${isOpening}
    and ${endOf} > $3 and ${endOf} <= $3::timestamptz + $4::bigint * interval '1 ms' and not l.is_revoked and l.taken_down_at is null
    and u.status not in ('suspended', 'deleting', 'deleted')
    and not exists (select from viewer_blocks v where v.creator_id = o.creator_id and v.viewer_id = o.viewer_id)
    and not exists (select from link_viewers v where v.link_id = o.link_id and v.viewer_id = o.viewer_id and v.blocked_at is not null)
    and not exists (select from checkout_orders n where n.link_id = o.link_id and n.viewer_id = o.viewer_id and n.id <> o.id
      and n.state in ('paid', 'partially_refunded') and n.terms @> '{"opens":true}' and (n.paid_at, n.id) > (o.paid_at, o.id))
    and not exists (select from refunds r where r.order_id = o.id and r.state = 'pending')
  order by at limit 200 for no key update of o skip locked
)
update checkout_orders o set told_ending_at = $3 from due d, buyers b where o.id = d.id and b.id = o.buyer_id
returning ${noticeColumns}, d.at`,
);

/**
 * Takes what was bought for a time that ends soon, and notes with the caller's transaction that it is told.
 * @param aheadMs how long before its end
 * @param leastMs spans that are shorter are not told of
 */
export const takeEnding = (
  tx: Tx,
  { provider, livemode }: Realm,
  now: Date,
  { aheadMs, leastMs }: { aheadMs: number; leastMs: number },
): Promise<AccessEnd[]> => tx.query(ending, [provider, livemode, now, aheadMs, leastMs]);

// What is paid back is told by its refund, and a bank that has the payment tells its own customer. What had run out had ended before.
const ended = statement<AccessEnd>(
  'access_ended_told',
  `with due as (
  select o.id, min(e.at) as at from (${endedByCreator}) e join checkout_orders o on o.id = e.id
  where e.at > $3::timestamptz - ($4::bigint + $5) * interval '1 ms' and o.id <> all ($6::uuid[]) and o.told_ended_at is null and ${isOpening}
    and o.opened_at is not null and o.opened_at <= e.at and (o.open_for_ms is null or ${endOf} > e.at)
    and not exists (select from refunds r where r.order_id = o.id and r.until_cents is null)
  group by o.id order by at limit 200
)
update checkout_orders o set told_ended_at = $3 from due d, buyers b where o.id = d.id and b.id = o.buyer_id and o.told_ended_at is null
returning ${noticeColumns}, d.at`,
);

/**
 * Takes what was bought, looked at, and ended by its creator for good without a refund, and notes with the caller's transaction
 * that it is told.
 * @param undoMs how long somebody who was blocked may still be let in again
 * @param sinceMs what has been final for longer is left alone
 * @param owed orders that are about to be paid back
 */
export const takeEnded = (
  tx: Tx,
  { provider, livemode }: Realm,
  now: Date,
  { undoMs, sinceMs, owed }: { undoMs: number; sinceMs: number; owed: readonly string[] },
): Promise<AccessEnd[]> => tx.query(ended, [provider, livemode, now, sinceMs, undoMs, owed]);
