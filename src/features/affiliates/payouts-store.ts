import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { owedBack, payable } from './commissions-store.ts';
import type { Due, PayLine } from './rules.ts';

const turn = statement('partner_run_turn', `select pg_advisory_xact_lock(hashtextextended('affiliate run', 0))`);

/** Until this transaction ends nobody else makes a run, or changes a line of one. */
export const lockRuns = async (tx: Tx): Promise<void> => void (await tx.query(turn, []));

const due = statement<Due>(
  'partners_due',
  `select a.id as "affiliateId", a.name, u.email, w.currency, sum(w.payable)::bigint as "payableCents", sum(w.debt)::bigint as "debtCents"
from (select c.affiliate_id, c.currency, c.amount_cents - c.returned_cents as payable, 0::bigint as debt from commissions c
    where c.provider = $1 and c.livemode = $2 and ${payable}
  union all select d.affiliate_id, d.currency, 0, d.amount_cents from affiliate_deductions d left join commissions c on c.id = d.commission_id
    where d.provider = $1 and d.livemode = $2 and ${owedBack}) w
join affiliates a on a.id = w.affiliate_id join users u on u.id = a.user_id
where a.state in ('approved', 'closed') and u.status = 'active'
  and not exists (select from affiliate_payouts p where p.affiliate_id = a.id and p.currency = w.currency and p.livemode = $2
    and (p.state = 'open' or (p.state = 'paid' and p.created_at >= $3)))
group by a.id, u.id, w.currency order by a.name, a.id limit 1000`,
);

/** What partners have in hand who were not paid since the month began. */
export const listDue = (tx: Tx, { provider, livemode }: Realm, month: Date): Promise<Due[]> =>
  tx.query(due, [provider, livemode, month]);

const runInserted = statement(
  'partner_run_inserted',
  'insert into affiliate_runs (id, provider, livemode, begun_by, created_at) values ($1, $2, $3, $4, $5)',
);
const payoutInserted = statement(
  'partner_payout_inserted',
  `insert into affiliate_payouts (id, run_id, affiliate_id, amount_cents, made_cents, currency, created_at, livemode)
   values ($1, $2, $3, $4, $4, $5, $6, $7)`,
);
const taken = statement<{ cents: number }>(
  'commissions_taken',
  `update commissions c set payout_id = $4 where c.provider = $1 and c.livemode = $2 and c.affiliate_id = $3 and c.currency = $5 and ${payable}
returning c.amount_cents as cents`,
);
// What has gone back of what is paid now, and of what was paid before.
const deductionsTaken = statement<{ cents: number }>(
  'deductions_taken',
  `update affiliate_deductions d set taken_by = $4 where d.provider = $1 and d.livemode = $2 and d.affiliate_id = $3 and d.currency = $5
  and d.taken_by is null and (d.commission_id is null
    or exists (select from commissions c where c.id = d.commission_id and (c.state = 'paid' or c.payout_id = $4)))
returning d.amount_cents as cents`,
);

export interface NewRun {
  id: string;
  by: string | null;
  now: Date;
}

export async function insertRun(tx: Tx, { provider, livemode }: Realm, { id, by, now }: NewRun): Promise<void> {
  await tx.query(runInserted, [id, provider, livemode, by, now]);
}

/**
 * Makes one line of a run, out of the very shares that it was planned of.
 * @throws when they do not come to its amount: somebody has changed them meanwhile
 */
export async function insertLine(
  tx: Tx,
  realm: Realm,
  { id, runId, line, now }: { id: string; runId: string; line: PayLine; now: Date },
): Promise<void> {
  const { affiliateId, amountCents, currency } = line;
  await tx.query(payoutInserted, [id, runId, affiliateId, amountCents, currency, now, realm.livemode]);
  const about = [realm.provider, realm.livemode, affiliateId, id, currency];
  const sum = (rows: readonly { cents: number }[]) => rows.reduce((all, { cents }) => all + cents, 0);
  const cents = sum(await tx.query(taken, about)) - sum(await tx.query(deductionsTaken, about));
  if (cents !== amountCents) throw new Error('what a partner is paid was changed meanwhile');
}

export interface SettledPayout {
  id: string;
  affiliateId: string;
  userId: string | null;
  email: string | null;
  currency: string;
  /** What was to be paid by then; 0 of a line that had left its run. */
  dueCents: number;
}

// What was paid is at least what is to be paid, and no more than the line was when it was made.
const settled = statement<SettledPayout>(
  'partner_payout_settled',
  `with b as (select p.id, case when p.state = 'open' then p.amount_cents else 0 end as due from affiliate_payouts p join affiliate_runs n on n.id = p.run_id
  where p.id = $1 and n.provider = $6 and n.livemode = $7 and (p.state = 'open' or (p.left_at is not null and p.state = 'canceled' and $2 = 'paid'))
    and ($8::bigint is null or $8 between p.amount_cents and p.made_cents) for update of p),
p as (update affiliate_payouts p set state = $2, settled_at = $3, settled_by = $4, note = $5, amount_cents = coalesce($8, p.amount_cents)
  from b where p.id = b.id returning p.*, b.due)
select p.id, p.affiliate_id as "affiliateId", u.id as "userId", u.email, p.currency, p.due as "dueCents"
from p join affiliates a on a.id = p.affiliate_id left join users u on u.id = a.user_id`,
);
const overpaid = statement(
  'partner_overpaid',
  `insert into affiliate_deductions (id, provider, livemode, affiliate_id, amount_cents, currency, because, created_at, overpaid_by)
values ($1, $2, $3, $4, $5, $6, 'overpaid', $7, $8)`,
);
const reduced = statement<{ isLeft: boolean }>(
  'partner_line_reduced',
  `update affiliate_payouts set amount_cents = greatest(0, amount_cents - $2), state = case when amount_cents > $2 then 'open' else 'canceled' end,
  settled_at = case when amount_cents <= $2 then $3::timestamptz end, left_at = case when amount_cents <= $2 then $3::timestamptz end
where id = $1 and state = 'open' returning left_at is not null as "isLeft"`,
);
const sharesPaid = statement(
  'commissions_paid',
  `update commissions set state = 'paid', paid_at = $2 where payout_id = $1 and state = 'payable'`,
);
const sharesFreed = statement(
  'commissions_freed',
  `update commissions set payout_id = null, state = case when reversed_at is null then state else 'void' end where payout_id = $1`,
);
const deductionsFreed = statement(
  'deductions_freed',
  'update affiliate_deductions set taken_by = null where taken_by = $1',
);

/** Takes what has gone back out of a line that is to be paid; one of which nothing is left leaves its run. */
export async function reduceLine(tx: Tx, id: string, { cents, now }: { cents: number; now: Date }): Promise<void> {
  const [row] = await tx.query(reduced, [id, cents, now]);
  if (row?.isLeft === true) await freeLine(tx, id);
}

/** What a line was of waits for the next run. */
async function freeLine(tx: Tx, id: string): Promise<void> {
  for (const freed of [sharesFreed, deductionsFreed]) await tx.query(freed, [id]);
}

export interface Settling {
  id: string;
  /** Null where nothing was. */
  paidCents: number | null;
  /** What was paid beyond what was due is written down under this. */
  deductionId: string;
  by: string | null;
  note: string;
  now: Date;
}

/**
 * Notes that a line was paid by hand, or that it was not: then its shares wait for the next run. One that was paid before something of it
 * went back is owed back as to that.
 * @returns undefined when it is not open, or another amount than was paid
 */
export async function settlePayout(tx: Tx, { provider, livemode }: Realm, settling: Settling) {
  const { id, paidCents, deductionId, by, note, now } = settling;
  const state = paidCents === null ? 'canceled' : 'paid';
  const [row] = await tx.query(settled, [id, state, now, by, note, provider, livemode, paidCents]);
  if (row === undefined) return undefined;
  if (paidCents === null) {
    await freeLine(tx, id);
    return row;
  }
  await tx.query(sharesPaid, [id, now]);
  const moreCents = paidCents - row.dueCents;
  const about = [deductionId, provider, livemode, row.affiliateId, moreCents, row.currency, now, id];
  if (moreCents > 0) await tx.query(overpaid, about);
  return row;
}

export interface RunLine {
  id: string;
  affiliateId: string;
  name: string;
  email: string | null;
  code: string | null;
  amountCents: number;
  /** What it was when the run was made. */
  madeCents: number;
  currency: string;
  state: 'open' | 'paid' | 'canceled';
  note: string;
  settledAt: Date | null;
  /** When nothing was left to pay of it. */
  leftAt: Date | null;
  runId: string;
  runAt: Date;
}

const lines = statement<RunLine>(
  'partner_run_lines',
  `select p.id, a.id as "affiliateId", a.name, u.email, a.code, p.amount_cents as "amountCents", p.made_cents as "madeCents", p.currency, p.state, p.note,
  p.settled_at as "settledAt", p.left_at as "leftAt", n.id as "runId", n.created_at as "runAt"
from affiliate_runs n join affiliate_payouts p on p.run_id = n.id join affiliates a on a.id = p.affiliate_id left join users u on u.id = a.user_id
where n.provider = $1 and n.livemode = $2 and n.id in (select id from affiliate_runs where provider = $1 and livemode = $2 order by created_at desc limit 24)
order by n.created_at desc, a.name, p.id limit 2000`,
);

/** The lines of the newest runs. */
export const listRunLines = (tx: Tx, { provider, livemode }: Realm): Promise<RunLine[]> =>
  tx.query(lines, [provider, livemode]);
