import { statement, type Tx } from '#engines/database/work.ts';
import type { MyEffects } from '../my-data-contract.ts';
import type { KnownPerson } from './person-store.ts';

const isTheirs = (of: string) => `(${of}.viewer_id = any($1::uuid[]) or ${of}.buyer_id = $2)`;

const effects = statement<Omit<MyEffects, 'isAccount'>>(
  'people_effects',
  `with open as (
  select o.kind, o.creator_name, o.paid_at from checkout_orders o join magic_links l on l.id = o.link_id
  where ${isTheirs('o')} and o.kind in ('tip', 'album', 'bundle') and not o.on_page and o.retired_at is null and o.viewer_id is not null
    and o.state in ('paid', 'partially_refunded', 'disputed') and o.ended_at is null and not l.is_revoked
    and (l.expires_at is null or l.expires_at > $3)
), fans as (
  select f.creator_name, f.source from fan_subscriptions f
  where ${isTheirs('f')} and f.ended_at is null and f.retired_at is null and (f.source = 'paid' or f.period_end is null or f.period_end > $3)
)
select
  (select count(*) from open)::int as purchases,
  coalesce((select json_agg(json_build_object('kind', s.kind, 'creatorName', s.creator_name)) from (
    select kind, creator_name from open order by paid_at desc limit 20) s), '[]') as losing,
  coalesce((select json_agg(s.creator_name) from (select distinct creator_name from fans where source = 'paid' order by 1 limit 20) s), '[]') as subscriptions,
  (select count(*) from fans where source = 'pass')::int as passes,
  (select count(*) from album_access_grants g where g.viewer_id = any($1::uuid[]) and g.revoked_at is null
    and (g.expires_at is null or g.expires_at > $3))::int as accesses,
  (select count(*) from custom_requests r where ${isTheirs('r')} and r.closed_at is null)::int as requests,
  (select count(*) from disputes d left join checkout_orders o on o.id = d.order_id
    where (d.viewer_id = any($1::uuid[]) or o.buyer_id = $2) and d.decided_at is null)::int as disputes,
  (select count(*) from (select from viewer_sessions s where s.viewer_id = any($1::uuid[]) limit 10000) v)::int as visits,
  (select count(*) from checkout_orders o where ${isTheirs('o')} and o.paid_at is not null)::int as payments`,
);

/** Counts what erasing somebody now would end, and what is kept. */
export async function findPersonEffects(
  tx: Pick<Tx, 'query'>,
  { viewerIds, buyerId, isAccount }: KnownPerson,
  now: Date,
): Promise<MyEffects> {
  const [row] = await tx.query(effects, [viewerIds, buyerId, now]);
  if (row === undefined) throw new Error('A person has no effects at all.');
  return { ...row, isAccount };
}
