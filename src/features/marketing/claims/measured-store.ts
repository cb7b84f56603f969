import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import { syntheticDomain } from '#kit/synthetic-address.ts';
import { dayMs } from '#kit/time.ts';

/** What of the claims can be counted here. */
export interface Measured {
  creators: number;
  albums: number;
  earnedCents: number;
  paidOutCents: number;
  /** The middle one of the last 90 days, from message to first answer; null without any. */
  answerHours: number | null;
}

/** Counts it; accounts of the full check are nobody's. @param livemode of the payments that count */
export async function measure(tx: Tx, livemode: boolean, now: Date): Promise<Measured> {
  const since = new Date(now.getTime() - 90 * dayMs);
  const isReal = (column: string) =>
    sql`not exists (select from full_checks s where s.creator_id = ${sql.ref(column)})`;
  const { rows } = await sql<Measured>`select * from
    (select count(*)::int as creators from users u where u.status = 'active' and u.setup_step = 'done'
      and lower(u.email) not like ${`%@${syntheticDomain}`}) a,
    (select count(*)::int as albums from albums a where a.delete_at is null and ${isReal('a.user_id')}) b,
    (select coalesce(sum(o.amount_cents - o.fee_cents), 0)::bigint as "earnedCents" from checkout_orders o
      where o.paid_at is not null and o.livemode = ${livemode} and o.creator_id is not null and ${isReal('o.creator_id')}) c,
    (select coalesce(sum(p.amount_cents), 0)::bigint as "paidOutCents" from payouts p
      where p.state = 'paid' and p.livemode = ${livemode} and ${isReal('p.user_id')}) d,
    (select percentile_cont(0.5) within group (order by extract(epoch from f.at - r.created_at) / 3600) as "answerHours"
      from support_requests r join lateral (select min(created_at) as at from support_answers s where s.request_id = r.id) f on f.at is not null
      where r.created_at >= ${since}) e`.execute(tx.db);
  const [row] = rows;
  if (row === undefined) throw new Error('nothing was counted');
  const { answerHours, ...sums } = row;
  return {
    ...sums,
    earnedCents: Number(sums.earnedCents),
    paidOutCents: Number(sums.paidOutCents),
    answerHours: answerHours === null ? null : Number(answerHours),
  };
}
