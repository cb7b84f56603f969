import { statement, type Tx } from '#engines/database/work.ts';
import type { BorneFee } from '#engines/payments/disputes.ts';
import type { Realm } from '#engines/payments/payments.ts';

/** The fee of a dispute that a creator bears, and how far it is taken. */
export interface FeeRow extends Omit<BorneFee, 'amountCents'> {
  id: string;
  orderId: string;
  borneCents: number;
  /** What the dispute costs them by now: less than they bear once the provider has returned it, and nothing once it was won. */
  feeCents: number;
  isDecided: boolean;
  /** What the provider was asked to take, or may have been. */
  askedCents: number | null;
  paymentId: string | null;
  /** What is given back of it. */
  backCents: number | null;
  backId: string | null;
  /** How often it was refused. */
  refusals: number;
}

const rateBefore = statement<{ sales: number; disputes: number }>(
  'dispute_rate_before',
  `select count(*)::int as sales, (count(*) filter (where o.state in ('disputed', 'charged_back') and exists (select from disputes e
  where e.order_id = o.id and e.id <> d.id and (e.opened_at < d.opened_at or (e.opened_at = d.opened_at and e.borne_cents is not null)))))::int as disputes
from disputes d join checkout_orders o on o.creator_id = d.creator_id and o.provider = d.provider and o.livemode = d.livemode
where d.id = $1 and o.paid_at > d.opened_at - interval '90 days' and o.paid_at <= d.opened_at`,
);

/**
 * What the creator of a dispute had sold in the 90 days before it, and what of that was disputed before: one that came later and
 * is known sooner doesn't count. Of those of one second the one that is decided first comes first.
 */
export const countBefore = async (tx: Tx, id: string): Promise<{ sales: number; disputes: number }> =>
  (await tx.query(rateBefore, [id]))[0] ?? { sales: 0, disputes: 0 };

const borne = statement(
  'dispute_fee_borne',
  'update disputes set borne_cents = coalesce(borne_cents, $2) where id = $1',
);

/** Writes down what a creator bears of a dispute's fee: what was written first stays. */
export const keepBorne = async (tx: Tx, id: string, cents: number): Promise<void> =>
  void (await tx.query(borne, [id, cents]));

/** What dispute `d` costs its creator by now: what a bank decides for them is nothing that they pay for. */
const costCents = `(case when d.standing = 'won' then 0 else d.fee_cents end)`;

/** How far the fee of dispute `d` is taken, and whether it was returned. */
export const feeColumns = `d.fee_payment_id is not null as "isFeeTaken",
  d.fee_payment_id is not null and d.fee_back_id is null and d.fee_back_refused_at is not null as "isFeeAwaited",
  d.fee_back_id is not null or (d.fee_payment_id is null and d.fee_asked_cents is null and ${costCents} = 0) as "isFeeReturned"`;

/** Whether dispute `d` waits for money: of its creator's account, or of the platform's once it was won. */
export const owedColumn = `case when d.standing = 'won' then d.again_refused_at is not null and d.retransfer_id is null
  else d.back_refused_at is not null and d.reversal_id is null end as "isOwed"`;

const columns = `d.id, o.id as "orderId", d.dispute_id as "disputeId", d.charge_id as "chargeId", o.acct_id as "accountId", d.currency, d.borne_cents as "borneCents",
  ${costCents} as "feeCents", d.decided_at is not null as "isDecided", d.fee_asked_cents as "askedCents", d.fee_payment_id as "paymentId",
  d.fee_back_cents as "backCents", d.fee_back_id as "backId", d.fee_tries as refusals`;
/** It is still to be taken, or to be given back because the provider has returned it. */
const isToDo = `d.borne_cents > 0 and case when d.fee_payment_id is null then d.fee_asked_cents is not null or ${costCents} > 0
  else d.fee_back_id is null and d.decided_at is not null and ${costCents} < d.fee_asked_cents end`;

const toDo = statement<FeeRow>(
  'dispute_fees_to_do',
  `select ${columns} from disputes d join checkout_orders o on o.id = d.order_id
where d.provider = $1 and d.livemode = $2 and ${isToDo}
  and case when $4::text is null then d.fee_next_try_at is null or d.fee_next_try_at <= $3 else o.acct_id = $4 end
order by d.opened_at limit 200`,
);

/** Fees that are to be taken or given back now, oldest first. @param accountId of one account, whether they were postponed or not */
export const listFees = (tx: Tx, { provider, livemode }: Realm, now: Date, accountId?: string): Promise<FeeRow[]> =>
  tx.query(toDo, [provider, livemode, now, accountId ?? null]);

const one = statement<FeeRow>(
  'dispute_fee',
  `select ${columns} from disputes d join checkout_orders o on o.id = d.order_id where d.id = $1 and ${isToDo}`,
);

/** @returns undefined when nothing of it is left to be done */
export const findFee = async (tx: Tx, id: string): Promise<FeeRow | undefined> => (await tx.query(one, [id]))[0];

const ofPayment = statement<{ id: string }>(
  'dispute_fee_of_payment',
  'select id from disputes where fee_payment_id = $3 and provider = $1 and livemode = $2 limit 1',
);

/** Returns whether a payment is the fee of a dispute, taken from a creator's account. */
export const isFeePayment = async (
  tx: Pick<Tx, 'query'>,
  { provider, livemode }: Realm,
  paymentId: string,
): Promise<boolean> => (await tx.query(ofPayment, [provider, livemode, paymentId])).length === 1;

const due = statement<{ cents: number }>(
  'dispute_fees_due',
  `select coalesce(sum(d.borne_cents), 0)::bigint as cents from disputes d join checkout_orders o on o.id = d.order_id
where d.provider = $1 and d.livemode = $2 and o.acct_id = $3 and case when d.fee_payment_id is null then ${isToDo}
  else not exists (select from ledger_transactions t where t.charge_id = d.charge_id and t.kind = 'dispute_fee') end`,
);

const owedBack = statement<{ cents: number }>(
  'owed_back',
  `select (select coalesce(sum(d.back_cents - d.back_fee_cents), 0) from disputes d join checkout_orders o on o.id = d.order_id
  where d.provider = $1 and d.livemode = $2 and o.acct_id = $3 and d.back_refused_at is not null and d.reversal_id is null and d.standing <> 'won')
+ (select coalesce(sum(r.given_cents), 0) from refunds r join checkout_orders o on o.id = r.order_id
  where o.provider = $1 and o.livemode = $2 and o.acct_id = $3 and r.given_refused_at is not null and r.given_reversal_id is null and r.state <> 'failed') as cents`,
);

/** What is still to be taken from an account: fees of disputes – taken just now and not in the books yet, too – and what it had too little for. */
export async function sumDue(tx: Tx, { provider, livemode }: Realm, accountId: string): Promise<number> {
  const [fees, owed] = [
    await tx.query(due, [provider, livemode, accountId]),
    await tx.query(owedBack, [provider, livemode, accountId]),
  ];
  return (fees[0]?.cents ?? 0) + Number(owed[0]?.cents ?? 0);
}

const planned = statement(
  'dispute_fee_planned',
  `update disputes set fee_asked_cents = coalesce(fee_asked_cents, $2), fee_back_cents = coalesce(fee_back_cents, $3) where id = $1`,
);

/** Notes what the provider is about to be asked for, before it is. */
export const planFee = async (
  tx: Tx,
  id: string,
  { askedCents, backCents }: { askedCents?: number; backCents?: number },
): Promise<void> => void (await tx.query(planned, [id, askedCents ?? null, backCents ?? null]));

const made = statement(
  'dispute_fee_made',
  `update disputes set fee_payment_id = coalesce(fee_payment_id, $2), fee_back_id = coalesce(fee_back_id, $3), fee_next_try_at = null where id = $1`,
);

/** Notes under which names it was taken or given back. */
export const markFee = async (
  tx: Tx,
  id: string,
  { paymentId, backId }: { paymentId?: string; backId?: string },
): Promise<void> => void (await tx.query(made, [id, paymentId ?? null, backId ?? null]));

const later = `fee_next_try_at = $2::timestamptz + least(power(2, d.fee_tries), 64) * interval '10 minutes'`;
const refused = statement(
  'dispute_fee_refused',
  `update disputes d set ${later}, fee_tries = d.fee_tries + 1, fee_asked_cents = null where id = $1 and fee_payment_id is null`,
);
const postponed = statement('dispute_fee_postponed', `update disputes d set ${later} where id = $1`);

/** The provider has not taken it, for certain: the next try is a new one. */
export const markRefused = async (tx: Tx, id: string, now: Date): Promise<void> =>
  void (await tx.query(refused, [id, now]));

const backRefused = statement<{ isFirst: boolean }>(
  'dispute_fee_back_refused',
  `update disputes d set ${later}, fee_tries = d.fee_tries + 1, fee_back_refused_at = coalesce(d.fee_back_refused_at, $2)
from disputes before where d.id = $1 and before.id = d.id and d.fee_back_id is null returning before.fee_back_refused_at is null as "isFirst"`,
);

/** The platform has too little to give it back, for certain. @returns whether for the first time */
export const noteFeeBackRefused = async (tx: Tx, id: string, now: Date): Promise<boolean> =>
  (await tx.query(backRefused, [id, now]))[0]?.isFirst === true;

/** It is not known whether it was made: the next try is the same one again. */
export const postponeFee = async (tx: Tx, id: string, now: Date): Promise<void> =>
  void (await tx.query(postponed, [id, now]));
