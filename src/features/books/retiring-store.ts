import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

const others = statement<{ hasTests: boolean; hasReal: boolean }>(
  'orders_of_other_realms',
  `select exists (select from checkout_orders where not livemode and retired_at is null and (provider <> $1 or $2)
    and state in ('pending', 'paid', 'partially_refunded', 'disputed'))
    or exists (select from platform_subscriptions where not livemode and ended_at is null and (provider <> $1 or $2)) as "hasTests",
  not $2 and (exists (select from checkout_orders where livemode and retired_at is null and state in ('pending', 'paid', 'partially_refunded', 'disputed'))
    or exists (select from platform_subscriptions where livemode and ended_at is null)) as "hasReal"`,
);

/** Returns whether payments of another realm are still in force. */
export async function findOtherMoney(
  tx: Tx,
  { provider, livemode }: Realm,
): Promise<{ hasTests: boolean; hasReal: boolean }> {
  const [row] = await tx.query(others, [provider, livemode]);
  return row ?? { hasTests: false, hasReal: false };
}

const retired = statement<{ linkId: string | null }>(
  'orders_retired',
  `update checkout_orders set retired_at = $1, state = case when state = 'pending' then 'canceled' else state end,
  synced_version = synced_version + 1
where not livemode and retired_at is null returning link_id as "linkId"`,
);
const fansRetired = statement(
  'fans_retired',
  `update fan_subscriptions set retired_at = $1, status = 'canceled', ended_at = coalesce(ended_at, $1), synced_version = synced_version + 1
where source = 'paid' and not livemode and retired_at is null`,
);
const placesFreed = statement(
  'places_of_retired',
  `with gone as (delete from place_reservations p using checkout_orders o where o.id = p.order_id and o.retired_at is not null returning p.link_id),
counted as (select link_id, count(*)::int as n from gone group by 1)
update magic_links l set places_taken = greatest(0, l.places_taken - counted.n) from counted where l.id = counted.link_id`,
);

/**
 * Ends what test payments opened or are about to open, and the places that were kept for them; the rows stay.
 * @returns the links they were for, one an order
 */
export async function retireTestOrders(tx: Tx, now: Date): Promise<(string | null)[]> {
  const orders = await tx.query(retired, [now]);
  await tx.query(fansRetired, [now]);
  await tx.query(placesFreed, []);
  return orders.map(({ linkId }) => linkId);
}

const plansEnded = statement<{ userId: string | null }>(
  'plans_retired',
  `with gone as (
  update platform_subscriptions set status = 'canceled', ended_at = $1, synced_version = synced_version + 1
  where not livemode and ended_at is null returning user_id
), closed as (
  update plan_checkouts set state = 'failed' where not livemode and state = 'open'
), told as (
  update users u set subscription_status = 'inactive', trial_ends_at = null, plan_is_paused = false, plan_paused_until = null
  from gone g where u.id = g.user_id
)
select user_id as "userId" from gone`,
);

/** Ends plans that were taken with test cards, and what they give access to. @returns how many there were */
export const retireTestPlans = async (tx: Tx, now: Date): Promise<number> => (await tx.query(plansEnded, [now])).length;
