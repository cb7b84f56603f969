import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { Invoice } from '#engines/payments/plan-payments.ts';

/** A bill of a plan. */
export interface InvoiceRow {
  id: string;
  number: string | null;
  status: string;
  amountCents: number;
  paidCents: number;
  refundedCents: number;
  currency: string;
  createdAt: Date;
  paidAt: Date | null;
  nextAttemptAt: Date | null;
  pageUrl: string | null;
}

const listed = statement<InvoiceRow>(
  'plan_invoices_of_user',
  `select i.invoice_id as id, i.number, i.status, i.amount_cents as "amountCents", i.paid_cents as "paidCents",
  i.refunded_cents as "refundedCents", i.currency, i.created_at as "createdAt", i.paid_at as "paidAt",
  i.next_attempt_at as "nextAttemptAt", i.page_url as "pageUrl"
from plan_invoices i join platform_subscriptions p on p.id = i.plan_id
where p.user_id = $1 and p.provider = $2 and p.livemode = $3 and i.amount_cents > 0 and i.status <> 'void'
  and not (i.status = 'draft' and p.ended_at is not null) order by i.created_at desc, i.invoice_id limit 100`,
);

/** What a creator was billed, newest first; what cost nothing, or is void, is no bill. */
export const listInvoicesOf = (
  tx: Pick<Tx, 'query'>,
  { provider, livemode }: Realm,
  userId: string,
): Promise<InvoiceRow[]> => tx.query(listed, [userId, provider, livemode]);

const written = statement(
  'plan_invoice_written',
  `insert into plan_invoices (invoice_id, plan_id, number, status, amount_cents, paid_cents, currency, created_at, paid_at, next_attempt_at, page_url)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict (invoice_id) do update set number = excluded.number, status = excluded.status, paid_cents = excluded.paid_cents,
  paid_at = excluded.paid_at, next_attempt_at = excluded.next_attempt_at, page_url = excluded.page_url`,
);

export async function writeInvoice(tx: Tx, planId: string, invoice: Invoice): Promise<void> {
  const { invoiceId, number, status, amountCents, paidCents, currency, createdAt, paidAt, nextAttemptAt, pageUrl } =
    invoice;
  await tx.query(written, [
    ...[invoiceId, planId, number ?? null, status, amountCents, paidCents, currency, createdAt],
    ...[paidAt ?? null, nextAttemptAt ?? null, pageUrl ?? null],
  ]);
}

export interface DueReceipt {
  number: string | null;
  amountCents: number;
  currency: string;
  paidAt: Date;
}

const receipts = statement<DueReceipt>(
  'plan_receipts_taken',
  `update plan_invoices set receipt_at = $2 where plan_id = $1 and receipt_at is null and status = 'paid' and paid_cents > 0
returning number, paid_cents as "amountCents", currency, paid_at as "paidAt"`,
);

/** Takes bills that were paid and of which no receipt was sent, each once. */
export const takeReceipts = (tx: Tx, planId: string, now: Date): Promise<DueReceipt[]> =>
  tx.query(receipts, [planId, now]);

const firstPaid = statement<{ id: string; amountCents: number; currency: string }>(
  'plan_first_paid',
  `select invoice_id as id, paid_cents as "amountCents", currency from plan_invoices
where plan_id = $1 and status = 'paid' and paid_cents > 0 order by paid_at, invoice_id limit 1`,
);

/** The first bill of a plan for which money was taken. */
export const findFirstPaid = async (tx: Tx, planId: string) => (await tx.query(firstPaid, [planId]))[0];

export interface PlanRefund {
  userId: string;
  planId: string;
  invoiceId: string;
  amountCents: number;
  currency: string;
  settledAt: Date | null;
}

const refundColumns = `user_id as "userId", plan_id as "planId", invoice_id as "invoiceId", amount_cents as "amountCents", currency,
  settled_at as "settledAt"`;
const requested = statement<{ userId: string }>(
  'plan_refund_wished',
  `with wished as (
  insert into plan_refunds (user_id, plan_id, invoice_id, amount_cents, currency, created_at) values ($1, $2, $3, $4, $5, $6)
  on conflict do nothing returning user_id, plan_id
), marked as (update platform_subscriptions p set money_back_at = $6 from wished w where p.id = w.plan_id)
select user_id as "userId" from wished`,
);
const refundOf = statement<PlanRefund>(
  'plan_refund_of_user',
  `select ${refundColumns} from plan_refunds where user_id = $1`,
);
const unsettled = statement<PlanRefund & { subscriptionId: string }>(
  'plan_refunds_unsettled',
  `select r.user_id as "userId", r.plan_id as "planId", r.invoice_id as "invoiceId", r.amount_cents as "amountCents", r.currency,
  r.settled_at as "settledAt", p.subscription_id as "subscriptionId"
from plan_refunds r join platform_subscriptions p on p.id = r.plan_id
where r.settled_at is null and p.provider = $1 and p.livemode = $2 and ($3::uuid is null or r.user_id = $3) order by r.created_at limit 100`,
);
const settledRefund = statement<{ userId: string }>(
  'plan_refund_settled',
  `with done as (update plan_refunds set settled_at = $2 where user_id = $1 and settled_at is null returning user_id, plan_id, invoice_id, amount_cents),
  noted as (update plan_invoices i set refunded_cents = d.amount_cents, refund_told_at = $2 from done d where i.invoice_id = d.invoice_id)
select user_id as "userId" from done`,
);

const billedPlan = statement<{ planId: string; subscriptionId: string; userId: string | null; currency: string }>(
  'plan_of_invoice',
  `select p.id as "planId", p.subscription_id as "subscriptionId", p.user_id as "userId", i.currency
from plan_invoices i join platform_subscriptions p on p.id = i.plan_id where i.invoice_id = $3 and p.provider = $1 and p.livemode = $2`,
);
const planReturned = statement(
  'plan_returned',
  'update platform_subscriptions set money_back_at = coalesce(money_back_at, $2) where id = $1',
);
const invoiceReturned = statement<{ cents: number }>(
  'plan_invoice_returned',
  `update plan_invoices set refunded_cents = paid_cents, refund_told_at = $2 where invoice_id = $1 and refund_told_at is null returning paid_cents as cents`,
);
const refundWritten = statement<{ planId: string }>(
  'plan_invoice_refund_written',
  `update plan_invoices i set refunded_cents = least($2, i.paid_cents) from platform_subscriptions p
where i.invoice_id = $1 and p.id = i.plan_id and p.provider = $3 and p.livemode = $4 and i.refunded_cents <> least($2, i.paid_cents) returning i.plan_id as "planId"`,
);

/** The plan that a bill is of. */
export const findBilledPlan = async (tx: Tx, { provider, livemode }: Realm, invoiceId: string) =>
  (await tx.query(billedPlan, [provider, livemode, invoiceId]))[0];

/** Notes that a plan ends because its money goes back. */
export const notePlanReturned = async (tx: Tx, planId: string, now: Date): Promise<void> =>
  void (await tx.query(planReturned, [planId, now]));

/** Notes that all of a bill goes back. @returns how much, for whoever has to be told; undefined when they were */
export const noteReturned = async (tx: Tx, invoiceId: string, now: Date): Promise<number | undefined> =>
  (await tx.query(invoiceReturned, [invoiceId, now]))[0]?.cents;

/** Writes how much of a bill has gone back by the provider's word. @returns whether that was new */
export const writeRefunded = async (
  tx: Tx,
  { provider, livemode }: Realm,
  { invoiceId, refundedCents }: { invoiceId: string; refundedCents: number },
): Promise<boolean> => (await tx.query(refundWritten, [invoiceId, refundedCents, provider, livemode])).length === 1;

/** Asks for the first payment back. @returns false for whoever has had it */
export async function insertPlanRefund(
  tx: Tx,
  refund: Omit<PlanRefund, 'settledAt'> & { now: Date },
): Promise<boolean> {
  const { userId, planId, invoiceId, amountCents, currency, now } = refund;
  return (await tx.query(requested, [userId, planId, invoiceId, amountCents, currency, now])).length === 1;
}

export const findPlanRefund = async (tx: Pick<Tx, 'query'>, userId: string): Promise<PlanRefund | undefined> =>
  (await tx.query(refundOf, [userId]))[0];

/** Refunds that the provider has not been asked for, or has not answered. */
export const listUnsettledRefunds = (tx: Tx, { provider, livemode }: Realm, userId: string | undefined) =>
  tx.query(unsettled, [provider, livemode, userId ?? null]);

/** @returns whether it was settled now */
export const settlePlanRefund = async (tx: Tx, userId: string, now: Date): Promise<boolean> =>
  (await tx.query(settledRefund, [userId, now])).length === 1;
