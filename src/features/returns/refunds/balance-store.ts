import { statement, type Tx } from '#engines/database/work.ts';
import { feeOfOrderPart } from '#features/orders/split-store.ts';

const held = statement<{ userId: string }>(
  'refund_payee_held',
  `select a.user_id as "userId" from user_stripe_accounts a join checkout_orders o on o.creator_id = a.user_id and o.provider = a.provider and o.livemode = a.livemode
where o.id = $1 for update of a`,
);

/** Returns what of a sum of order `o` was its creator's. */
const shareOf = (cents: string) => `(${cents} - ${feeOfOrderPart(cents)})`;

const after = statement<{ cents: number }>(
  'refund_balance_after',
  `select (
  coalesce((select sum(d.held_cents) from ledger_days d where d.owner_user_id = w.creator_id and d.provider = w.provider and d.livemode = w.livemode and d.currency = w.currency), 0)
  - coalesce((select sum(${shareOf('r.amount_cents')}) from refunds r join checkout_orders o on o.id = r.order_id
    where r.creator_id = w.creator_id and r.state = 'pending' and o.provider = w.provider and o.livemode = w.livemode and o.currency = w.currency
      and o.request_id is null), 0)
  - (select ${shareOf('(o.amount_cents - o.refunded_cents)')} from checkout_orders o where o.id = w.id)
)::bigint as cents from checkout_orders w where w.id = $1`,
);

/** What its creator has once all that is left of an order has gone back; one of their refunds after the other asks. */
export async function findBalanceAfter(tx: Tx, orderId: string): Promise<number> {
  await tx.query(held, [orderId]);
  return (await tx.query(after, [orderId]))[0]?.cents ?? 0;
}
