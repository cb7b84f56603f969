import { longStatement, statement, type Tx } from '#engines/database/work.ts';

// Whoever can still open what they paid for keeps it in their own browser; else the payment's address is enough.
const unlinked = statement<{ id: string }>(
  'orders_unlinked',
  `update checkout_orders set viewer_id = null, message = '', signed_by = '' where id in (
  select o.id from checkout_orders o left join magic_links l on l.id = o.link_id
  where o.created_at < $1 and o.viewer_id is not null and o.state <> 'pending' and o.fan_subscription_id is null
    and (o.state not in ('paid', 'partially_refunded', 'disputed') or o.on_page or l.id is null or l.is_revoked or l.expires_at < $1)
  order by o.created_at limit 1000) returning id`,
);

/** Takes the viewer out of orders of before a moment that open nothing any more. @returns how many */
export const unlinkViewers = async (tx: Tx, before: Date): Promise<number> =>
  (await tx.query(unlinked, [before])).length;

const oldBuyers = statement<{ id: string }>(
  'buyers_of_long_ago',
  `select b.id from buyers b where b.created_at < $1 and b.email not like '%@erased.invalid'
  and not exists (select from checkout_orders o where o.buyer_id = b.id and coalesce(o.paid_at, o.created_at) >= $1)
  and not exists (select from fan_subscriptions f where f.buyer_id = b.id and coalesce(f.ended_at, now()) >= $1)
  and not exists (select from custom_requests r where r.buyer_id = b.id and coalesce(r.closed_at, now()) >= $1)
order by b.created_at limit 100`,
);

/** Buyers whose last payment is older than the law asks for. */
export const listOldBuyers = async (tx: Tx, before: Date): Promise<string[]> =>
  (await tx.query(oldBuyers, [before])).map(({ id }) => id);

// The table itself refuses to lose an entry of the last 24 whole months (0441).
const oldestMonth = longStatement<{ count: number }>(
  'audit_month_forgotten',
  `with first as (
  select date_trunc('month', min(a.at) at time zone 'utc') as month from audit_log a
), gone as (
  delete from audit_log a using first f
  where f.month < date_trunc('month', now() at time zone 'utc') - interval '24 months' and a.at < (f.month + interval '1 month') at time zone 'utc'
  returning 1
)
select count(*)::int as count from gone`,
);
const patience = statement('audit_forgotten_patience', `select set_config('statement_timeout', '300s', true)`);

/**
 * Forgets the oldest month of the audit log, all of it or nothing, if it is over for more than 24 months by the clock of the
 * database, which has dated the entries. @returns how many entries
 */
export async function forgetAuditMonth(tx: Tx): Promise<number> {
  await tx.query(patience, []);
  return (await tx.query(oldestMonth, []))[0]?.count ?? 0;
}
