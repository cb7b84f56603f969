import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { refundOnLeavingMs } from '#features/orders/rules.ts';
import { isNotWithheld, isOwedAt, isPaidAccess } from '#features/returns/owed-orders-store.ts';
import type { DeletionEffects } from '../contract.ts';

export type Effects = Omit<DeletionEffects, 'eraseAt' | 'currency'>;

// The same orders as those that are paid back to the buyers of a creator who leaves (`returns/refunds/owed-store.ts`), by the same words.
const effects = statement<Effects>(
  'deletion_effects',
  `with owed as (
  select o.buyer_id, o.viewer_id, o.id, o.amount_cents - o.refunded_cents as cents from checkout_orders o
  where o.creator_id = $1 and ${isPaidAccess({ provider: '$2', livemode: '$3' })}
    and ${isOwedAt('$4::timestamptz', '$5::bigint')} and ${isNotWithheld}
)
select
  (select count(*) from magic_links l where l.user_id = $1 and not l.is_revoked and (l.expires_at is null or l.expires_at > $4))::int as links,
  (select count(*) from albums a where a.user_id = $1 and a.state <> 'deleting')::int as albums,
  (select count(*) from media m where m.creator_id = $1 and m.deleted_at is null)::int as media,
  (select coalesce(sum(m.bytes), 0) from media m where m.creator_id = $1 and m.deleted_at is null)::bigint as "mediaBytes",
  (select count(distinct coalesce(w.buyer_id, w.viewer_id, w.id)) from owed w)::int as buyers,
  (select coalesce(sum(w.cents), 0) from owed w)::int as "refundCents",
  (select count(*) from fan_subscriptions f where f.creator_id = $1 and f.provider = $2 and f.livemode = $3 and f.ended_at is null)::int as fans,
  (select count(*) from custom_requests q where q.creator_id = $1 and q.provider = $2 and q.livemode = $3 and q.closed_at is null)::int as requests,
  (select coalesce(sum(d.held_cents), 0) from ledger_days d where d.owner_user_id = $1 and d.provider = $2 and d.livemode = $3 and d.currency = $6)::int as "balanceCents",
  exists (select from user_stripe_accounts a where a.user_id = $1 and a.provider = $2 and a.livemode = $3 and a.full_status = 'complete') as "canBePaid",
  (select coalesce(sum(c.amount_cents - c.returned_cents), 0) from commissions c join affiliates a on a.id = c.affiliate_id
    where a.user_id = $1 and c.provider = $2 and c.livemode = $3 and c.state in ('pending', 'payable'))::int as "partnerCents",
  (select coalesce(sum(c.remaining), 0) from credit_lots c where c.user_id = $1 and (c.expires_at is null or c.expires_at > $4))::int as credits,
  exists (select from platform_subscriptions s where s.user_id = $1 and s.provider = $2 and s.livemode = $3 and s.ended_at is null
    and not s.cancel_at_period_end) as "hasPlan"`,
);

/** Counts what deleting an account now would end and give back. */
export async function findEffects(
  tx: Tx,
  { provider, livemode }: Realm,
  { userId, now, currency }: { userId: string; now: Date; currency: string },
): Promise<Effects> {
  const values = [userId, provider, livemode, now, refundOnLeavingMs, currency];
  const [row] = await tx.query(effects, values);
  if (row === undefined) throw new Error('An account has no effects at all.');
  return row;
}
