import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { SoldKind } from '#features/orders/contract.ts';

/** Whose books, and which stretch of them: a month or a year where they are. */
export interface StatementParams {
  creatorId: string;
  realm: Realm;
  currency: string;
  timeZone: string;
  /** Its first day as the calendar has it: 2026-11-01. */
  first: string;
  by: 'month' | 'year';
}

/** Where a line stands among those of its books. */
export interface Place {
  lineId: number;
  /** To the microsecond. */
  happenedAt: string;
}

/** A line of the books that changed what a creator is owed. */
export interface BookLine extends Place {
  kind: string;
  /** Where they are: "2026-11-12 09:30". */
  at: string;
  /** What it changed, below zero where it took. */
  cents: number;
  /** Of a sale: what was paid. */
  grossCents: number | null;
  orderId: string | null;
  sold: SoldKind | null;
  /** Of a subscription: what was paid for at once. */
  months: number | null;
  linkName: string | null;
}

const isOwn = 't.owner_user_id = $1 and t.provider = $2 and t.livemode = $3 and t.currency = $4 and t.owed_cents <> 0';
const began = `($6::timestamp at time zone $5)`;
const ended = `(($6::timestamp + ('1 ' || $7)::interval) at time zone $5)`;
const order = `left join checkout_orders o on o.charge_id = t.charge_id and o.creator_id = $1 and o.provider = $2 and o.livemode = $3`;
const valuesOf = ({ creatorId, realm, currency, timeZone, first, by }: StatementParams) => [
  ...[creatorId, realm.provider, realm.livemode, currency, timeZone, first, by],
];

const opening = statement<{ cents: number }>(
  'statement_opening',
  `select coalesce(sum(t.owed_cents), 0)::bigint as cents from ledger_transactions t where ${isOwn} and t.occurred_at < ${began} and $7::text is not null`,
);

/** What a creator was owed when the stretch began. */
export const sumBefore = async (tx: Tx, params: StatementParams): Promise<number> =>
  (await tx.query(opening, valuesOf(params)))[0]?.cents ?? 0;

/** Custom work is earned when it is released: for a creator that is its sale. */
const isReleased = "t.kind = 'transfer' and o.kind = 'request'";
const kindOf = `case when ${isReleased} then 'charge' else t.kind end`;
const grossOf = `case when t.kind = 'charge' then o.amount_cents when ${isReleased} then o.amount_cents - o.refunded_cents end`;

const bookLines = statement<BookLine>(
  'statement_lines',
  `select t.id::bigint as "lineId", t.occurred_at::text as "happenedAt", ${kindOf} as kind, to_char(t.occurred_at at time zone $5, 'YYYY-MM-DD HH24:MI') as at,
  t.owed_cents as cents, ${grossOf} as "grossCents", o.id as "orderId", o.kind as sold, o.months, l.link_name as "linkName"
from ledger_transactions t ${order} left join magic_links l on l.id = o.link_id
where ${isOwn} and (t.occurred_at, t.id) > (greatest($8::timestamptz, ${began}), $9::bigint) and t.occurred_at < ${ended}
order by t.occurred_at, t.id limit $10`,
);

/** The lines of the stretch in the order in which they happened, a page at a time. */
export const listBookLines = (
  tx: Tx,
  params: StatementParams,
  after: Place | undefined,
  limit: number,
): Promise<BookLine[]> =>
  tx.query(bookLines, [...valuesOf(params), after?.happenedAt ?? '-infinity', after?.lineId ?? 0, limit]);

/** What changed in one month of a year. */
export interface MonthSum {
  month: string;
  paid: number;
  fees: number;
  refunds: number;
  feesReturned: number;
  /** Of disputes, where they bear them. */
  disputeFees: number;
  payouts: number;
  other: number;
}

const months = statement<MonthSum>(
  'statement_months',
  `with line as (
  select date_trunc('month', t.occurred_at at time zone $5) as month, ${kindOf} as kind, t.owed_cents as cents,
    coalesce(${grossOf}, t.owed_cents) as gross
  from ledger_transactions t ${order} where ${isOwn} and t.occurred_at >= ${began} and t.occurred_at < ${ended}
)
select to_char(m.month, 'YYYY-MM') as month,
  coalesce(sum(gross) filter (where kind = 'charge'), 0)::bigint as paid,
  coalesce(sum(cents - gross) filter (where kind = 'charge'), 0)::bigint as fees,
  coalesce(sum(cents) filter (where kind = 'transfer_refund'), 0)::bigint as refunds,
  coalesce(sum(cents) filter (where kind = 'application_fee_refund'), 0)::bigint as "feesReturned",
  coalesce(sum(cents) filter (where kind = 'dispute_fee'), 0)::bigint as "disputeFees",
  coalesce(sum(cents) filter (where kind = 'payout'), 0)::bigint as payouts,
  coalesce(sum(cents) filter (where kind not in ('charge', 'transfer_refund', 'application_fee_refund', 'dispute_fee', 'payout')), 0)::bigint as other
from generate_series($6::timestamp, $6::timestamp + interval '11 months', interval '1 month') as m (month)
left join line on line.month = m.month group by m.month order by m.month`,
);

/** A year by its months, also those in which nothing happened. */
export const sumMonths = (tx: Tx, params: StatementParams): Promise<MonthSum[]> => tx.query(months, valuesOf(params));
