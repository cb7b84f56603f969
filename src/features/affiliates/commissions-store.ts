import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

/** A paid bill of an account that a partner brought, of which no share was noted yet. */
export interface UnsharedBill {
  invoiceId: string;
  referralId: string;
  affiliateId: string;
  paidCents: number;
  currency: string;
  paidAt: Date;
  shareBps: number;
  /** Both pay by the same customer at the provider. */
  isSamePayer: boolean;
}

const unshared = statement<UnsharedBill>(
  'bills_unshared',
  `select i.invoice_id as "invoiceId", r.id as "referralId", a.id as "affiliateId", i.paid_cents as "paidCents", i.currency, i.paid_at as "paidAt",
  a.share_bps as "shareBps", r.kept_at is null and exists (select from platform_subscriptions o where o.user_id = a.user_id and o.customer_id = p.customer_id) as "isSamePayer"
from affiliate_referrals r join affiliates a on a.id = r.affiliate_id
join platform_subscriptions p on p.user_id = r.user_id and p.provider = $1 and p.livemode = $2
join plan_invoices i on i.plan_id = p.id
where r.void_at is null and (a.state in ('approved', 'paused') or (a.state = 'closed' and i.paid_at < a.decided_at)) and i.status = 'paid' and i.refunded_cents < i.paid_cents and i.paid_at < r.ends_at
  and i.paid_cents * a.share_bps >= 5000 and not exists (select from commissions c where c.invoice_id = i.invoice_id)
order by i.paid_at limit 500`,
);

/** Paid bills of which a partner has not got their share; of a partner that was closed, those that were paid before. */
export const listUnshared = (tx: Tx, { provider, livemode }: Realm): Promise<UnsharedBill[]> =>
  tx.query(unshared, [provider, livemode]);

export interface NewCommission {
  id: string;
  realm: Realm;
  bill: UnsharedBill;
  amountCents: number;
  payableAt: Date;
  now: Date;
}

const inserted = statement<{ id: string }>(
  'commission_inserted',
  `insert into commissions (id, provider, livemode, invoice_id, referral_id, affiliate_id, amount_cents, currency, created_at, payable_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (invoice_id) do nothing returning id`,
);

/** Notes a partner's share of a bill, once. @returns whether it was noted now */
export async function insertCommission(tx: Tx, commission: NewCommission): Promise<boolean> {
  const { id, realm, bill, amountCents, payableAt, now } = commission;
  const { invoiceId, referralId, affiliateId, currency } = bill;
  const about = [id, realm.provider, realm.livemode, invoiceId, referralId, affiliateId];
  return (await tx.query(inserted, [...about, amountCents, currency, now, payableAt])).length === 1;
}

export interface CommissionRow {
  id: string;
  invoiceId: string;
  affiliateId: string;
  amountCents: number;
  currency: string;
}

const columns = `c.id, c.invoice_id as "invoiceId", c.affiliate_id as "affiliateId", c.amount_cents as "amountCents", c.currency`;
/** A dispute that the bank has not decided: until then its share is not paid. */
const disputed = `exists (select from disputes d where d.charge_id = c.charge_id and d.provider = c.provider and d.standing not in ('won', 'over'))`;

// The books tell of every refund. Their times are whole seconds.
const unnamed = statement<CommissionRow>(
  'commissions_unnamed',
  `select ${columns} from commissions c where c.reversed_at is null and c.provider = $1 and c.livemode = $2
  and ((c.charge_id is null and (c.charge_asked_at is null or c.charge_asked_at < $3))
    or exists (select from ledger_transactions t where t.charge_id = c.charge_id and t.kind = 'refund' and t.provider = $1 and t.livemode = $2
      and t.occurred_at > coalesce(c.charge_asked_at, c.created_at) - interval '2 seconds'))
order by c.charge_asked_at nulls first, c.created_at limit 200`,
);

/**
 * Shares of which nobody knows yet by which charge their bill was paid, or of whose charge something went back since; those that nobody
 * was asked about first. @param askedBefore none without a charge that was asked about since
 */
export const listUnnamed = (tx: Tx, { provider, livemode }: Realm, askedBefore: Date): Promise<CommissionRow[]> =>
  tx.query(unnamed, [provider, livemode, askedBefore]);

const named = statement(
  'commission_named',
  'update commissions set charge_id = coalesce(charge_id, $2), charge_asked_at = $3 where id = $1',
);

/** Keeps what the provider has said: the charge by which a bill was paid, or that there is none. */
export const nameCharge = async (tx: Tx, id: string, chargeId: string | undefined, now: Date): Promise<void> =>
  void (await tx.query(named, [id, chargeId ?? null, now]));

export type ReversedBecause = 'refunded' | 'disputed' | 'referral_void';

/** A share of which more has to go back than has. */
export interface UndueShare extends CommissionRow {
  /** In all. */
  returnedCents: number;
  because: ReversedBecause;
}

/** SQL of what is left of a share when a part of its bill has gone back: its part of what stays paid, to the nearest cent, a half for the partner. */
const leftOfShare = '(2 * c.amount_cents * (i.paid_cents - i.refunded_cents) + i.paid_cents) / (2 * i.paid_cents)';
// By all that went back so far: shares of each part of it would not add up.
const undue = statement<UndueShare>(
  'commissions_undue',
  `select ${columns}, s.returned as "returnedCents", s.because from commissions c
join affiliate_referrals r on r.id = c.referral_id left join plan_invoices i on i.invoice_id = c.invoice_id
cross join lateral (
  select c.amount_cents as returned, 'refunded' as because, 1 as rank where i.refunded_cents >= i.paid_cents
  union all select c.amount_cents, 'referral_void', 2 where r.void_at is not null and c.state in ('pending', 'payable')
  union all select c.amount_cents, 'disputed', 3 where exists (
    select from disputes d where d.charge_id = c.charge_id and d.provider = c.provider and d.standing = 'lost')
  union all select c.amount_cents - ${leftOfShare}, 'refunded', 4 where i.refunded_cents > 0 and i.paid_cents > 0
  order by 1 desc, 3 limit 1) s
where c.reversed_at is null and c.provider = $1 and c.livemode = $2 and s.returned > c.returned_cents order by c.created_at limit 500`,
);

/** Shares of bills that went back, in whole or in part, were lost to a bank, or whose referral is void. */
export const listUndue = (tx: Tx, { provider, livemode }: Realm) => tx.query(undue, [provider, livemode]);

// Of a payout that is to be made it is taken out; what is left there is for `reduceLine`.
const returned = statement<{ cents: number; state: string; lineId: string | null }>(
  'commission_returned',
  `update commissions c set returned_cents = $2, reversed_at = case when c.amount_cents = $2 then $3::timestamptz end,
  reversed_because = case when c.amount_cents = $2 then $4 end,
  state = case when c.amount_cents = $2 and c.state in ('pending', 'payable') then 'void' else c.state end,
  payout_id = case when c.amount_cents = $2 and c.state = 'payable' then null else c.payout_id end
from (select id, returned_cents, case when state = 'payable' then payout_id end as line_id from commissions where id = $1 for update) b
where c.id = b.id and b.returned_cents < $2 returning $2 - b.returned_cents as cents, c.state, b.line_id as "lineId"`,
);
const deducted = statement(
  'deduction_inserted',
  `insert into affiliate_deductions (id, provider, livemode, affiliate_id, commission_id, amount_cents, currency, because, created_at, taken_by)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);
const deductionsLeft = statement(
  'deductions_left',
  'update affiliate_deductions set taken_by = null where commission_id = $1 and taken_by = $2',
);

/**
 * Takes a share back, or more of it: what was paid stays paid, and is owed back.
 * @param deductionId of what goes back now
 * @returns how much went back now, and the line to be paid that was made with it; undefined when it has already
 */
export async function returnShare(
  tx: Tx,
  { provider, livemode }: Realm,
  share: UndueShare,
  { deductionId, now }: { deductionId: string; now: Date },
): Promise<{ cents: number; lineId: string | null } | undefined> {
  const { id, affiliateId, currency, returnedCents, because } = share;
  const [row] = await tx.query(returned, [id, returnedCents, now, because]);
  if (row === undefined) return undefined;
  const { cents, state, lineId } = row;
  // Of what will never be paid nothing has to be taken off.
  if (state === 'void') await tx.query(deductionsLeft, [id, lineId]);
  else {
    const about = [deductionId, provider, livemode, affiliateId, id, cents, currency, because, now];
    await tx.query(deducted, [...about, lineId]);
  }
  return { cents, lineId };
}

const ripened = statement<{ id: string }>(
  'commissions_ripened',
  `update commissions c set state = 'payable' where c.state = 'pending' and c.payable_at <= $1 and c.provider = $2 and c.livemode = $3
  and (c.charge_id is not null or c.charge_asked_at is not null) and not ${disputed}
  and (exists (select from bill_cards k where k.invoice_id = c.invoice_id) or not exists (
    select from plan_invoices i join platform_subscriptions p on p.id = i.plan_id where i.invoice_id = c.invoice_id and p.user_id is not null))
returning c.id`,
);

/** Lets shares be paid that have waited long enough, once the provider was asked by which charge and card: before, nobody knows of a dispute, or whose card it is. @returns how many */
export const ripenCommissions = async (tx: Tx, { provider, livemode }: Realm, now: Date): Promise<number> =>
  (await tx.query(ripened, [now, provider, livemode])).length;

/** SQL of the shares of a partner that can be paid now. */
export const payable = `c.state = 'payable' and c.reversed_at is null and c.payout_id is null and not ${disputed}`;
/** SQL of a deduction `d`, of a share `c` if there is one, that is still to be taken off a payout. */
export const owedBack = `d.taken_by is null and (d.commission_id is null or c.state = 'paid')`;

const voided = statement<{ affiliateId: string; userId: string | null }>(
  'referral_voided',
  `update affiliate_referrals set void_at = $2, void_reason = $3, void_note = $4 where id = $1 and void_at is null
returning affiliate_id as "affiliateId", user_id as "userId"`,
);

/** Makes a referral void. @returns whose it was; undefined when it is void already, or there is none */
export const voidReferral = async (
  tx: Tx,
  id: string,
  { reason, note, now }: { reason: string; note: string; now: Date },
): Promise<{ affiliateId: string; userId: string | null } | undefined> =>
  (await tx.query(voided, [id, now, reason, note]))[0];

const restored = statement<{ affiliateId: string }>(
  'referral_restored',
  `update affiliate_referrals set void_at = null, void_reason = null, void_note = '', kept_at = $2 where id = $1 and void_at is not null
returning affiliate_id as "affiliateId"`,
);

/** Lets a referral count that was void: nothing makes it void by itself any more. @returns whose it is; undefined when it is not void */
export const keepReferral = async (tx: Tx, id: string, now: Date): Promise<string | undefined> =>
  (await tx.query(restored, [id, now]))[0]?.affiliateId;

// What has gone back of it for another reason stays so.
const givenAgain = statement<CommissionRow & Realm>(
  'commissions_given_again',
  `update commissions c set state = 'pending', reversed_at = null, reversed_because = null,
  returned_cents = (select coalesce(sum(d.amount_cents), 0) from affiliate_deductions d where d.commission_id = c.id)
where c.referral_id = $1 and c.state = 'void' and c.reversed_because = 'referral_void'
returning c.id, c.invoice_id as "invoiceId", c.affiliate_id as "affiliateId", c.amount_cents - c.returned_cents as "amountCents", c.currency,
  c.provider, c.livemode`,
);

/** Lets the shares of a referral wait again that went back because it was void. @returns them, each with what is owed of it again */
export const giveSharesAgain = (tx: Tx, referralId: string): Promise<(CommissionRow & Realm)[]> =>
  tx.query(givenAgain, [referralId]);
