import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { SoldKind } from '#features/orders/contract.ts';
import { isReported } from '#features/orders/refunds-store.ts';

export interface EarningOrderRow {
  orderId: string;
  kind: SoldKind;
  months: number;
  state: 'paid' | 'partially_refunded' | 'refunded' | 'disputed' | 'charged_back';
  at: Date;
  receiptNumber: number | null;
  amountCents: number;
  feeCents: number;
  refundedCents: number;
  keptCents: number;
  disputeFeeCents: number;
  isReported: boolean;
  currency: string;
  requestId: string | null;
  linkId: string | null;
  linkName: string | null;
  visitLinkId: string | null;
  visitAt: Date | null;
  country: string | null;
  source: string | null;
  browser: string | null;
  system: string | null;
}

/** Returns what the books have of order `o` for them, by some of its movements. */
const owedOf = (
  which: string,
) => `coalesce((select sum(t.owed_cents) from ledger_transactions t where t.charge_id = o.charge_id and t.owner_user_id = $2
    and t.provider = $3 and t.livemode = $4 and ${which}), 0)::bigint`;

// A subscription opens more than the link at which it was begun.
const one = statement<EarningOrderRow>(
  'earning_order',
  `select o.id as "orderId", o.kind, o.months, o.state, o.paid_at as at, r.number as "receiptNumber", o.amount_cents as "amountCents",
  o.fee_cents as "feeCents", o.refunded_cents as "refundedCents", o.currency, o.request_id as "requestId", l.id as "linkId", l.link_name as "linkName",
  ${isReported} as "isReported", ${owedOf("t.kind <> 'dispute_fee'")} as "keptCents", -${owedOf("t.kind = 'dispute_fee'")} as "disputeFeeCents",
  v.link_id as "visitLinkId", v.started_at as "visitAt", v.country, v.location_source as source, v.ua_family as browser, v.os_family as system
from checkout_orders o left join receipts r on r.order_id = o.id left join magic_links l on l.id = o.link_id
left join lateral (select s.* from viewer_sessions s where s.viewer_id = o.viewer_id and s.creator_id = $2 and not o.is_anonymous
    and (o.kind = 'fan_sub' or s.link_id = o.link_id)
  order by s.started_at < o.paid_at, abs(extract(epoch from s.started_at - o.paid_at)) limit 1) v on true
where o.id = $1 and o.creator_id = $2 and o.provider = $3 and o.livemode = $4 and o.paid_at is not null`,
);

/** A payment of a creator; undefined for one of somebody else, and before it is paid. */
export const findEarningOrder = async (
  tx: Tx,
  orderId: string,
  { creatorId, realm: { provider, livemode } }: { creatorId: string; realm: Realm },
): Promise<EarningOrderRow | undefined> => (await tx.query(one, [orderId, creatorId, provider, livemode]))[0];
