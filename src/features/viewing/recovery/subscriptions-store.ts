import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { Months } from '#features/orders/fan-rules.ts';
import { newTermCents } from '#features/orders/fan-tiers-store.ts';
import type { OrderState } from '#features/orders/rules.ts';

/** A subscription or a free pass, as whoever has it sees it. */
export interface SubscriptionRow {
  fanId: string;
  source: 'paid' | 'pass';
  creatorId: string | null;
  creatorName: string;
  tierName: string;
  status: string;
  isPaused: boolean;
  /** Paid at once each time. */
  months: Months;
  amountCents: number;
  currency: string;
  since: Date;
  periodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  stoppedAt: Date | null;
  endedAt: Date | null;
  nextAttemptAt: Date | null;
  /** Since when its renewal is a draft that was not charged; null where it is none. */
  draftSince: Date | null;
  cardLast4: string | null;
  /** What as many months cost new subscribers; null for one that is not offered any more. */
  tierCents: number | null;
  /** The newest month that was paid. */
  paidOrderId: string | null;
  paidState: OrderState | null;
  viewerId: string | null;
  /** This browser is one of the viewer's who subscribed. */
  isOwn: boolean;
  /** The creator is there, and has not shut this viewer out. */
  isAlive: boolean;
  /** A link of theirs that this viewer knows, where one is open. */
  slug: string | null;
  /** Their public page, where they have opened it. */
  handle: string | null;
}

// Who has turned out to be another viewer is that one, and shut out as that one is.
const subscriptions = statement<SubscriptionRow>(
  'subscriptions_of_browser',
  `with me as (
  select case when v.merged_into is null then v.id else v.merged_into end as viewer_id
  from viewer_devices d join viewers v on v.id = d.viewer_id where d.secret_hash = $1
), proof as (
  select buyer_id, is_joined from buyer_browsers where secret_hash = $1
)
select f.id as "fanId", f.source, f.creator_id as "creatorId", f.creator_name as "creatorName", f.tier_name as "tierName", f.status, f.is_paused as "isPaused",
  f.months, f.amount_cents as "amountCents", f.currency, f.created_at as since, f.period_end as "periodEnd", f.cancel_at_period_end as "cancelAtPeriodEnd",
  f.stopped_at as "stoppedAt", f.ended_at as "endedAt", f.next_attempt_at as "nextAttemptAt", f.draft_since as "draftSince", f.card_last4 as "cardLast4",
  ${newTermCents} as "tierCents", o.id as "paidOrderId", o.state as "paidState", w.id as "viewerId",
  coalesce(w.id = (select viewer_id from me), false) as "isOwn",
  u.id is not null and u.status not in ('suspended', 'deleting', 'deleted') and coalesce(w.blocked_globally_at is null, true)
    and not exists (select from viewer_blocks k where k.creator_id = f.creator_id and k.viewer_id = w.id) as "isAlive",
  k.slug, case when u.has_public_page then u.handle end as handle
from fan_subscriptions f
left join users u on u.id = f.creator_id
left join fan_tiers t on t.id = f.tier_id and t.slot is not null
left join checkout_orders o on o.id = f.paid_order_id
left join viewers v on v.id = f.viewer_id
left join viewers w on w.id = case when v.merged_into is null then v.id else v.merged_into end
left join lateral (
  select l.slug from magic_links l where l.user_id = f.creator_id and not l.is_revoked and l.taken_down_at is null
    and (l.expires_at is null or l.expires_at > $4)
    and (l.id = f.link_id or exists (select from link_viewers a where a.link_id = l.id and a.viewer_id = w.id and a.blocked_at is null))
  order by (l.id = f.link_id) desc nulls last, l.created_at desc limit 1) k on true
where f.retired_at is null and (f.source = 'pass' or (f.provider = $2 and f.livemode = $3))
  and (f.buyer_id = (select buyer_id from proof)
    or (f.viewer_id = (select viewer_id from me) and not exists (select from proof where is_joined)))
order by (f.ended_at is null) desc, f.created_at desc, f.id desc limit 100`,
);

/** What this browser's viewer has subscribed to, and whoever paid with the address that it has proven; what runs comes first. */
export const listSubscriptions = (
  source: Pick<Tx, 'query'>,
  secretHash: Buffer,
  { provider, livemode }: Realm,
  now: Date,
): Promise<SubscriptionRow[]> => source.query(subscriptions, [secretHash, provider, livemode, now]);
