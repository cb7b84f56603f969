import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

/** What the platform keeps for others in its own account at the provider, in one currency. */
export interface KeptForOthers {
  currency: string;
  /** For custom work. */
  heldCents: number;
  /** The same, of which the provider lets nothing go yet. */
  heldPendingCents: number;
  /** What goes back to buyers, and creators' parts that are not in their accounts. */
  owedCents: number;
}

const kept = statement<KeptForOthers>(
  'ledger_kept_for_others',
  `with account as (
  select a.key, a.currency, sum(e.amount_cents) as all_of_it, coalesce(sum(e.amount_cents) filter (where t.available_at <= $3), 0) as settled
  from ledger_accounts a join ledger_entries e on e.account_id = a.id join ledger_transactions t on t.id = e.transaction_id
  where a.provider = $1 and a.livemode = $2
    and (a.key like 'liability:held:%' or a.key like 'liability:creator:%' or a.key like 'custody:%' or a.key = 'clearing:refunds')
  group by a.id
), part as (
  select currency, greatest(-all_of_it, 0) as held, least(greatest(-settled, 0), greatest(-all_of_it, 0)) as settled, 0 as owed
  from account where key like 'liability:held:%'
  union all select currency, 0, 0, greatest(-sum(all_of_it), 0) from account
  where key not like 'liability:held:%' group by currency, regexp_replace(key, '^(liability:creator|custody):', '')
)
select currency, sum(held)::bigint as "heldCents", sum(held - settled)::bigint as "heldPendingCents", sum(owed)::bigint as "owedCents"
from part group by 1 order by 1`,
);

/** What is kept for others by the books, each currency once. */
export const sumKeptForOthers = (tx: Tx, { provider, livemode }: Realm, now: Date): Promise<KeptForOthers[]> =>
  tx.query(kept, [provider, livemode, now]);
