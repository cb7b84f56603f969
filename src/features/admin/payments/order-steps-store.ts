import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { OrderEntry, OrderStep } from '../payments-contract.ts';

const mostSteps = 200;
const mostEntries = 200;

/** What became of a payment, in its order: each step from the row that knows it. */
export async function listOrderSteps(tx: Tx, orderId: string): Promise<OrderStep[]> {
  const { rows } = await sql<OrderStep>`
    with o as (select * from checkout_orders where id = ${orderId}), r as (select * from refunds where order_id = ${orderId}),
      q as (select * from refund_requests where order_id = ${orderId}), d as (select * from disputes where order_id = ${orderId})
    select at, what, cents as "amountCents", by, reason, note from (
      select o.created_at as at, 'began' as what, o.amount_cents as cents, null as by, null as reason, '' as note from o
      union all select o.paid_at, 'paid', o.amount_cents, null, null, '' from o where o.paid_at is not null
      union all select coalesce(o.ended_at, o.expires_at), 'ended', null, null, coalesce(o.ended_why, o.state), '' from o
        where o.paid_at is null and o.state in ('expired', 'failed', 'canceled')
      union all select q.created_at, 'asked_back', null, null, q.reason, q.text from q
      union all select q.answered_at, 'answered', null, q.answered_by, q.state, q.answer from q where q.answered_at is not null
      union all select r.created_at, 'refund_asked', r.amount_cents, r.by_kind, r.reason, r.note from r
      union all select r.settled_at, case r.state when 'failed' then 'refund_failed' else 'refund_made' end, r.amount_cents, null,
        null, coalesce(r.last_error, '') from r where r.state <> 'pending' and r.settled_at is not null
      union all select d.opened_at, 'disputed', d.amount_cents, null, d.reason, '' from d
      union all select d.submitted_at, 'evidence_submitted', null, null, null, '' from d where d.submitted_at is not null
      union all select d.decided_at, 'dispute_decided', null, null, d.standing, '' from d where d.decided_at is not null
      union all select h.done_at, 'released', h.amount_cents, null, null, '' from held_releases h
        where h.order_id = ${orderId} and h.done_at is not null
      union all (select t.available_at, 'available', null, null, null, '' from ledger_transactions t, o
        where t.charge_id = o.charge_id and t.provider = o.provider and t.livemode = o.livemode and t.kind = 'transfer'
        order by t.id limit 1)
    ) s where at is not null order by at, what limit ${mostSteps}`.execute(tx.db);
  return rows;
}

/** What a payment has moved in the books, in its order. */
export async function listOrderEntries(tx: Tx, orderId: string): Promise<OrderEntry[]> {
  const { rows } = await sql<OrderEntry>`
    select t.occurred_at as at, t.kind, a.key as account, e.amount_cents as "amountCents", t.currency
    from checkout_orders o
    join ledger_transactions t on t.charge_id = o.charge_id and t.provider = o.provider and t.livemode = o.livemode
    join ledger_entries e on e.transaction_id = t.id join ledger_accounts a on a.id = e.account_id
    where o.id = ${orderId} order by t.id, a.key limit ${mostEntries}`.execute(tx.db);
  return rows;
}
