import { sql } from 'kysely';
import type { Seeded } from '#app/dev/seeding.ts';
import type { Engines } from '#engines/engines.ts';
import { creatorKey, custodyKey } from '#features/books/posting.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import { learnNumbers } from './busy-creator.ts';

/** What `busy-seller` has sold in its year, and each of those around her. */
export const busySales = { orders: 100_000, others: 4, ordersOfOthers: 10_000 };
const atOnce = 2000;

interface Seller {
  userId: string;
  accountId: string;
  orders: number;
}

/**
 * A year of sales of a creator and of others: orders and the books are written as the rows that they leave, as the provider's
 * movements are posted, because a hundred thousand payments would take a day. Every fortieth went back.
 */
export async function seedSales(
  engines: Engines,
  [busy, ...others]: readonly Seeded[],
  sales = busySales,
): Promise<void> {
  const sellers = [
    { creator: busy, orders: sales.orders },
    ...others.map((creator) => ({ creator, orders: sales.ordersOfOthers })),
  ];
  for (const { creator, orders } of sellers) {
    if (creator === undefined) throw new Error('nobody sells');
    const seller = { userId: creator.userId, accountId: `acct_${creator.userId.replaceAll('-', '')}`, orders };
    await openAccounts(engines, seller);
    for (let from = 0; from < orders; from += atOnce) await writeSales(engines, seller, from);
  }
  await learnNumbers(engines);
}

async function openAccounts(engines: Engines, { userId, accountId }: Seller): Promise<void> {
  const now = new Date(engines.clock());
  await engines.database.work({ kind: 'system' }, async ({ db }) => {
    await sql`insert into user_stripe_accounts (user_id, provider, livemode, acct_id, status, full_status, connected_at, synced_at, created_at)
      values (${userId}, 'sandbox', false, ${accountId}, 'complete', 'complete', ${now}, ${now}, ${now})`.execute(db);
    await sql`insert into ledger_accounts (provider, livemode, key, kind, owner_user_id, currency)
      select 'sandbox', false, k.key, k.kind, k.owner::uuid, 'usd' from (values
        ('asset:stripe', 'asset', null), ('expense:processor', 'expense', null), ('income:platform_fee', 'income', null),
        ('clearing:refunds', 'clearing', null), (${creatorKey(accountId)}, 'liability', ${userId}), (${custodyKey(accountId)}, 'asset', ${userId})
      ) as k (key, kind, owner) on conflict do nothing`.execute(db);
  });
}

async function writeSales({ clock, database }: Engines, seller: Seller, from: number): Promise<void> {
  const { userId, accountId, orders } = seller;
  const [now, yearMs] = [new Date(clock() - 4 * hourMs), 365 * dayMs];
  const until = Math.min(from + atOnce, orders) - 1;
  const [owed, held] = [creatorKey(accountId), custodyKey(accountId)];
  await database.work({ kind: 'system' }, async ({ db }) => {
    // How much stands in a clause of its own is guessed far too low: row by row it would take an hour.
    await sql`set local enable_nestloop = off`.execute(db);
    await sql`set local statement_timeout = '10min'`.execute(db);
    await sql`with o as (
      select n, gen_random_uuid() as id, ${`ch_${accountId}_`} || n as charge, 500 + (n * 37 % 96) * 100 as cents, 50 + (n * 37 % 96) * 10 as fee,
        30 + (500 + (n * 37 % 96) * 100) * 29 / 1000 as cost, ${now}::timestamptz - (${orders} - n) * (${yearMs}::float8 / ${orders}) * interval '1 ms' as at,
        case when n % 3 = 0 then 'album' else 'tip' end as kind, n % 40 = 7 as is_back
      from generate_series(${from}::int, ${until}::int) as n
    ), written as (
      insert into checkout_orders (id, provider, livemode, kind, state, creator_id, acct_id, amount_cents, fee_cents, refunded_cents, currency,
        session_id, payment_id, charge_id, expires_at, paid_at, created_at)
      select id, 'sandbox', false, kind, case when is_back then 'refunded' else 'paid' end, ${userId}, ${accountId}, cents, fee,
        case when is_back then cents else 0 end, 'usd', 'cs_' || charge, 'pi_' || charge, charge, at + interval '1 h', at, at from o
    ), line (charge, kind, at, available_at, key, cents) as (
      select charge, l.kind, at + l.after, at + l.after + l.settles, l.key, l.cents from o cross join lateral (values
        ('charge', interval '0', interval '2 d', 'asset:stripe', cents - cost), ('charge', '0', '2 d', 'expense:processor', cost),
        ('charge', '0', '2 d', ${owed}, fee - cents), ('charge', '0', '2 d', 'income:platform_fee', -fee),
        ('transfer', '0', '2 d', 'asset:stripe', -cents), ('transfer', '0', '2 d', ${held}, cents),
        ('application_fee', '0', '2 d', 'asset:stripe', fee), ('application_fee', '0', '2 d', ${held}, -fee)
      ) as l (kind, after, settles, key, cents)
      union all
      select charge, l.kind, at + interval '3 h', at + interval '3 h', l.key, l.cents from o cross join lateral (values
        ('refund', 'asset:stripe', -cents), ('refund', 'clearing:refunds', cents),
        ('transfer_refund', 'asset:stripe', cents), ('transfer_refund', ${held}, -cents),
        ('transfer_refund', ${owed}, cents), ('transfer_refund', 'clearing:refunds', -cents),
        ('application_fee_refund', 'asset:stripe', -fee), ('application_fee_refund', ${held}, fee),
        ('application_fee_refund', ${owed}, -fee), ('application_fee_refund', 'income:platform_fee', fee)
      ) as l (kind, key, cents) where is_back
    ), booked as (
      insert into ledger_transactions (provider, livemode, source_key, kind, occurred_at, available_at, currency, charge_id, sold, owner_user_id, owed_cents, held_cents)
      select 'sandbox', false, 'txn_' || l.kind || charge, l.kind, l.at, available_at, 'usd', charge, o.kind, case when l.kind <> 'refund' then ${userId}::uuid end,
        coalesce(-sum(l.cents) filter (where key = ${owed}), 0), coalesce(sum(l.cents) filter (where key = ${held}), 0)
      from line l join o using (charge) group by charge, l.kind, l.at, available_at, o.kind order by 5
      returning id, source_key
    )
    insert into ledger_entries (transaction_id, account_id, provider, livemode, owner_user_id, currency, amount_cents)
    select b.id, a.id, 'sandbox', false, a.owner_user_id, 'usd', l.cents
    from line l join booked b on b.source_key = 'txn_' || l.kind || l.charge
    join ledger_accounts a on a.key = l.key and a.currency = 'usd' and a.provider = 'sandbox' and not a.livemode order by b.id`.execute(
      db,
    );
  });
}
