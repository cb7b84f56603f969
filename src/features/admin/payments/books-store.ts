import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

export interface NegativeBalance {
  userId: string | null;
  name: string;
  currency: string;
  owedCents: number;
}

/** Creators from whom more went back than they have earned, the largest first. */
export async function listNegative(tx: Tx, { provider, livemode }: Realm, limit: number): Promise<NegativeBalance[]> {
  const { rows } = await sql<NegativeBalance>`
    select s.owner_user_id as "userId", coalesce(u.display_name, '') as name, s.currency, -s.cents as "owedCents" from (
      select owner_user_id, currency, sum(owed_cents)::bigint as cents from ledger_days
      where provider = ${provider} and livemode = ${livemode} group by 1, 2 having sum(owed_cents) < 0
    ) s left join users u on u.id = s.owner_user_id order by s.cents, s.owner_user_id limit ${limit}`.execute(tx.db);
  return rows;
}
