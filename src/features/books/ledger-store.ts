import { statement, type Tx } from '#engines/database/work.ts';
import type { Movement, Realm } from '#engines/payments/payments.ts';
import type { Entry } from './posting.ts';

const unposted = statement<{ id: string }>(
  'ledger_unposted',
  `select k.id from unnest($1::text[]) as k (id)
where not exists (select from ledger_transactions t where t.source_key = k.id and t.provider = $2 and t.livemode = $3)`,
);

/** Which of these movements stand in no book of ours yet. */
export async function listUnposted(
  tx: Pick<Tx, 'query'>,
  { provider, livemode }: Realm,
  ids: readonly string[],
): Promise<Set<string>> {
  return new Set((await tx.query(unposted, [ids, provider, livemode])).map(({ id }) => id));
}

const accountsMade = statement(
  'ledger_accounts_made',
  `insert into ledger_accounts (provider, livemode, key, kind, owner_user_id, currency)
select $1, $2, n.key, n.kind, (select user_id from user_stripe_accounts a where a.provider = $1 and a.livemode = $2 and a.acct_id = n.owner), n.currency
from unnest($3::text[], $4::text[], $5::text[], $6::text[]) as n (key, kind, currency, owner)
where not exists (select from ledger_accounts k where k.key = n.key and k.currency = n.currency and k.provider = $1 and k.livemode = $2)
on conflict do nothing`,
);

// What was paid for is told by the payment itself; what goes back belongs to what it was paid for. A creator's part rests for their days,
// also where the provider would let it go sooner; what goes back is taken at once.
const posted = statement<{ id: number }>(
  'ledger_posted',
  `with n as (
  select * from unnest($3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::text[], $8::text[], $9::text[])
    with ordinality as n (source_key, kind, at, available_at, currency, charge_id, sold, nth)
), account as (
  select e.nth, a.id, a.key, a.owner_user_id, e.amount from unnest($10::bigint[], $11::text[], $12::bigint[]) as e (nth, key, amount)
  join n on n.nth = e.nth join ledger_accounts a on a.key = e.key and a.currency = n.currency and a.provider = $1 and a.livemode = $2
), own as (
  select nth, (array_agg(owner_user_id))[1] as owner_user_id,
    coalesce(-sum(amount) filter (where key like 'liability:creator:%'), 0) as owed, coalesce(sum(amount) filter (where key like 'custody:%'), 0) as held
  from account where owner_user_id is not null group by nth
), written as (
  insert into ledger_transactions (provider, livemode, source_key, kind, occurred_at, available_at, currency, charge_id, sold, owner_user_id, owed_cents, held_cents)
  select $1, $2, n.source_key, n.kind, n.at, greatest(n.available_at, case when n.kind in ('transfer', 'application_fee') then n.at + (
      select make_interval(days => a.settlement_days) from user_stripe_accounts a
      where a.user_id = own.owner_user_id and a.provider = $1 and a.livemode = $2) end), n.currency, n.charge_id, coalesce(n.sold,
    (select c.sold from n c where c.charge_id = n.charge_id and c.kind = 'charge' limit 1),
    (select c.sold from ledger_transactions c where c.charge_id = n.charge_id and c.kind = 'charge' and c.provider = $1 and c.livemode = $2 limit 1),
    (select o.kind from checkout_orders o where o.charge_id = n.charge_id and o.provider = $1 and o.livemode = $2 limit 1)),
    own.owner_user_id, coalesce(own.owed, 0), coalesce(own.held, 0)
  from n left join own on own.nth = n.nth order by n.nth on conflict do nothing returning id, source_key
)
insert into ledger_entries (transaction_id, account_id, provider, livemode, owner_user_id, currency, amount_cents)
select w.id, a.id, $1, $2, a.owner_user_id, n.currency, a.amount from written w join n on n.source_key = w.source_key join account a on a.nth = n.nth
returning transaction_id as id`,
);

/** A movement of the provider's, or one of our own by a name that says what it is for. */
export type Posted = Pick<Movement, 'id' | 'at' | 'availableAt' | 'currency' | 'chargeId' | 'accountId' | 'sold'> & {
  kind: Movement['kind'] | 'dispute_won' | 'dispute_lost' | 'commission' | 'commission_reversed' | 'partner_payout';
};

/** A movement and how it stands in the books. */
export interface ToPost {
  movement: Posted;
  entries: readonly Entry[];
}

/** Makes the accounts of these entries that are not there yet. */
async function makeAccounts(tx: Tx, { provider, livemode }: Realm, all: readonly ToPost[]): Promise<void> {
  const wanted = new Map<string, readonly [key: string, kind: string, currency: string, owner: string | null]>();
  for (const { movement, entries } of all)
    for (const { key, kind } of entries) {
      const { currency, accountId } = movement;
      const isOwned = accountId !== undefined && key.endsWith(`:${accountId}`);
      wanted.set(`${key} ${currency}`, [key, kind, currency, isOwned ? accountId : null]);
    }
  const column = (at: 0 | 1 | 2 | 3) => [...wanted.values()].map((account) => account[at]);
  await tx.query(accountsMade, [provider, livemode, column(0), column(1), column(2), column(3)]);
}

/** Writes movements into the books, in their order; one that stands there already changes nothing. @returns how many were written now */
export async function postMovements(tx: Tx, realm: Realm, movements: readonly ToPost[]): Promise<number> {
  const { provider, livemode } = realm;
  const once = new Map(movements.map((one) => [one.movement.id, one]));
  const all = [...once.values()].filter(({ entries }) => entries.length > 0);
  if (all.length === 0) return 0;
  await makeAccounts(tx, realm, all);
  const column = <T>(of: (movement: Posted) => T) => all.map(({ movement }) => of(movement));
  const lines = all.flatMap(({ entries }, at) => entries.map((entry) => ({ ...entry, nth: at + 1 })));
  const rows = await tx.query(posted, [
    ...[provider, livemode, column(({ id }) => id), column(({ kind }) => kind), column(({ at }) => at)],
    ...[column(({ availableAt }) => availableAt), column(({ currency }) => currency)],
    ...[column(({ chargeId }) => chargeId ?? null), column(({ sold }) => sold ?? null)],
    ...[lines.map(({ nth }) => nth), lines.map(({ key }) => key), lines.map(({ amountCents }) => amountCents)],
  ]);
  return new Set(rows.map(({ id }) => id)).size;
}

/** Writes one movement into the books. @returns whether it was written now */
export const postMovement = async (
  tx: Tx,
  realm: Realm,
  movement: Posted,
  entries: readonly Entry[],
): Promise<boolean> => (await postMovements(tx, realm, [{ movement, entries }])) > 0;

export interface Balance {
  key: string;
  /** Whose account it is; null for the platform's own. */
  ownerId: string | null;
  currency: string;
  amountCents: number;
}

const balances = statement<Balance>(
  'ledger_balances',
  `select a.key, a.owner_user_id as "ownerId", a.currency, coalesce(sum(e.amount_cents), 0)::bigint as "amountCents" from ledger_accounts a
left join ledger_entries e on e.account_id = a.id where a.provider = $1 and a.livemode = $2 group by a.id order by a.key`,
);

/** What every account of the books holds. */
export const listBalances = (tx: Tx, { provider, livemode }: Realm): Promise<Balance[]> =>
  tx.query(balances, [provider, livemode]);

export interface DaySum {
  ownerId: string;
  currency: string;
  owedCents: number;
  heldCents: number;
}

const daySums = statement<DaySum>(
  'ledger_day_sums',
  `select owner_user_id as "ownerId", currency, sum(owed_cents)::bigint as "owedCents", sum(held_cents)::bigint as "heldCents"
from ledger_days where provider = $1 and livemode = $2 group by 1, 2 order by 1, 2`,
);

/** What the days of each creator add up to. */
export const sumDays = (tx: Tx, { provider, livemode }: Realm): Promise<DaySum[]> =>
  tx.query(daySums, [provider, livemode]);
