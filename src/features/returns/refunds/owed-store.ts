import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { NewRefund } from '#features/orders/refunds-store.ts';
import type { RefundCause } from '#features/orders/rules.ts';
import { isNotWithheld, isOwedAt, isPaidAccess } from '../owed-orders-store.ts';

// Whoever is blocked for a leak that a trace has put down to them has broken the rules. Older blocks are not looked at: a trace
// may be deleted later, which is no reason to pay back.
const blocks = `
select o.id, b.at, 'viewer_ended' as how from viewer_blocks b join checkout_orders o on o.creator_id = b.creator_id and o.viewer_id = b.viewer_id
where b.at <= $3::timestamptz - $5::bigint * interval '1 ms' and b.at > $3::timestamptz - $5::bigint * interval '1 ms' - interval '14 days'
  and not (b.reason = 'leak' and exists (select from link_viewers k join traces t on t.creator_id = k.creator_id
    where k.creator_id = b.creator_id and k.viewer_id = b.viewer_id and t.outcome in ('traced', 'probable')
      and strpos(t.result ->> 'named', k.id::text) > 0))
union all
select o.id, k.blocked_at, 'viewer_ended' from link_viewers k join checkout_orders o on o.link_id = k.link_id and o.viewer_id = k.viewer_id
where k.blocked_at <= $3::timestamptz - $5::bigint * interval '1 ms' and o.kind <> 'fan_sub'`;

/**
 * Payments whose access their creator ended, and when, once that cannot be undone any more: by the link or the viewer, by
 * deleting what it opens, or – by deleting their account, once its grace is over – all of them.
 * A subscription opens more than the link at which it was begun. $3 is now, $5 how long a block can be undone.
 */
export const endedByCreator = `
select o.id, l.revoked_at as at, case when l.revoked_reason = 'album_deleted' then 'album_deleted' else 'link_ended' end as how from magic_links l join checkout_orders o on o.link_id = l.id
where l.is_revoked and coalesce(l.undo_until, l.revoked_at) <= $3 and o.kind <> 'fan_sub'
union all select b.id, b.at, b.how from (${blocks}) b
union all
select o.id, coalesce(d.asked_at, $3), 'creator_left' from users u join checkout_orders o on o.creator_id = u.id
  left join account_deletions d on d.user_id = u.id and d.state <> 'kept'
where u.status = 'deleted' or (u.status = 'deleting' and (d.id is null or d.erase_at <= $3))`;

/** Of order `o`, at $3: nobody withholds its refund, and none is under way. What the provider has refused is asked again a day later. */
export const isUnasked = `${isNotWithheld}
  and not exists (select from refunds r where r.order_id = o.id and (r.state = 'pending' or r.settled_at > $3::timestamptz - interval '1 day'))`;

const stillUnasked = statement<{ id: string }>(
  'order_unasked',
  `select o.id from checkout_orders o where o.id = $1 and o.provider = $2 and ${isUnasked} and o.refunded_cents = coalesce($4, o.refunded_cents)`,
);

/**
 * Returns whether a listed order is still to be paid back by us; asked while it is held, or another worker may just have done it.
 * @param listed with what had gone back by then where only a part is to: that is no longer owed once anything else has gone back, which may have been that part
 */
export const isStillOwed = async (
  tx: Tx,
  { provider }: Realm,
  { orderId, refundedCents }: { orderId: string; refundedCents?: number | undefined },
  now: Date,
): Promise<boolean> => (await tx.query(stillUnasked, [orderId, provider, now, refundedCents ?? null])).length === 1;

// A tip on their page bought no access that could end, and what is held has rules of its own.
export interface Owed {
  orderId: string;
  cause: Extract<RefundCause, 'link_ended' | 'viewer_ended' | 'album_deleted' | 'creator_left'>;
}

const owed = statement<Owed>(
  'orders_owed',
  `select o.id as "orderId", min(e.how) as cause from (${endedByCreator}) e join checkout_orders o on o.id = e.id
where ${isPaidAccess({ provider: '$1', livemode: '$2' })}
  and ${isOwedAt('e.at', "case when e.how = 'creator_left' then $6::bigint when e.how = 'album_deleted' and o.kind in ('album', 'bundle') then $7 else $4 end")}
  and ${isUnasked}
group by o.id limit 100`,
);
/** As many are listed at once. */
export const mostOwed = 100;

/**
 * What was paid for something that its creator ended, too early to keep the money.
 * @param withinMs of paying, in which it is paid back though it was opened
 * @param leavingMs the same where its creator closes their account
 * @param deletingMs the same for sales where they delete all that was sold
 * @param undoMs how long somebody who was blocked may still be let in again
 */
export const listOwed = async (
  tx: Tx,
  { provider, livemode }: Realm,
  now: Date,
  {
    withinMs,
    undoMs,
    leavingMs,
    deletingMs,
  }: { withinMs: number; undoMs: number; leavingMs: number; deletingMs: number },
): Promise<Owed[]> => tx.query(owed, [provider, livemode, now, withinMs, undoMs, leavingMs, deletingMs]);

const late = statement<{ orderId: string }>(
  'orders_paid_late',
  `select o.id as "orderId" from checkout_orders o
where o.ended_at is not null and o.state in ('paid', 'partially_refunded') and o.provider = $1 and o.livemode = $2 and o.retired_at is null
  and ${isUnasked}
limit 100`,
);

/** What was paid when its sale was over and is still here. */
export const listPaidLate = async (tx: Tx, { provider, livemode }: Realm, now: Date): Promise<string[]> =>
  (await tx.query(late, [provider, livemode, now])).map(({ orderId }) => orderId);

// Two tips may be meant. Of two subscriptions the one that nobody looked by ends with its refund.
const twice = statement<{ orderId: string }>(
  'orders_paid_twice',
  `select o.id as "orderId" from checkout_orders o
where o.provider = $1 and o.livemode = $2 and o.retired_at is null and o.kind in ('album', 'bundle', 'fan_sub') and o.state = 'paid' and o.opened_at is null
  and o.paid_at <= $3::timestamptz - $4::bigint * interval '1 ms' and o.paid_at > $3::timestamptz - interval '14 days'
  and exists (select from checkout_orders f where f.buyer_id = o.buyer_id and f.id <> o.id and f.kind = o.kind and f.provider = $1 and f.livemode = $2
    and f.state in ('paid', 'partially_refunded') and (f.paid_at, f.id) < (o.paid_at, o.id) and f.paid_at > o.paid_at - $4::bigint * interval '1 ms'
    and case when o.kind = 'fan_sub' then f.tier_id = o.tier_id and f.fan_subscription_id <> o.fan_subscription_id else f.link_id = o.link_id end)
  and ${isUnasked}
limit 100`,
);

/** What one address paid a second time within some time of the first, and has not opened since; for two weeks. */
export const listPaidTwice = async (
  tx: Tx,
  { provider, livemode }: Realm,
  now: Date,
  withinMs: number,
): Promise<string[]> => (await tx.query(twice, [provider, livemode, now, withinMs])).map(({ orderId }) => orderId);

/** The request that was refused, to be made again. */
export type RefusedHeld = Pick<NewRefund, 'orderId' | 'reason' | 'note'> & {
  /** Null for all that is left. */
  partCents: number | null;
  /** What had gone back of its order by then. */
  refundedCents: number;
  byKind: NewRefund['by']['kind'];
  byUser: string | null;
  cause: RefundCause | null;
  isTold: boolean;
};

// A part is asked for again while nothing else of its order has gone back: it may have been returned by hand.
const refusedHeld = statement<RefusedHeld>(
  'orders_held_refused',
  `select o.id as "orderId", f.reason, f.note, f.by_kind as "byKind", f.by_user as "byUser", f.cause, f.is_told as "isTold",
  case when f.until_cents is not null then f.amount_cents end as "partCents", o.refunded_cents as "refundedCents"
from refunds f join checkout_orders o on o.id = f.order_id join custom_requests q on q.id = o.request_id
where f.state = 'failed' and not exists (select from refunds n where n.order_id = f.order_id and (n.created_at, n.id) > (f.created_at, f.id))
  and o.state in ('paid', 'partially_refunded') and o.provider = $1 and o.livemode = $2 and o.retired_at is null
  and case when f.until_cents is null then q.state = 'refunded' or q.order_id is distinct from o.id
    else q.state = 'released' and f.given_transfer_id is null and f.until_cents = o.refunded_cents + f.amount_cents end
  and ${isUnasked}
order by f.created_at limit 100`,
);

/**
 * What was held for custom work that has ended, or that nobody waited for, and whose refund the provider refused: its request is
 * closed, so nobody else asks again. Of what was divided it is the part that was to go back.
 */
export const listRefusedHeld = (tx: Tx, { provider, livemode }: Realm, now: Date): Promise<RefusedHeld[]> =>
  tx.query(refusedHeld, [provider, livemode, now]);
