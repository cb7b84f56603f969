import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { newTermCents } from '#features/orders/fan-tiers-store.ts';
import { feePercentOfOrder, monthFeeOf } from '#features/orders/split-store.ts';

/** A tier with who has it, as its creator sees it. */
export interface TierSums {
  tierId: string;
  albums: { id: string; name: string }[];
  subscribers: number;
  atLowerPrice: number;
  passes: number;
  monthlyCents: number;
}

// What is theirs of a month is counted by the percent it was paid with, and as the provider counts it: half a cent of each is the platform's. Of several months at once a month is its part.
const sums = statement<TierSums>(
  'tier_sums',
  `with running as (
  select f.tier_id, f.source, f.amount_cents, f.months, f.cancel_at_period_end, ${newTermCents} as new_cents,
    coalesce(${feePercentOfOrder}, 0) as fee_percent
  from fan_subscriptions f join fan_tiers t on t.id = f.tier_id left join checkout_orders o on o.id = f.paid_order_id
  where f.creator_id = $1 and f.status in ('trialing', 'active', 'past_due') and not f.is_paused and f.ended_at is null and f.retired_at is null
    and (not f.cancel_at_period_end or f.period_end is null or f.period_end > $4)
    and (f.source = 'pass' or (f.provider = $2 and f.livemode = $3))
)
select t.id as "tierId",
  (select coalesce(json_agg(json_build_object('id', b.id, 'name', b.name) order by array_position(t.album_ids, b.id)), '[]')
    from albums b where b.id = any(t.album_ids) and b.user_id = $1) as albums,
  count(*) filter (where r.source = 'paid')::int as subscribers,
  count(*) filter (where r.source = 'paid' and r.amount_cents < r.new_cents)::int as "atLowerPrice",
  count(*) filter (where r.source = 'pass')::int as passes,
  coalesce(sum(round((r.amount_cents - ${monthFeeOf('r.amount_cents', 'r.fee_percent')})::numeric / r.months))
    filter (where r.source = 'paid' and not r.cancel_at_period_end), 0)::bigint as "monthlyCents"
from fan_tiers t left join running r on r.tier_id = t.id where t.creator_id = $1 group by t.id`,
);

/** What a creator's tiers open, who has them, and what they bring them a month. */
export const sumTiers = (
  tx: Pick<Tx, 'query'>,
  { creatorId, realm, now }: { creatorId: string; realm: Realm; now: Date },
): Promise<TierSums[]> => tx.query(sums, [creatorId, realm.provider, realm.livemode, now]);

const ownAlbums = statement<{ id: string }>(
  'tier_albums',
  `select id from albums where id = any($1::uuid[]) and user_id = $2 and state <> 'deleted'`,
);

/** Which of these albums are this creator's. */
export const listOwnAlbums = async (
  tx: Pick<Tx, 'query'>,
  creatorId: string,
  ids: readonly string[],
): Promise<string[]> => (await tx.query(ownAlbums, [ids, creatorId])).map(({ id }) => id);
