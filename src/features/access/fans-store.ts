import { draftEndsDays } from '#features/books/draft-rules.ts';
import { isReturning } from './bought-store.ts';
import type { FanFact } from './rules.ts';

/**
 * What viewer `v` has subscribed to with the creator of link `l`, in the realm of $4 and $5. A month that was given back or is
 * disputed opens nothing; a free pass was paid by nobody.
 */
export const fansFrom = `left join lateral (
  select json_agg(json_build_object('tierId', s.tier_id, 'allFuture', ti.all_future, 'albumIds', ti.album_ids,
    'endsAt', extract(epoch from least(case when s.cancel_at_period_end then s.period_end end,
      s.draft_since + interval '${draftEndsDays} days')) * 1000)) as fans
  from fan_subscriptions s join fan_tiers ti on ti.id = s.tier_id
  where s.viewer_id = v.id and s.creator_id = l.user_id and s.status in ('trialing', 'active', 'past_due') and not s.is_paused
    and s.ended_at is null and s.retired_at is null and (s.source = 'pass' or (s.provider = $4 and s.livemode = $5 and exists (
      select from checkout_orders o where o.id = s.paid_order_id and o.state in ('paid', 'partially_refunded') and o.ended_at is null and not ${isReturning})))) f on true`;

export interface FansRow {
  fans: { tierId: string; allFuture: boolean; albumIds: string[]; endsAt: number | null }[] | null;
}

/** One that renews has no end, but for a renewal that is never charged. */
export const fansOf = ({ fans }: FansRow): FanFact[] =>
  (fans ?? []).map(({ tierId, allFuture, albumIds, endsAt }) => ({
    tierId,
    albumIds: allFuture ? 'all' : albumIds,
    ...(endsAt !== null && { endsAt }),
  }));
