import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { feeOfOrderPart } from '../split-store.ts';

// What a bank has is not earned. The fee goes back in proportion to all that went back so far, as the provider counts: the cents of several parts add up.
const earned = statement(
  'link_earned',
  `update magic_links l set earnings_cents = coalesce((select sum(o.amount_cents - o.refunded_cents - o.fee_cents + ${feeOfOrderPart('o.refunded_cents')})
  from checkout_orders o where o.link_id = l.id and o.paid_at is not null and o.state not in ('disputed', 'charged_back')
  and o.provider = $2 and o.livemode = $3 and o.retired_at is null), 0) where l.id = $1`,
);

const earnedMore = statement(
  'link_earned_more',
  'update magic_links set earnings_cents = earnings_cents + $2 where id = $1',
);

/** Adds what one payment has brought its creator to what its link had. */
export async function addEarned(tx: Tx, linkId: string, cents: number): Promise<void> {
  await tx.query(earnedMore, [linkId, cents]);
}

/** Adds up again what a link has brought its creator. */
export async function sumEarned(tx: Tx, linkId: string, { provider, livemode }: Realm): Promise<void> {
  await tx.query(earned, [linkId, provider, livemode]);
}
