import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { Cursor } from '#features/albums/rules.ts';

/** What was paid out to a creator, or came back from their bank. */
export interface PayoutLine {
  /** Made of the line of the books. */
  id: string;
  at: Date;
  /** Below zero what left. */
  amountCents: number;
  currency: string;
}

const lines = statement<PayoutLine>(
  'earning_payout_lines',
  `select p.id, p.at, p.cents as "amountCents", p.currency from (
  select overlay(overlay(md5(t.source_key) placing '8' from 13) placing '8' from 17)::uuid as id, t.occurred_at as at, t.owed_cents as cents, t.currency
  from ledger_transactions t where t.owner_user_id = $1 and t.provider = $2 and t.livemode = $3 and t.kind = 'payout' and t.owed_cents <> 0
    and t.occurred_at <= coalesce($4::timestamptz, 'infinity')
) p where (p.at, p.id) < (coalesce($4::timestamptz, 'infinity'), coalesce($5::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
order by p.at desc, p.id desc limit $6`,
);

/** Newest first. */
export const listPayoutLines = (
  tx: Tx,
  { creatorId, realm, after, limit }: { creatorId: string; realm: Realm; after: Cursor | undefined; limit: number },
): Promise<PayoutLine[]> =>
  tx.query(lines, [creatorId, realm.provider, realm.livemode, after?.at ?? null, after?.id ?? null, limit]);
