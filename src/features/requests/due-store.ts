import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { refundOnDeleteMs } from '#features/albums/rules.ts';
import { refundOnLeavingMs, refundOnTakedownMs } from '#features/orders/rules.ts';
import { removedLinks } from '#features/returns/taken-down-store.ts';
import { endedDeliveries, isEnding } from './ended-deliveries.ts';
import type { Step } from './rules.ts';

type DueStep = Extract<Step, { by: 'system' }>['do'];

// One whose payment is just being made is left to it; the provider ends that soon enough.
// What we closed goes back even while somebody is to decide about it; what is with a bank is the bank's. After the release it goes
// back as every sale does that was taken down or whose creator leaves, unless its payment was ever disputed: then its money has gone other ways, and people look at it.
const due = statement<{ id: string; step: DueStep }>(
  'requests_due',
  `with removed as (${removedLinks}), ended as (${endedDeliveries}), seen as (
  select r.id, r.act_until, case
    when o.state in ('paid', 'partially_refunded') and r.delivery_link_id in (select link_id from removed) then 'takedown'
    when o.state in ('paid', 'partially_refunded') and u.status = 'suspended' then 'suspend'
    when r.state = 'problem' then null
    when r.creator_id is null or u.status in ('deleting', 'deleted') then 'leave'
    when r.state = 'delivered' and o.state in ('paid', 'partially_refunded') and r.id in (select id from ended) then 'end'
    when r.stopped_at is null and r.act_until <= $3 and not (r.state = 'delivered' and ${isEnding}) then 'wait' end as step
  from custom_requests r left join users u on u.id = r.creator_id left join checkout_orders o on o.id = r.order_id
  where r.closed_at is null and r.provider = $1 and r.livemode = $2
  union
  select r.id, r.act_until, e.step from (
    select r.id, d.at - $4::bigint * interval '1 ms' as since, 'takedown' as step
    from removed d join custom_requests r on r.delivery_link_id = d.link_id
    union all
    select d.id, d.at - (case when d.is_deleted then $6 else $5 end)::bigint * interval '1 ms', 'end' from ended d
    union all
    select r.id, $3::timestamptz - $5::bigint * interval '1 ms', 'leave'
    from users u join custom_requests r on r.creator_id = u.id where u.status in ('deleting', 'deleted')
  ) e join custom_requests r on r.id = e.id join checkout_orders o on o.id = r.order_id
  join held_releases h on h.order_id = o.id and h.state = 'done'
  where r.state = 'released' and r.provider = $1 and r.livemode = $2 and o.state in ('paid', 'partially_refunded') and o.paid_at > e.since
    and not exists (select from disputes x where x.order_id = o.id)
)
select s.id, s.step from seen s where s.step is not null
  and not exists (select from checkout_orders o where o.request_id = s.id and o.state = 'pending' and o.expires_at > $3)
order by s.act_until limit 200`,
);

/**
 * Requests whose time is over, whose creator leaves, is suspended or has ended access, or whose delivery was taken down.
 * @param undoMs how long a block can be undone
 */
export const listDue = (
  tx: Tx,
  { provider, livemode }: Realm,
  now: Date,
  undoMs: number,
): Promise<{ id: string; step: DueStep }[]> =>
  tx.query(due, [provider, livemode, now, refundOnTakedownMs, refundOnLeavingMs, refundOnDeleteMs, undoMs]);
