import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { syntheticDomain } from '#kit/synthetic-address.ts';
import type { PayoutInterval } from './rules.ts';

/** What is known of a creator's account where it is about paying them out. */
export interface PayeeRow {
  userId: string;
  accountId: string;
  isComplete: boolean;
  interval: PayoutInterval;
  isScheduleStopped: boolean;
  timeZone: string | null;
}

/** A payout of ours. */
export interface PayoutRow {
  id: string;
  userId: string | null;
  accountId: string;
  amountCents: number;
  currency: string;
  state: 'created' | 'in_transit' | 'paid' | 'failed' | 'canceled';
  payoutId: string | null;
  createdAt: Date;
}

type Source = Pick<Tx, 'query'>;

const payeeColumns = `a.user_id as "userId", a.acct_id as "accountId", a.full_status = 'complete' as "isComplete", a.payout_interval as interval,
  a.schedule_stopped_at is not null as "isScheduleStopped", u.time_zone as "timeZone"`;

const payable = statement<PayeeRow>(
  'payees_payable',
  `select ${payeeColumns} from user_stripe_accounts a join users u on u.id = a.user_id
join (select e.owner_user_id as user_id, sum(e.amount_cents) as cents
  from ledger_entries e join ledger_accounts k on k.id = e.account_id join ledger_transactions t on t.id = e.transaction_id
  where e.provider = $1 and e.livemode = $2 and e.currency = $3 and k.key like 'custody:%' and e.owner_user_id is not null
    and (t.kind not in ('transfer', 'application_fee') or t.available_at <= $4)
  group by 1) has on has.user_id = a.user_id
where a.provider = $1 and a.livemode = $2 and a.full_status in ('complete', 'restricted') and u.email not like '%@${syntheticDomain}'
  and (has.cents >= $5 or exists (select from payout_holds h where h.user_id = a.user_id and h.provider = $1 and h.livemode = $2 and h.ended_at is null))
order by a.user_id`,
);

/** Creators who have enough to be paid out, and those who are held. People made up by the full check are not: all their money goes back. */
export const listPayable = (
  tx: Tx,
  { provider, livemode }: Realm,
  { currency, now, leastCents }: { currency: string; now: Date; leastCents: number },
): Promise<PayeeRow[]> => tx.query(payable, [provider, livemode, currency, now, leastCents]);

const unstopped = statement<PayeeRow>(
  'payees_unstopped',
  `select ${payeeColumns} from user_stripe_accounts a join users u on u.id = a.user_id
where a.provider = $1 and a.livemode = $2 and a.full_status = 'complete' and a.schedule_stopped_at is null order by a.created_at limit 200`,
);

/** Accounts from which the provider would still pay out by itself. */
export const listUnstopped = (tx: Tx, { provider, livemode }: Realm): Promise<PayeeRow[]> =>
  tx.query(unstopped, [provider, livemode]);

const settled = statement<{ cents: number }>(
  'payee_settled',
  `select coalesce(sum(e.amount_cents), 0)::bigint as cents
from ledger_entries e join ledger_accounts k on k.id = e.account_id join ledger_transactions t on t.id = e.transaction_id
where e.provider = $1 and e.livemode = $2 and e.currency = $3 and k.key like 'custody:%' and e.owner_user_id = $4
  and (t.kind not in ('transfer', 'application_fee') or t.available_at <= $5)`,
);

/** What of a creator's part has rested for its days. */
export const sumSettled = async (
  tx: Tx,
  { provider, livemode }: Realm,
  { userId, currency, now }: { userId: string; currency: string; now: Date },
): Promise<number> => (await tx.query(settled, [provider, livemode, currency, userId, now]))[0]?.cents ?? 0;

const settlementSet = statement(
  'payee_settlement_set',
  `update user_stripe_accounts set settlement_days = $4 where user_id = $1 and provider = $2 and livemode = $3 and settlement_days <> $4`,
);

/** Notes for how many days what a creator sells from now on rests. */
export async function setSettlement(
  tx: Tx,
  { provider, livemode }: Realm,
  { userId, days }: { userId: string; days: number },
): Promise<void> {
  await tx.query(settlementSet, [userId, provider, livemode, days]);
}

const payeeOf = statement<PayeeRow>(
  'payee_of_user',
  `select ${payeeColumns} from user_stripe_accounts a join users u on u.id = a.user_id
where a.user_id = $1 and a.provider = $2 and a.livemode = $3`,
);

export const findPayee = async (
  tx: Source,
  { provider, livemode }: Realm,
  userId: string,
): Promise<PayeeRow | undefined> => (await tx.query(payeeOf, [userId, provider, livemode]))[0];

const stopped = statement(
  'payout_schedule_stopped',
  'update user_stripe_accounts set schedule_stopped_at = $2 where acct_id = $1 and provider = $3 and livemode = $4',
);

/** Notes that nothing leaves an account by itself any more. */
export async function markStopped(tx: Tx, { provider, livemode }: Realm, accountId: string, now: Date): Promise<void> {
  await tx.query(stopped, [accountId, now, provider, livemode]);
}

const intervalSet = statement<{ userId: string }>(
  'payout_interval_set',
  `update user_stripe_accounts set payout_interval = $4 where user_id = $1 and provider = $2 and livemode = $3 and payout_interval <> $4
returning user_id as "userId"`,
);

/** @returns false when it was so already, or there is no account */
export const setInterval = async (
  tx: Tx,
  { provider, livemode }: Realm,
  userId: string,
  interval: PayoutInterval,
): Promise<boolean> => (await tx.query(intervalSet, [userId, provider, livemode, interval])).length === 1;

const columns = `id, user_id as "userId", acct_id as "accountId", amount_cents as "amountCents", currency, state, payout_id as "payoutId",
  created_at as "createdAt"`;

const inserted = statement<{ id: string }>(
  'payout_inserted',
  `insert into payouts (id, user_id, provider, livemode, acct_id, amount_cents, currency, day, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing returning id`,
);

/** @returns false while another one of theirs is being made, or when this day's was made already */
export async function insertPayout(
  tx: Tx,
  { provider, livemode }: Realm,
  payout: {
    id: string;
    userId: string;
    accountId: string;
    amountCents: number;
    currency: string;
    day: string | null;
    now: Date;
  },
): Promise<boolean> {
  const { id, userId, accountId, amountCents, currency, day, now } = payout;
  const values = [id, userId, provider, livemode, accountId, amountCents, currency, day, now];
  return (await tx.query(inserted, values)).length === 1;
}

const unsent = statement<PayoutRow>(
  'payouts_unsent',
  `select ${columns} from payouts where provider = $1 and livemode = $2 and state = 'created'
  and ($3::uuid is null or id = $3) and ($3 is not null or next_try_at is null or next_try_at <= $4) order by created_at limit 200`,
);

/** Payouts that the provider has to be asked for; a named one, whether it was postponed or not. */
export const listUnsent = (
  tx: Tx,
  { provider, livemode }: Realm,
  now: Date,
  id: string | null = null,
): Promise<PayoutRow[]> => tx.query(unsent, [provider, livemode, id, now]);

const byPayoutId = statement<PayoutRow>(
  'payout_by_payout_id',
  `select ${columns} from payouts where provider = $1 and payout_id = $2`,
);

export const findPayoutRow = async (
  tx: Source,
  { provider }: Realm,
  payoutId: string,
): Promise<PayoutRow | undefined> => (await tx.query(byPayoutId, [provider, payoutId]))[0];

const arriving = statement<{ payoutId: string }>(
  'payouts_arriving',
  `select payout_id as "payoutId" from payouts where provider = $1 and livemode = $2 and state = 'in_transit'
  and arrives_at <= $3 and (next_try_at is null or next_try_at <= $3) order by created_at limit 200`,
);

/** Payouts that should have come to their banks. */
export const listArriving = async (tx: Tx, { provider, livemode }: Realm, now: Date): Promise<string[]> =>
  (await tx.query(arriving, [provider, livemode, now])).map(({ payoutId }) => payoutId);

const written = statement<{ id: string }>(
  'payout_written',
  `update payouts set state = $2, payout_id = coalesce(payout_id, $3), failure = $4, arrives_at = coalesce($5, arrives_at),
  settled_at = case when $2 in ('paid', 'failed', 'canceled') then $6::timestamptz end, tries = 0, next_try_at = null
where id = $1 and state <> $2 returning id`,
);

/** Writes what the provider says of a payout. @returns false when it was known */
export async function writePayout(
  tx: Tx,
  payout: {
    id: string;
    state: PayoutRow['state'];
    payoutId?: string;
    failure?: string | undefined;
    arrivesAt?: Date;
    now: Date;
  },
): Promise<boolean> {
  const { id, state, payoutId, failure, arrivesAt, now } = payout;
  const words = failure?.slice(0, 500) ?? null;
  return (await tx.query(written, [id, state, payoutId ?? null, words, arrivesAt ?? null, now])).length === 1;
}

const postponed = statement(
  'payout_postponed',
  `update payouts set tries = tries + 1, next_try_at = $2::timestamptz + least(power(2, tries), 360) * interval '1 minute' where id = $1`,
);

/** It is asked for a minute later, then after twice as long each time, up to six hours. */
export async function postponePayout(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.query(postponed, [id, now]);
}

const doneOn = statement<{ isDone: boolean }>(
  'payout_done_on',
  `select exists (select from payouts where acct_id = $1 and provider = $2 and livemode = $3 and day = $4) as "isDone"`,
);

/** Returns whether a day's payout was made. */
export const isDoneOn = async (
  tx: Source,
  { provider, livemode }: Realm,
  accountId: string,
  day: string,
): Promise<boolean> => (await tx.query(doneOn, [accountId, provider, livemode, day]))[0]?.isDone === true;
