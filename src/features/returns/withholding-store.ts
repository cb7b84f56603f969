import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { refundOnLeavingMs } from '#features/orders/rules.ts';
import type { SaleEnd } from '#features/sales/rules.ts';

/** A trace of a leak that names the admission of whoever paid order `o`; the newest one. */
const traceOf = `(select t.id from traces t join link_viewers k on k.creator_id = t.creator_id
  where t.creator_id = o.creator_id and k.viewer_id = o.viewer_id and t.outcome in ('traced', 'probable')
    and strpos(t.result ->> 'named', k.id::text) > 0 order by t.created_at desc limit 1)`;

/**
 * Payments that ending these links now would give back; a subscription opens more than the link at which it was begun. Custom work
 * goes back with the link that delivers it, whoever broke what rule: whoever leaks it is blocked.
 */
const owedNow = `select o.id, o.viewer_id, o.amount_cents - o.refunded_cents as cents, $4::timestamptz - o.paid_at < $5::bigint * interval '1 ms' as is_recent,
  ${traceOf} as trace_id, o.creator_id, o.link_id
from checkout_orders o where o.link_id = any($1::uuid[]) and o.provider = $2 and o.livemode = $3 and o.retired_at is null
  and o.kind <> 'fan_sub' and o.state in ('paid', 'partially_refunded') and (o.opened_at is null or $4::timestamptz - o.paid_at < $5::bigint * interval '1 ms')
union all
select o.id, o.viewer_id, o.amount_cents - o.refunded_cents, $4::timestamptz - o.paid_at < $5::bigint * interval '1 ms', null, o.creator_id, q.delivery_link_id
from custom_requests q join checkout_orders o on o.id = q.order_id
where q.delivery_link_id = any($1::uuid[]) and q.state in ('delivered', 'released') and o.provider = $2 and o.livemode = $3
  and o.state in ('paid', 'partially_refunded') and (q.state = 'delivered' or $4::timestamptz - o.paid_at < ${refundOnLeavingMs} * interval '1 ms'
    and not exists (select from disputes d where d.order_id = o.id))`;

/** What ending access costs. People are whoever paid; those who broke the rules are among them. */
export interface RevokeCost {
  people: number;
  cents: number;
  /** All of them paid lately. */
  isRecent: boolean;
  /** Of whom a trace of a leak tells. */
  breakers: number;
}

const cost = statement<RevokeCost>(
  'revoke_cost',
  `select count(distinct viewer_id)::int as people, coalesce(sum(cents), 0)::bigint as cents, coalesce(bool_and(is_recent), true) as "isRecent",
  (count(distinct viewer_id) filter (where trace_id is not null))::int as breakers from (${owedNow}) owed`,
);

/** @param withinMs of paying, in which what was opened is given back as well */
export async function findRevokeCost(
  tx: Pick<Tx, 'query'>,
  { provider, livemode }: Realm,
  { linkIds, now, withinMs }: { linkIds: readonly string[]; now: Date; withinMs: number },
): Promise<RevokeCost> {
  const [row] = await tx.query(cost, [linkIds, provider, livemode, now, withinMs]);
  return row ?? { people: 0, cents: 0, isRecent: true, breakers: 0 };
}

const withheld = statement<{ orderId: string }>(
  'refunds_withheld',
  `insert into withheld_refunds (order_id, creator_id, link_id, trace_id, reason, at)
select id, creator_id, link_id, trace_id, $6, $7 from (${owedNow}) owed where trace_id is not null
on conflict (order_id) do nothing returning order_id as "orderId"`,
);

/** Gives nothing back to those of whom a trace of a leak tells. @returns the payments that stay */
export async function withholdRefunds(
  tx: Tx,
  { provider, livemode }: Realm,
  about: { linkIds: readonly string[]; reason: string; now: Date; withinMs: number; at: Date },
): Promise<string[]> {
  const { linkIds, reason, now, withinMs, at } = about;
  const rows = await tx.query(withheld, [linkIds, provider, livemode, now, withinMs, reason, at]);
  return rows.map(({ orderId }) => orderId);
}

const forgotten = statement(
  'withheld_refunds_forgotten',
  'delete from withheld_refunds where link_id = any($1::uuid[])',
);

/** Access is there again: nothing is withheld. */
export async function forgetWithheld(tx: Tx, linkIds: readonly string[]): Promise<void> {
  await tx.query(forgotten, [linkIds]);
}

/** What somebody who has paid for a link gets of it where it was ended. */
export interface EndedPayment {
  cents: number;
  currency: string;
  isReturned: boolean;
  /** It went back by itself, or is on its way, because access was ended. */
  isByEnd: boolean;
  /** What had ended the sale before it was paid; null where it was paid before. */
  endedWhy: SaleEnd | null;
}

const ended = statement<EndedPayment>(
  'ended_payment',
  `select case when o.state = 'refunded' then o.refunded_cents else o.amount_cents - o.refunded_cents end as cents, o.currency,
  o.ended_at is not null or o.state = 'refunded' or exists (select from refunds r where r.order_id = o.id and r.state = 'pending')
    or (l.revoked_at is not null and o.state in ('paid', 'partially_refunded') and not exists (select from withheld_refunds w where w.order_id = o.id)
      and (o.opened_at is null or o.opened_at > l.revoked_at or l.revoked_at - o.paid_at < $5::bigint * interval '1 ms')) as "isReturned",
  exists (select from refunds r where r.order_id = o.id and r.state <> 'failed' and r.by_kind = 'system' and r.reason = 'access_revoked') as "isByEnd",
  o.ended_why as "endedWhy"
from checkout_orders o join magic_links l on l.id = o.link_id
where o.link_id = $1 and o.viewer_id = $2 and o.provider = $3 and o.livemode = $4 and o.retired_at is null
  and (o.kind <> 'fan_sub' or o.ended_at is not null) and o.state in ('paid', 'partially_refunded', 'refunded')
order by o.paid_at desc limit 1`,
);

/** The newest payment of a viewer for a link, and whether it is given back; of a subscription only where it came too late. */
export const findEndedPayment = async (
  tx: Pick<Tx, 'query'>,
  { provider, livemode }: Realm,
  { linkId, viewerId, withinMs }: { linkId: string; viewerId: string; withinMs: number },
): Promise<EndedPayment | undefined> => (await tx.query(ended, [linkId, viewerId, provider, livemode, withinMs]))[0];
