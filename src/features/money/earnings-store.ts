import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { Cursor } from '#features/albums/rules.ts';
import type { EarningFilter, SoldKind } from './contract.ts';

export interface EarningSums {
  monthTips: number;
  monthPurchases: number;
  monthSubscriptions: number;
  lifetime: number;
  available: number;
  pending: number;
  pendingUntil: Date | null;
  lastTipCents: number | null;
  lastTipAt: Date | null;
  begunAt: Date | null;
}

// Money on its way to the creator may be used when it has settled; what is taken back is taken at once.
const sums = statement<EarningSums>(
  'earning_sums',
  `with own as (
  select e.amount_cents, a.key, t.kind, t.occurred_at, t.charge_id,
    case when t.kind in ('transfer', 'application_fee') then t.available_at else t.occurred_at end as available_at
  from ledger_entries e join ledger_accounts a on a.id = e.account_id join ledger_transactions t on t.id = e.transaction_id
  where e.owner_user_id = $1 and e.provider = $2 and e.livemode = $3 and e.currency = $4
), earned as (
  select -own.amount_cents as cents, own.occurred_at, coalesce(o.kind, 'tip') as sold
  from own left join checkout_orders o on o.charge_id = own.charge_id and o.creator_id = $1
  where own.key like 'liability:creator:%' and own.kind <> 'payout'
), month as (select date_trunc('month', $5::timestamptz at time zone $6) at time zone $6 as began),
last as (select amount_cents - fee_cents as cents, paid_at from checkout_orders
  where creator_id = $1 and kind = 'tip' and paid_at is not null and provider = $2 and livemode = $3 and currency = $4 order by paid_at desc limit 1)
select coalesce(sum(cents) filter (where sold = 'tip' and occurred_at >= began), 0)::bigint as "monthTips",
  coalesce(sum(cents) filter (where sold not in ('tip', 'fan_sub') and occurred_at >= began), 0)::bigint as "monthPurchases",
  coalesce(sum(cents) filter (where sold = 'fan_sub' and occurred_at >= began), 0)::bigint as "monthSubscriptions",
  coalesce(sum(cents), 0)::bigint as lifetime, min(occurred_at) as "begunAt",
  (select coalesce(sum(amount_cents), 0)::bigint from own where key like 'custody:%' and available_at <= $5) as available,
  (select coalesce(sum(amount_cents), 0)::bigint from own where key like 'custody:%' and available_at > $5) as pending,
  (select min(available_at) from own where key like 'custody:%' and available_at > $5) as "pendingUntil",
  (select cents::bigint from last) as "lastTipCents", (select paid_at from last) as "lastTipAt"
from month left join earned on true`,
);

/** What a creator earned and has. @param timeZone where her months begin */
export async function sumEarnings(
  tx: Tx,
  {
    creatorId,
    realm,
    currency,
    now,
    timeZone,
  }: { creatorId: string; realm: Realm; currency: string; now: Date; timeZone: string },
): Promise<EarningSums> {
  const [row] = await tx.ask(sums, [creatorId, realm.provider, realm.livemode, currency, now, timeZone]);
  if (row === undefined) throw new Error('sums without a row');
  return row;
}

export interface EarningLine {
  /** The order's, or one made of it for what went back. */
  id: string;
  orderId: string;
  isRefund: boolean;
  kind: SoldKind;
  at: Date;
  amountCents: number;
  grossCents: number;
  currency: string;
  state: string;
  isReturning: boolean;
  message: string;
  linkId: string | null;
  linkName: string | null;
  availableAt: Date;
}

const inBooks = (what: 'charge' | 'refund') => `join lateral (
    select -sum(e.amount_cents)::bigint as cents, max(t.occurred_at) as at, max(t.available_at) as available_at
    from ledger_transactions t join ledger_entries e on e.transaction_id = t.id and e.owner_user_id = $1
    join ledger_accounts a on a.id = e.account_id and a.key like 'liability:creator:%'
    where t.charge_id = o.charge_id and t.provider = $2 and t.livemode = $3 and t.kind ${what === 'charge' ? '=' : '<>'} 'charge'
    having count(*) > 0) x on true`;
const isWanted = `o.creator_id = $1 and o.provider = $2 and o.livemode = $3 and o.paid_at is not null`;
/** Where the page before ended; a bound that is always one, so that the index is entered there. */
const before = "(coalesce($5::timestamptz, 'infinity'), coalesce($6::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))";

// What was paid is taken from its index, as much as fits the page; what went back is little, and sorted each time.
const lines = statement<EarningLine>(
  'earning_lines',
  `with line as (
  (select o.id, o.id as order_id, false as is_refund, o.paid_at as at, x.cents, x.available_at
  from checkout_orders o ${inBooks('charge')}
  where ${isWanted} and ($4 = 'all' or ($4 = 'tips' and o.kind = 'tip') or ($4 = 'albums' and o.kind in ('album', 'bundle'))
      or ($4 = 'subscriptions' and o.kind = 'fan_sub'))
    and (o.paid_at, o.id) < ${before}
  order by o.paid_at desc, o.id desc limit $7)
  union all
  select overlay(o.id::text placing '8' from 15 for 1)::uuid, o.id, true, x.at, x.cents, x.available_at
  from checkout_orders o ${inBooks('refund')}
  where ${isWanted} and (o.refunded_cents > 0 or o.state in ('disputed', 'charged_back')) and $4 in ('all', 'refunds')
)
select line.id, o.id as "orderId", line.is_refund as "isRefund", o.kind, line.at, line.cents as "amountCents",
  case when line.is_refund then o.refunded_cents else o.amount_cents end as "grossCents", o.currency, o.state,
  exists (select from refunds r where r.order_id = o.id and r.state = 'pending') as "isReturning", o.message,
  l.id as "linkId", l.link_name as "linkName", line.available_at as "availableAt"
from line join checkout_orders o on o.id = line.order_id left join magic_links l on l.id = o.link_id
where (line.at, line.id) < ${before}
order by line.at desc, line.id desc limit $7`,
);

/** What a creator earned and what went back, newest first. */
export const listLines = (
  tx: Tx,
  wish: {
    creatorId: string;
    realm: Realm;
    filter: EarningFilter;
    after: Cursor | undefined;
    limit: number;
  },
): Promise<EarningLine[]> => {
  const { creatorId, realm, filter, after, limit } = wish;
  const place = [after?.at ?? null, after?.id ?? null];
  return tx.ask(lines, [creatorId, realm.provider, realm.livemode, filter, ...place, limit]);
};

/** What came in within a day or month, and what went back, below zero. */
export interface EarningPart {
  day: string;
  tips: number;
  albums: number;
  subscriptions: number;
  refunds: number;
}

const parts = statement<EarningPart>(
  'earning_parts',
  `with span as (
  select date_trunc($7, $5::timestamptz at time zone $6) as last,
    date_trunc($7, $5::timestamptz at time zone $6) - ($8::int - 1) * ('1 ' || $7)::interval as first
), sums as (
  select date_trunc($7, t.occurred_at at time zone $6) as day,
    -sum(e.amount_cents) filter (where t.kind = 'charge' and coalesce(o.kind, 'tip') = 'tip') as tips,
    -sum(e.amount_cents) filter (where t.kind = 'charge' and o.kind not in ('tip', 'fan_sub')) as albums,
    -sum(e.amount_cents) filter (where t.kind = 'charge' and o.kind = 'fan_sub') as subscriptions,
    -sum(e.amount_cents) filter (where t.kind <> 'charge') as refunds
  from ledger_entries e join ledger_accounts a on a.id = e.account_id join ledger_transactions t on t.id = e.transaction_id
  left join checkout_orders o on o.charge_id = t.charge_id and o.creator_id = $1 and o.provider = $2 and o.livemode = $3
  where e.owner_user_id = $1 and e.provider = $2 and e.livemode = $3 and e.currency = $4
    and a.key like 'liability:creator:%' and t.kind <> 'payout' and t.occurred_at >= (select first at time zone $6 from span)
  group by 1
)
select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(tips, 0)::bigint as tips, coalesce(albums, 0)::bigint as albums,
  coalesce(subscriptions, 0)::bigint as subscriptions, coalesce(refunds, 0)::bigint as refunds
from span cross join generate_series(span.first, span.last, ('1 ' || $7)::interval) as d (day) left join sums on sums.day = d.day
order by d.day`,
);

/** What a creator earned by day or month where she is, oldest first, also where it was nothing. */
export const listParts = (
  tx: Tx,
  wish: {
    creatorId: string;
    realm: Realm;
    currency: string;
    now: Date;
    timeZone: string;
    by: 'day' | 'month';
    count: number;
  },
): Promise<EarningPart[]> => {
  const { creatorId, realm, currency, now, timeZone, by, count } = wish;
  return tx.ask(parts, [creatorId, realm.provider, realm.livemode, currency, now, timeZone, by, count]);
};

const pendings = statement<{ on: string; cents: number }>(
  'earnings_pending',
  `select to_char(t.available_at at time zone $6, 'YYYY-MM-DD') as on, sum(e.amount_cents)::bigint as cents
from ledger_entries e join ledger_accounts a on a.id = e.account_id join ledger_transactions t on t.id = e.transaction_id
where e.owner_user_id = $1 and e.provider = $2 and e.livemode = $3 and e.currency = $4 and a.key like 'custody:%'
  and t.kind in ('transfer', 'application_fee') and t.available_at > $5
group by 1 order by 1 limit 60`,
);

/** What is on its way to a creator, by the day from which she can have it. */
export const listPending = (
  tx: Tx,
  wish: { creatorId: string; realm: Realm; currency: string; now: Date; timeZone: string },
): Promise<{ on: string; cents: number }[]> => {
  const { creatorId, realm, currency, now, timeZone } = wish;
  return tx.ask(pendings, [creatorId, realm.provider, realm.livemode, currency, now, timeZone]);
};

const paidOut = statement<{ id: string; at: Date; cents: number }>(
  'payouts_made',
  `select e.id::text as id, t.occurred_at as at, e.amount_cents as cents
from ledger_transactions t join ledger_entries e on e.transaction_id = t.id join ledger_accounts a on a.id = e.account_id
where t.kind = 'payout' and e.owner_user_id = $1 and e.provider = $2 and e.livemode = $3 and e.currency = $4 and a.key like 'liability:creator:%'
order by t.occurred_at desc, e.id desc limit 50`,
);

/** What was paid out to a creator, newest first; below zero what came back. */
export const listPayouts = (
  tx: Tx,
  { creatorId, realm, currency }: { creatorId: string; realm: Realm; currency: string },
): Promise<{ id: string; at: Date; cents: number }[]> =>
  tx.ask(paidOut, [creatorId, realm.provider, realm.livemode, currency]);
