import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { type FansRow, fansFrom, fansOf } from '#features/access/fans-store.ts';
import type { FanFact } from '#features/access/rules.ts';

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

/** Who wants to subscribe to a creator, and what they have of her. */
export async function findSubscriberOf(
  source: Pick<Tx, 'ask'>,
  creatorId: string,
  secretHash: Buffer,
  { provider, livemode }: Realm,
  now: Date,
): Promise<{ viewer: { viewerId: string; deviceId: string } | undefined; isBlocked: boolean; fans: FanFact[] }> {
  const [row] = await source.ask(subscriber, [secretHash, creatorId, now, provider, livemode]);
  if (row?.viewer_id == null || row.device_id === null) return { viewer: undefined, isBlocked: false, fans: [] };
  const fans = fansOf(row).filter(({ endsAt }) => endsAt === undefined || endsAt > now.getTime());
  return { viewer: { viewerId: row.viewer_id, deviceId: row.device_id }, isBlocked: row.blocked, fans };
}
