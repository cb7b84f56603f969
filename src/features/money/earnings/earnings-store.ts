import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { Cursor } from '#features/albums/rules.ts';
import type { SoldKind } from '#features/orders/contract.ts';
import { isReported } from '#features/orders/refunds-store.ts';
import type { EarningFilter } from '../contract.ts';

export interface EarningSums {
  monthTips: number;
  monthPurchases: number;
  monthSubscriptions: number;
  monthCustom: number;
  lifetime: number;
  available: number;
  pending: number;
  pendingUntil: Date | null;
  lastTipCents: number | null;
  lastTipAt: Date | null;
  begunAt: Date | null;
}

const ofDays = 'd.owner_user_id = $1 and d.provider = $2 and d.livemode = $3 and d.currency = $4';
const ofBooks = 't.owner_user_id = $1 and t.provider = $2 and t.livemode = $3 and t.currency = $4';
const isEarned = (from: 't' | 'd') => `${from}.owed_cents <> 0 and ${from}.kind <> 'payout'`;
/** Money on its way to the creator may be used when it has settled; what is taken back is taken at once. */
const isSettling = `t.held_cents <> 0 and t.kind in ('transfer', 'application_fee') and t.available_at > $5`;

// Whole days of UTC are added up already; their month begins within one.
const sums = statement<EarningSums>(
  'earning_sums',
  `with month as (
  select m.began, (date_trunc('day', m.began at time zone 'UTC' - interval '1 us') + interval '1 day') at time zone 'UTC' as whole
  from (select date_trunc('month', $5::timestamptz at time zone $6) at time zone $6 as began) m
), in_month as (
  select d.sold, d.owed_cents from ledger_days d where ${ofDays} and ${isEarned('d')} and d.day >= (select (whole at time zone 'UTC')::date from month)
  union all
  select coalesce(t.sold, ''), t.owed_cents from ledger_transactions t
  where ${ofBooks} and ${isEarned('t')} and t.occurred_at >= (select began from month) and t.occurred_at < (select whole from month)
), whole as (
  select coalesce(sum(d.owed_cents) filter (where d.kind <> 'payout'), 0) as owed, coalesce(sum(d.held_cents), 0) as held
  from ledger_days d where ${ofDays}
), settling as (
  select coalesce(sum(t.held_cents), 0) as held, min(t.available_at) as until from ledger_transactions t where ${ofBooks} and ${isSettling}
), last as (select amount_cents - fee_cents as cents, paid_at from checkout_orders
  where creator_id = $1 and kind = 'tip' and paid_at is not null and provider = $2 and livemode = $3 and currency = $4 order by paid_at desc limit 1)
select (select coalesce(sum(owed_cents), 0) from in_month where sold in ('', 'tip'))::bigint as "monthTips",
  (select coalesce(sum(owed_cents), 0) from in_month where sold not in ('', 'tip', 'fan_sub', 'request'))::bigint as "monthPurchases",
  (select coalesce(sum(owed_cents), 0) from in_month where sold = 'fan_sub')::bigint as "monthSubscriptions",
  (select coalesce(sum(owed_cents), 0) from in_month where sold = 'request')::bigint as "monthCustom",
  whole.owed::bigint as lifetime, (whole.held - settling.held)::bigint as available, settling.held::bigint as pending, settling.until as "pendingUntil",
  (select t.occurred_at from ledger_transactions t where ${ofBooks} and ${isEarned('t')} order by t.occurred_at limit 1) as "begunAt",
  (select cents::bigint from last) as "lastTipCents", (select paid_at from last) as "lastTipAt"
from whole cross join settling`,
);

/** What a creator earned and has. @param timeZone where their months begin */
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
  const [row] = await tx.query(sums, [creatorId, realm.provider, realm.livemode, currency, now, timeZone]);
  if (row === undefined) throw new Error('sums without a row');
  return row;
}

export interface EarningLine {
  /** The order's, or one made of it for what went back. */
  id: string;
  orderId: string;
  isRefund: boolean;
  /** Of this it tells what the platform kept, or gave back. */
  isFee: boolean;
  /** Of this it tells what of a dispute's fee they bore, or was given back. */
  isDisputeFee: boolean;
  kind: SoldKind;
  at: Date;
  amountCents: number;
  grossCents: number;
  currency: string;
  state: string;
  isReturning: boolean;
  isReported: boolean;
  message: string;
  signedBy: string;
  isOnPage: boolean;
  months: number;
  linkId: string | null;
  linkName: string | null;
  availableAt: Date;
}

// What is given again after a dispute was won was earned before.
const isRelease = `t.kind = 'transfer' and o.kind = 'request' and not exists (select from ledger_transactions u
  where u.charge_id = t.charge_id and u.kind = 'transfer' and u.owner_user_id = $1 and u.provider = $2 and u.livemode = $3 and u.id < t.id)`;
const inBooks = (what: 'charge' | 'refund') => `join lateral (
    select sum(t.owed_cents)::bigint as cents, max(t.occurred_at) as at, max(t.available_at) as available_at from ledger_transactions t
    where t.charge_id = o.charge_id and t.owner_user_id = $1 and t.owed_cents <> 0 and t.kind <> 'dispute_fee' and t.provider = $2 and t.livemode = $3
      and (t.kind = 'charge' or (${isRelease})) = ${what === 'charge'}
    having count(*) > 0) x on true`;
const isWanted = `o.creator_id = $1 and o.provider = $2 and o.livemode = $3 and o.paid_at is not null`;
/** Where the page before ended; a bound that is always one, so that the index is entered there. */
const before = "(coalesce($5::timestamptz, 'infinity'), coalesce($6::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))";

/** What of a payment went back in all. */
const backOf = `case when o.state in ('disputed', 'charged_back') then o.amount_cents else o.refunded_cents end`;
/** Custom work is sold for what its creator was released. */
const soldFor = `case when o.kind = 'request' then o.amount_cents - o.refunded_cents else o.amount_cents end`;

// What was paid is taken from its index, as much as fits the page; what went back is little, and sorted each time.
const lines = statement<EarningLine>(
  'earning_lines',
  `with line as (
  (select o.id, o.id as order_id, false as is_refund, false as is_dispute_fee, o.paid_at as at, case when $4 = 'fees' then x.cents - ${soldFor} else x.cents end as cents, x.available_at
  from checkout_orders o ${inBooks('charge')}
  where ${isWanted} and ($4 in ('all', 'fees') or ($4 = 'tips' and o.kind = 'tip') or ($4 = 'albums' and o.kind in ('album', 'bundle'))
      or ($4 = 'subscriptions' and o.kind = 'fan_sub') or ($4 = 'customs' and o.kind = 'request'))
    and (o.paid_at, o.id) < ${before}
  order by o.paid_at desc, o.id desc limit $7)
  union all
  select overlay(o.id::text placing '8' from 15 for 1)::uuid, o.id, true, false, x.at, case when $4 = 'fees' then ${backOf} + x.cents else x.cents end, x.available_at
  from checkout_orders o ${inBooks('refund')}
  where ${isWanted} and (o.refunded_cents > 0 or o.state in ('disputed', 'charged_back')) and $4 in ('all', 'refunds', 'fees')
  union all
  select overlay(overlay(md5(t.source_key) placing '8' from 13) placing '8' from 17)::uuid, o.id, false, true, t.occurred_at, t.owed_cents, t.available_at
  from ledger_transactions t join checkout_orders o on o.charge_id = t.charge_id and ${isWanted}
  where t.owner_user_id = $1 and t.provider = $2 and t.livemode = $3 and t.kind = 'dispute_fee' and t.owed_cents <> 0 and $4 in ('all', 'fees')
)
select line.id, o.id as "orderId", line.is_refund as "isRefund", $4 = 'fees' as "isFee", line.is_dispute_fee as "isDisputeFee", o.kind, line.at, line.cents as "amountCents",
  case when line.is_refund then ${backOf} else o.amount_cents end as "grossCents", o.currency, o.state,
  exists (select from refunds r where r.order_id = o.id and r.state = 'pending') as "isReturning", ${isReported} as "isReported", o.message,
  o.signed_by as "signedBy", o.on_page as "isOnPage", o.months,
  l.id as "linkId", l.link_name as "linkName", line.available_at as "availableAt"
from line join checkout_orders o on o.id = line.order_id left join magic_links l on l.id = o.link_id
where (line.at, line.id) < ${before} and ($4 <> 'fees' or line.cents <> 0)
order by line.at desc, line.id desc limit $7`,
);

/** What a creator earned and what went back, newest first. */
export const listLines = (
  tx: Tx,
  params: {
    creatorId: string;
    realm: Realm;
    filter: Exclude<EarningFilter, 'payouts'>;
    after: Cursor | undefined;
    limit: number;
  },
): Promise<EarningLine[]> => {
  const { creatorId, realm, filter, after, limit } = params;
  const place = [after?.at ?? null, after?.id ?? null];
  return tx.query(lines, [creatorId, realm.provider, realm.livemode, filter, ...place, limit]);
};

/** What came in within a day or month, and what went back, below zero. */
export interface EarningPart {
  day: string;
  tips: number;
  albums: number;
  subscriptions: number;
  customs: number;
  refunds: number;
}

// A day of UTC that lies in one of their days or months is added up already; of one that two of them share each movement is asked.
const parts = statement<EarningPart>(
  'earning_parts',
  `with span as (
  select date_trunc($7, $5::timestamptz at time zone $6) as last,
    date_trunc($7, $5::timestamptz at time zone $6) - ($8::int - 1) * ('1 ' || $7)::interval as first
), days as (
  select d.kind, d.sold, d.owed_cents, u.began, u.began + interval '1 day' as ended, date_trunc($7, u.began at time zone $6) as part,
    date_trunc($7, u.began at time zone $6) <> date_trunc($7, (u.began + interval '1 day' - interval '1 us') at time zone $6) as is_shared
  from ledger_days d cross join lateral (select d.day::timestamp at time zone 'UTC' as began) u
  where ${ofDays} and ${isEarned('d')} and d.day >= (select (first at time zone $6 at time zone 'UTC')::date from span)
), line as (
  select part, kind, sold, owed_cents from days where not is_shared
  union all
  select date_trunc($7, l.occurred_at at time zone $6), l.kind, coalesce(l.sold, ''), l.owed_cents
  from (select distinct began, ended from days where is_shared) s cross join lateral (
    select t.occurred_at, t.kind, t.sold, t.owed_cents from ledger_transactions t
    where ${ofBooks} and ${isEarned('t')} and t.occurred_at >= s.began and t.occurred_at < s.ended offset 0) l
), sums as (
  select part as day, sum(owed_cents) filter (where kind = 'charge' and sold in ('', 'tip')) as tips,
    sum(owed_cents) filter (where kind = 'charge' and sold not in ('', 'tip', 'fan_sub', 'request')) as albums,
    sum(owed_cents) filter (where kind = 'charge' and sold = 'fan_sub') as subscriptions,
    sum(owed_cents) filter (where kind in ('charge', 'transfer') and sold = 'request') as customs,
    sum(owed_cents) filter (where kind <> 'charge' and not (kind = 'transfer' and sold = 'request')) as refunds
  from line group by 1
)
select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(tips, 0)::bigint as tips, coalesce(albums, 0)::bigint as albums,
  coalesce(subscriptions, 0)::bigint as subscriptions, coalesce(customs, 0)::bigint as customs, coalesce(refunds, 0)::bigint as refunds
from span cross join generate_series(span.first, span.last, ('1 ' || $7)::interval) as d (day) left join sums on sums.day = d.day
order by d.day`,
);

/** What a creator earned by day or month where they are, oldest first, also where it was nothing. */
export const listParts = (
  tx: Tx,
  params: {
    creatorId: string;
    realm: Realm;
    currency: string;
    now: Date;
    timeZone: string;
    by: 'day' | 'month';
    count: number;
  },
): Promise<EarningPart[]> => {
  const { creatorId, realm, currency, now, timeZone, by, count } = params;
  return tx.query(parts, [creatorId, realm.provider, realm.livemode, currency, now, timeZone, by, count]);
};

const pendings = statement<{ on: string; cents: number }>(
  'earnings_pending',
  `select to_char(t.available_at at time zone $6, 'YYYY-MM-DD') as on, sum(t.held_cents)::bigint as cents
from ledger_transactions t where ${ofBooks} and ${isSettling} group by 1 order by 1 limit 60`,
);

/** What is on its way to a creator, by the day from which they can have it. */
export const listPending = (
  tx: Tx,
  params: { creatorId: string; realm: Realm; currency: string; now: Date; timeZone: string },
): Promise<{ on: string; cents: number }[]> => {
  const { creatorId, realm, currency, now, timeZone } = params;
  return tx.query(pendings, [creatorId, realm.provider, realm.livemode, currency, now, timeZone]);
};

const paidOut = statement<{ id: string; at: Date; cents: number }>(
  'payouts_made',
  `select t.id::text as id, t.occurred_at as at, -t.owed_cents as cents from ledger_transactions t
where ${ofBooks} and t.kind = 'payout' and t.owed_cents <> 0 order by t.occurred_at desc, t.id desc limit 50`,
);

/** What was paid out to a creator, newest first; below zero what came back. */
export const listPayouts = (
  tx: Tx,
  { creatorId, realm, currency }: { creatorId: string; realm: Realm; currency: string },
): Promise<{ id: string; at: Date; cents: number }[]> =>
  tx.query(paidOut, [creatorId, realm.provider, realm.livemode, currency]);
