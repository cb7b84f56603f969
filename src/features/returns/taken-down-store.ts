import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { isUnasked } from './refunds/owed-store.ts';

/**
 * Links that were removed in the month before $3, after a report or because somebody who is shown took their consent back, and when.
 * An album that is removed closes every link that it is in.
 */
export const removedLinks = `
select t.link_id, coalesce(l.taken_down_at, r.decided_at) as at from reports r join report_targets t on t.report_id = r.id
  join magic_links l on l.id = t.link_id where r.state = 'removed' and r.decided_at > $3::timestamptz - interval '30 days'
union all
select x.link_id, coalesce(a.taken_down_at, r.decided_at) from reports r join report_targets t on t.report_id = r.id
  join albums a on a.id = t.album_id join link_albums x on x.album_id = a.id
where r.state = 'removed' and r.decided_at > $3::timestamptz - interval '30 days'
union all
select x.link_id, p.at from co_performers p join link_albums x on x.album_id = p.album_id
where p.consent_state = 'withdrawn' and p.ended_at is null and p.at > $3::timestamptz - interval '30 days'`;

// A subscription opens more than what was removed, and custom work has rules of its own.
const taken = statement<{ orderId: string }>(
  'orders_taken_down',
  `select distinct o.id as "orderId" from (${removedLinks}) d join checkout_orders o on o.link_id = d.link_id
where o.state in ('paid', 'partially_refunded') and o.kind in ('tip', 'album', 'bundle') and not o.on_page and o.request_id is null
  and o.provider = $1 and o.livemode = $2 and o.retired_at is null and o.paid_at > d.at - $4::bigint * interval '1 ms'
  and ${isUnasked}
limit 100`,
);

/** What was paid within some time before we took down what it was for. */
export const listTakenDown = async (
  tx: Tx,
  { provider, livemode }: Realm,
  now: Date,
  withinMs: number,
): Promise<string[]> => (await tx.query(taken, [provider, livemode, now, withinMs])).map(({ orderId }) => orderId);
