import { sql } from 'kysely';
import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

/** What a buyer has spent, or is about to, within a day; cents. */
export interface Spending {
  all: number;
  withCreator: number;
}

// Whoever has paid under one address in several browsers is one buyer. Of a subscription counts what is paid where it begins – a year
// at once, or a month – and not what renews by itself, which has no checkout. What one creator may take of them in a day is not asked
// of custom work, which they have agreed to.
const spent = statement<Spending>(
  'buyer_spending',
  `with mine as (select distinct buyer_id from checkout_orders where viewer_id = $1 and buyer_id is not null)
select coalesce(sum(o.amount_cents), 0)::bigint as all,
  coalesce(sum(o.amount_cents) filter (where o.creator_id = $2 and o.kind <> 'request'), 0)::bigint as "withCreator"
from checkout_orders o where (o.viewer_id = $1 or o.buyer_id in (select buyer_id from mine)) and o.provider = $3 and o.livemode = $4
  and (o.kind in ('tip', 'album', 'bundle', 'request') or (o.kind = 'fan_sub' and (o.session_id is not null or o.state = 'pending')))
  and ((o.state = 'pending' and o.expires_at > $5) or (o.paid_at > $5::timestamptz - interval '24 hours' and o.state <> 'refunded'))`,
);

/** What a viewer has spent within a day, with what is being paid just now. Held until the transaction ends, so that two at once are two. */
export async function holdSpending(
  tx: Tx,
  { provider, livemode }: Realm,
  { viewerId, creatorId, now }: { viewerId: string; creatorId: string; now: Date },
): Promise<Spending> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`spending ${viewerId}`}, 0))`.execute(tx.db);
  const [row] = await tx.query(spent, [viewerId, creatorId, provider, livemode, now]);
  return row ?? { all: 0, withCreator: 0 };
}
