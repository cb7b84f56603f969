import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { Sold } from './contract.ts';
import { refundOnDeleteMs } from './rules.ts';

// What was made to order is sold by the link that delivers it. Whoever bought it together with other albums keeps those, and is not paid back.
const sold = statement<Sold>(
  'album_sold',
  `with sales as (
  select o.*, l.is_revoked, l.id as by_link from link_albums x join magic_links l on l.id = x.link_id join checkout_orders o on o.link_id = l.id
  where x.album_id = $1 and o.kind in ('album', 'bundle')
  union all
  select o.*, l.is_revoked, l.id from link_albums x join magic_links l on l.id = x.link_id join custom_requests q on q.delivery_link_id = l.id
    join checkout_orders o on o.id = q.order_id
  where x.album_id = $1 and (q.state = 'delivered' or q.state = 'released' and not exists (select from disputes d where d.order_id = o.id))
)
select count(distinct coalesce(o.buyer_id, o.viewer_id, o.id))::int as buyers,
  coalesce(sum(o.amount_cents - o.refunded_cents) filter (where (o.paid_at > $4::timestamptz - $5::bigint * interval '1 ms' or (o.opened_at is null and o.kind <> 'request'))
    and not o.is_revoked and not exists (select from link_albums n join albums b on b.id = n.album_id
      where n.link_id = o.by_link and n.album_id <> $1 and b.state <> 'deleting')), 0)::int as "refundCents"
from sales o where o.state in ('paid', 'partially_refunded')
  and o.provider = $2 and o.livemode = $3 and o.retired_at is null`,
);

/** Returns how many bought an album of the asking creator, and what would go back to them were it deleted now. */
export async function findSold(tx: Tx, { provider, livemode }: Realm, albumId: string, now: Date): Promise<Sold> {
  const [row] = await tx.query(sold, [albumId, provider, livemode, now, refundOnDeleteMs]);
  return row ?? { buyers: 0, refundCents: 0 };
}
