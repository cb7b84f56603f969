import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import { syntheticDomain } from '#kit/synthetic-address.ts';
import { dayMs } from '#kit/time.ts';

export interface TodayRow {
  signUps: number;
  signUpsBefore: number;
  uploads: number;
  uploadsBefore: number;
  linksOpened: number;
  linksOpenedBefore: number;
  salesCents: number;
  salesCentsBefore: number;
  feeCents: number;
  feeCentsBefore: number;
  refundedCents: number;
  refundedCentsBefore: number;
  payingAccounts: number;
  trialAccounts: number;
}

/** Counts the last seven days and the seven before. @param livemode of the payments that count */
export async function countToday(tx: Tx, livemode: boolean, now: Date): Promise<TodayRow> {
  const week = new Date(now.getTime() - 7 * dayMs);
  const before = new Date(now.getTime() - 14 * dayMs);
  const split = (sum: string, at: string, name: string) => sql`
    coalesce(${sql.raw(sum)} filter (where ${sql.raw(at)} >= ${week}), 0)::bigint as ${sql.id(name)},
    coalesce(${sql.raw(sum)} filter (where ${sql.raw(at)} < ${week}), 0)::bigint as ${sql.id(`${name}Before`)}`;
  // People whom the full check made up, and what they did. Orders of theirs stay in the sandbox's books, without a creator in the end.
  const isReal = (column: string) =>
    sql`not exists (select from full_checks s where s.creator_id = ${sql.ref(column)})`;
  const isSold = sql`o.livemode = ${livemode} and o.creator_id is not null and ${isReal('o.creator_id')}`;
  const people = sql`lower(email) not like ${`%@${syntheticDomain}`}`;
  const { rows } = await sql<TodayRow>`select * from
    (select ${split('count(*)', 'created_at', 'signUps')} from users where created_at >= ${before} and ${people}) a,
    (select ${split('count(*)', 'created_at', 'uploads')} from media where created_at >= ${before} and ${isReal('creator_id')}) b,
    (select ${split('count(*)', 'first_opened_at', 'linksOpened')} from magic_links where first_opened_at >= ${before}
      and ${isReal('user_id')}) c,
    (select ${split('sum(amount_cents)', 'paid_at', 'salesCents')}, ${split('sum(fee_cents)', 'paid_at', 'feeCents')}
      from checkout_orders o where paid_at >= ${before} and ${isSold}) d,
    (select ${split('sum(r.amount_cents)', 'r.created_at', 'refundedCents')}
      from refunds r join checkout_orders o on o.id = r.order_id where r.created_at >= ${before} and ${isSold}) e,
    (select count(*) filter (where subscription_status in ('active', 'past_due'))::int as "payingAccounts",
      count(*) filter (where subscription_status = 'trialing' and trial_ends_at > ${now})::int as "trialAccounts"
      from users where status <> 'deleted' and ${people}) f`.execute(tx.db);
  const [row] = rows;
  if (row === undefined) throw new Error('counting gave no row');
  return row;
}
