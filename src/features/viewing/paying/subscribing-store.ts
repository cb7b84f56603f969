import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { type FansRow, fansFrom, fansOf } from '#features/access/fans-store.ts';
import type { FanFact } from '#features/access/rules.ts';
import type { TierReach } from '#features/orders/fan-rules.ts';

interface Row extends FansRow {
  device_id: string | null;
  viewer_id: string | null;
  blocked: boolean;
}

const subscriber = statement<Row>(
  'subscriber',
  `select d.id as device_id, v.id as viewer_id, f.fans,
  coalesce(v.blocked_globally_at is not null, false)
    or exists (select from viewer_blocks b where b.creator_id = l.user_id and b.viewer_id = v.id) as blocked
from (select $2::uuid as user_id where $3::timestamptz is not null) l
left join viewer_devices d on d.secret_hash = $1
left join viewers me on me.id = d.viewer_id
left join viewers v on v.id = case when me.merged_into is null then me.id else me.merged_into end
${fansFrom}`,
);

/** Who wants to subscribe to a creator, and what they have of them. */
export async function findSubscriberOf(
  source: Pick<Tx, 'query'>,
  creatorId: string,
  secretHash: Buffer,
  { provider, livemode }: Realm,
  now: Date,
): Promise<{ viewer: { viewerId: string; deviceId: string } | undefined; isBlocked: boolean; fans: FanFact[] }> {
  const [row] = await source.query(subscriber, [secretHash, creatorId, now, provider, livemode]);
  if (row?.viewer_id == null || row.device_id === null) return { viewer: undefined, isBlocked: false, fans: [] };
  const fans = fansOf(row).filter(({ endsAt }) => endsAt === undefined || endsAt > now.getTime());
  return { viewer: { viewerId: row.viewer_id, deviceId: row.device_id }, isBlocked: row.blocked, fans };
}

const provenTiers = statement<TierReach & { id: string }>(
  'tiers_of_proven_address',
  `select t.id, t.all_future as "allFuture", t.album_ids as "albumIds" from buyer_browsers p
join fan_subscriptions f on f.buyer_id = p.buyer_id join fan_tiers t on t.id = f.tier_id
where p.secret_hash = $1 and f.creator_id = $2 and f.source = 'paid' and f.provider = $3 and f.livemode = $4
  and f.status in ('trialing', 'active', 'past_due') and not f.is_paused and f.ended_at is null and f.retired_at is null
  and (not f.cancel_at_period_end or f.period_end > $5)
  and exists (select from checkout_orders o where o.id = f.paid_order_id and o.state in ('paid', 'partially_refunded'))`,
);

/** What the address that a browser has proven pays a creator for. */
export const listProvenTiers = (
  source: Pick<Tx, 'query'>,
  { provider, livemode }: Realm,
  { secretHash, creatorId, now }: { secretHash: Buffer; creatorId: string; now: Date },
): Promise<(TierReach & { id: string })[]> =>
  source.query(provenTiers, [secretHash, creatorId, provider, livemode, now]);
