/**
 * Returns what a viewer last took to their bank of what they paid this creator, except what they paid anonymously: to say it of them would
 * say who paid. A dispute that came to nothing is none, nor is one of a test payment once real money is taken. $1 is the creator.
 * Its order is said otherwise than that of `disputes_creator`: where nothing is sorted, all disputes of a creator would be read for each viewer.
 */
export const disputeOf = (viewer: string) => `(select json_build_object('at', d.opened_at, 'state', d.standing)
  from disputes d join checkout_orders o on o.id = d.order_id
  where d.creator_id = $1 and d.viewer_id = ${viewer} and d.standing in ('open', 'won', 'lost') and not o.is_anonymous and o.retired_at is null
  order by d.opened_at desc nulls last, d.id desc limit 1)`;

/**
 * What a viewer has paid this creator and not got back, but for what was paid anonymously: beside few viewers it would say who paid. $1 is
 * the creator, $7 to $9 the realm of the money and its currency.
 */
export const spentOf = (
  viewer: string,
) => `(select coalesce(sum(o.amount_cents - o.refunded_cents), 0)::bigint from checkout_orders o
  where o.viewer_id = ${viewer} and o.creator_id = $1 and o.paid_at is not null and o.state in ('paid', 'partially_refunded')
  and not o.is_anonymous and o.retired_at is null and o.provider = $7 and o.livemode = $8 and o.currency = $9)`;
