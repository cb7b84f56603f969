import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { FailedPayout, HeldPayee } from '../payments-contract.ts';

interface Range {
  limit: number;
  offset: number;
}

interface HeldRow extends Omit<HeldPayee, 'holds'> {
  holds: (Omit<HeldPayee['holds'][number], 'since' | 'expectedAt'> & { since: string; expectedAt: string | null })[];
}

/** Whose payouts are held and why, the longest first. */
export async function listHeldPayees(
  tx: Tx,
  { provider, livemode }: Realm,
  { limit, offset }: Range,
): Promise<HeldPayee[]> {
  const { rows } = await sql<HeldRow>`
    select u.id as "userId", u.display_name as name, u.email,
      json_agg(json_build_object('code', h.code, 'note', h.note, 'by', h.by_kind, 'since', h.since, 'expectedAt', h.expected_at)
        order by h.since, h.code) as holds,
      (select a.text from payout_appeals a where a.user_id = u.id and a.provider = ${provider} and a.livemode = ${livemode}
        and a.answered_at is null) as appeal
    from payout_holds h join users u on u.id = h.user_id
    where h.provider = ${provider} and h.livemode = ${livemode} and h.ended_at is null
    group by u.id order by min(h.since), u.id limit ${limit} offset ${offset}`.execute(tx.db);
  return rows.map(({ holds, ...payee }) => ({
    ...payee,
    holds: holds.map(({ since, expectedAt, ...one }) => ({
      ...one,
      since: new Date(since),
      expectedAt: expectedAt === null ? null : new Date(expectedAt),
    })),
  }));
}

/** Payouts that did not arrive, and those for which the provider could not be asked yet; the newest first. */
export async function listFailedPayouts(
  tx: Tx,
  { provider, livemode }: Realm,
  { limit, offset }: Range,
): Promise<FailedPayout[]> {
  const { rows } = await sql<FailedPayout>`
    select p.id, p.user_id as "userId", coalesce(u.display_name, '') as name, p.amount_cents as "amountCents", p.currency, p.state, p.failure, p.tries,
      p.created_at as "createdAt"
    from payouts p left join users u on u.id = p.user_id
    where p.provider = ${provider} and p.livemode = ${livemode} and (p.state in ('failed', 'canceled') or (p.state = 'created' and p.tries > 0))
    order by p.created_at desc, p.id limit ${limit} offset ${offset}`.execute(tx.db);
  return rows;
}
