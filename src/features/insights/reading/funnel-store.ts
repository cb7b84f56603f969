import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { Funnel } from '../contract.ts';
import { fresh, inSpan, type Span } from './overview-store.ts';

// Those in the sums are only counted; those not yet in them are few, and are looked up. Whoever is let in leaves the rows of the
// gates, so nobody stands in both. A view belongs to somebody who was let in, also where the span began between the two.
const funnel = statement<Funnel>(
  'insights_funnel',
  `with ${fresh}, kept as not materialized (
  select s.link_id, s.viewer_id, s.last_view_at >= p.starts_at as has_viewed
  from span p join link_seen s on s.creator_id = p.id and s.last_at >= p.starts_at where $4::uuid is null or s.link_id = $4
), come as materialized (
  select d.link_id, d.viewer_id, bool_or(d.kind = 'view') as has_viewed from fresh d join span p on ${inSpan}
  where d.kind in ('open', 'view') and ($4 is null or d.link_id = $4) group by 1, 2
), beyond as (
  select count(*) filter (where k.link_id is null) as let_in,
    count(*) filter (where c.has_viewed and k.has_viewed is not true) as viewed
  from come c left join kept k using (link_id, viewer_id)
), payers as (
  select distinct o.link_id, o.viewer_id from span p join checkout_orders o on o.creator_id = p.id and o.paid_at >= p.starts_at
  where o.provider = $5 and o.livemode = $6 and o.retired_at is null and not o.is_anonymous
    and o.state in ('paid', 'partially_refunded') and ($4 is null or o.link_id = $4)
), outside as (
  select count(*) as tapped, count(*) filter (where g.is_at_gate) as at_gates from span p
  join gate_visitors g on g.creator_id = p.id and g.last_at >= p.starts_at where $4 is null or g.link_id = $4
), inside as (
  select k.let_in + b.let_in as let_in, k.viewed + b.viewed as viewed, (select count(*) from payers y
    where exists (select from kept k where k.link_id = y.link_id and k.viewer_id = y.viewer_id and k.has_viewed)
      or exists (select from come c where c.link_id = y.link_id and c.viewer_id = y.viewer_id and c.has_viewed)) as paid
  from (select count(*) as let_in, count(*) filter (where has_viewed) as viewed from kept) k cross join beyond b
)
select (o.tapped + i.let_in)::int as tapped, (o.at_gates + i.let_in)::int as "atGates", i.let_in::int as "letIn", i.viewed::int as viewed,
  i.paid::int as paid
from outside o cross join inside i`,
);

/** Returns how far people came in a span, by all links of a creator or by one. */
export async function findFunnel(
  tx: Tx,
  { creatorId, now, days, linkId }: Span & { linkId: string | undefined },
  { provider, livemode }: Realm,
): Promise<Funnel> {
  const [row] = await tx.query(funnel, [creatorId, now, days, linkId ?? null, provider, livemode]);
  return row ?? { tapped: 0, atGates: 0, letIn: 0, viewed: 0, paid: 0 };
}
