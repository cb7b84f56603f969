import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

/** What credits come from or go to: the other side of every movement of them. */
export type CreditMove = 'issued' | 'spent' | 'expired';

const currency = 'crd';
const accountOf = (userId: string) => `credits:user:${userId}`;
const kinds: Readonly<Record<CreditMove, string>> = { issued: 'expense', spent: 'income', expired: 'income' };

const accountsMade = statement(
  'credit_accounts_made',
  `insert into ledger_accounts (provider, livemode, key, kind, owner_user_id, currency)
values ($1, $2, $3, 'liability', $4, '${currency}'), ($1, $2, $5, $6, null, '${currency}') on conflict do nothing`,
);

const posted = statement<{ id: number }>(
  'credits_posted',
  `with written as (
  insert into ledger_transactions (provider, livemode, source_key, kind, occurred_at, available_at, currency, sold, owner_user_id)
  values ($1, $2, $3, $4, $5, $5, '${currency}', $6, $7) on conflict do nothing returning id
)
insert into ledger_entries (transaction_id, account_id, provider, livemode, owner_user_id, currency, amount_cents)
select w.id, a.id, $1, $2, a.owner_user_id, '${currency}', case when a.key = $8 then -$10::bigint else $10 end
from written w join ledger_accounts a on a.key in ($8, $9) and a.currency = '${currency}' and a.provider = $1 and a.livemode = $2
returning id`,
);

export interface CreditPosting {
  userId: string;
  /** Written once, however often it is tried. */
  key: `credits:${string}`;
  move: CreditMove;
  /** What for, in a word. */
  what: string;
  /** Above zero they get them, below zero they leave them. */
  credits: number;
  at: Date;
}

/** Writes one movement of credits into the books. @returns false when it stands there already */
export async function postCredits(tx: Tx, { provider, livemode }: Realm, posting: CreditPosting): Promise<boolean> {
  const { userId, key, move, what, credits, at } = posting;
  const [own, other] = [accountOf(userId), `credits:${move}`];
  await tx.query(accountsMade, [provider, livemode, own, userId, other, kinds[move]]);
  const values = [provider, livemode, key, `credits_${move}`, at, what, userId, own, other, credits];
  return (await tx.query(posted, values)).length > 0;
}

const ofAccount = `from ledger_accounts a join ledger_entries e on e.account_id = a.id join ledger_transactions t on t.id = e.transaction_id
where a.key = $1 and a.currency = '${currency}' and a.provider = $2 and a.livemode = $3`;

export interface CreditSums {
  balance: number;
  earned: number;
  spent: number;
}

const sums = statement<CreditSums>(
  'credit_sums',
  `select coalesce(-sum(e.amount_cents), 0)::int as balance,
  coalesce(-sum(e.amount_cents) filter (where t.kind = 'credits_issued'), 0)::int as earned,
  coalesce(sum(e.amount_cents) filter (where t.kind = 'credits_spent'), 0)::int as spent ${ofAccount}`,
);

/** What a creator has, and what they got and spent in all, by the books. */
export async function sumCredits(tx: Tx, { provider, livemode }: Realm, userId: string): Promise<CreditSums> {
  const [row] = await tx.query(sums, [accountOf(userId), provider, livemode]);
  return row ?? { balance: 0, earned: 0, spent: 0 };
}

export interface CreditLine {
  id: string;
  at: Date;
  move: CreditMove;
  what: string;
  /** Above zero they got them. */
  credits: number;
}

const lines = statement<CreditLine>(
  'credit_lines',
  `select t.id::text as id, t.occurred_at as at, substr(t.kind, 9) as move, coalesce(t.sold, '') as what, (-e.amount_cents)::int as credits ${ofAccount}
order by t.occurred_at desc, t.id desc limit $4`,
);

/** The newest movements of a creator's credits. */
export const listCreditLines = (tx: Tx, { provider, livemode }: Realm, userId: string, limit: number) =>
  tx.query(lines, [accountOf(userId), provider, livemode, limit]);
