import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { RefundStory } from './refund-sentences.ts';
import type { RefundCause, RefundWhy } from './rules.ts';
import { feeOfOrderPart } from './split-store.ts';

export interface RefundRow {
  id: string;
  orderId: string;
  amountCents: number;
  reason: RefundWhy;
  state: 'pending' | 'succeeded' | 'failed';
}

export interface NewRefund {
  id: string;
  orderId: string;
  reason: RefundWhy;
  note: string;
  /** Left out for all that is left. */
  amountCents?: number | undefined;
  by: { kind: 'creator' | 'staff' | 'system'; userId?: string | undefined };
  /** What exactly led to it, where the reason alone doesn't say it. */
  cause?: RefundCause | undefined;
  /** Whoever paid hears of it by another email. */
  isTold?: boolean;
  /** A part that was left out when the rest was released: its creator was sent nothing of it, so nothing of it is taken back from them. */
  isUnsent?: boolean;
  now: Date;
}

const made = statement<{ id: string }>(
  'refund_made',
  `with given as (
  select g.transfer_id, g.is_release, g.cents - (select coalesce(sum(r.given_cents), 0) from refunds r where r.order_id = $2 and r.state <> 'failed') as cents
  from (
    (select d.retransfer_id as transfer_id, false as is_release, d.back_cents - d.back_fee_cents as cents
    from disputes d where d.order_id = $2 and d.standing = 'won' and d.back_cents > 0 order by d.opened_at desc limit 1)
    union all
    select h.transfer_id, true, h.amount_cents from held_releases h where h.order_id = $2
  ) g order by g.is_release limit 1
), params as (
  select o.*, coalesce($8::bigint, o.amount_cents - o.refunded_cents) as cents,
    ${feeOfOrderPart('(o.refunded_cents + coalesce($8::bigint, o.amount_cents - o.refunded_cents))')}
      - ${feeOfOrderPart('o.refunded_cents')} as fee_back
  from checkout_orders o where o.id = $2
)
insert into refunds (id, order_id, creator_id, amount_cents, reason, note, by_kind, by_user, created_at, cause, is_told, until_cents, given_transfer_id, given_cents)
select $1, o.id, o.creator_id, o.cents, $3, $4, $5, $6, $7, $9, $10, o.refunded_cents + $8, g.transfer_id,
  case when g.cents > 0 then case when g.is_release and $8 is null then g.cents else least(g.cents, o.cents - o.fee_back) end end
from params o left join given g on not $11::boolean
where o.state in ('paid', 'partially_refunded') and o.cents <= o.amount_cents - o.refunded_cents
  and (g.cents is null or g.cents <= 0 or g.transfer_id is not null)
on conflict (order_id) where state = 'pending' do nothing returning id`,
);

/**
 * Asks that all of an order goes back, or a part of it. Where a dispute was won, the creator's part was taken back and given
 * again by another transfer; of what was held, they were sent it by one: what of that is to be taken back is noted with the request.
 * @returns false when nothing is left to go back, or it is on its way already
 */
export async function insertRefund(tx: Tx, refund: NewRefund): Promise<boolean> {
  const { id, orderId, reason, note, by, now, amountCents, cause, isTold, isUnsent } = refund;
  const who = [by.kind, by.userId ?? null, now];
  const values = [
    id,
    orderId,
    reason,
    note,
    ...who,
    amountCents ?? null,
    cause ?? null,
    isTold === true,
    isUnsent === true,
  ];
  return (await tx.query(made, values)).length === 1;
}

const held = statement('refund_order_held', 'select id from checkout_orders where id = $1 for no key update');

/** Until the transaction ends nobody writes what became of an order: a refund that was just made is seen, and not wished for again. */
export const holdOrder = async (tx: Tx, orderId: string): Promise<void> => void (await tx.query(held, [orderId]));

const returning = statement<{ id: string }>(
  'refund_returning',
  `select id from refunds where order_id = $1 and state = 'pending' and until_cents is null`,
);

/** Returns whether all that is left of an order is on its way back. */
export const isReturning = async (tx: Tx, orderId: string): Promise<boolean> =>
  (await tx.query(returning, [orderId])).length > 0;

const refused = statement<{ id: string }>(
  'refund_was_refused',
  `select id from refunds where order_id = $1 and reason = 'fraudulent' and by_kind = 'system' and state = 'failed' and amount_cents = $2 limit 1`,
);

/** Returns whether the provider has refused to give back as much of an order that its card's bank has reported. */
export const wasRefused = async (tx: Tx, orderId: string, amountCents: number): Promise<boolean> =>
  (await tx.query(refused, [orderId, amountCents])).length > 0;

/** Whether order `o` goes back because its card's bank reported possible fraud: nobody else gives that as a reason by itself. */
export const isReported = `exists (select from refunds f where f.order_id = o.id and f.reason = 'fraudulent' and f.by_kind = 'system' and f.state <> 'failed')`;

const story = statement<RefundStory>(
  'refund_story',
  `select reason, by_kind as "byKind", cause from refunds where order_id = $1 and state <> 'failed' order by created_at desc limit 1`,
);

/** Why an order goes back, or went back last; undefined where nothing was wished for. */
export const findRefundStory = async (tx: Tx, orderId: string): Promise<RefundStory | undefined> =>
  (await tx.query(story, [orderId]))[0];

export type DueRefund = RefundRow & {
  paymentId: string;
  /** Null for a month that came by itself. */
  sessionId: string | null;
  invoiceId: string | null;
  subscriptionId: string | null;
  /** Of custom work: the payment itself is the platform's, and its creator has their part by a release or not yet. */
  requestId: string | null;
  /** By which transfer they have their part since it was released or its dispute was won, and what of that goes back; null where there was none. */
  givenTransferId: string | null;
  givenCents: number | null;
  chargeId: string | null;
  currency: string;
  /** The platform keeps nothing of it. */
  isFree: boolean;
};

const due = statement<DueRefund>(
  'refunds_due',
  `select r.id, r.order_id as "orderId", r.amount_cents as "amountCents", r.reason, r.state, o.payment_id as "paymentId", o.session_id as "sessionId",
  o.invoice_id as "invoiceId", f.subscription_id as "subscriptionId", o.request_id as "requestId",
  r.given_transfer_id as "givenTransferId", r.given_cents as "givenCents", o.charge_id as "chargeId", o.currency, o.fee_cents = 0 as "isFree"
from refunds r join checkout_orders o on o.id = r.order_id left join fan_subscriptions f on f.id = o.fan_subscription_id
where (r.state = 'pending' or (r.state = 'succeeded' and r.given_transfer_id is not null and r.given_reversal_id is null)) and o.provider = $1 and o.livemode = $2 and ($3::uuid is null or r.order_id = $3) and o.payment_id is not null
  and ($3 is not null or r.next_try_at is null or r.next_try_at <= $4)
order by r.created_at limit 100`,
);

/** Refunds that the provider has to be asked for; of one order, whether they were postponed or not. */
export const listDueRefunds = (tx: Tx, { provider, livemode }: Realm, now: Date, orderId: string | null = null) =>
  tx.query(due, [provider, livemode, orderId, now]);

const postponed = statement(
  'refund_postponed',
  `update refunds set tries = tries + 1, next_try_at = $2::timestamptz + least(power(2, tries), 360) * interval '1 minute' where id = $1`,
);

/** Notes that a refund could not be asked for now: it is a minute later, then after twice as long each time, up to six hours. */
export async function postponeRefund(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.query(postponed, [id, now]);
}

const takenBack = statement<{ id: string }>(
  'refund_given_taken_back',
  'update refunds set given_reversal_id = $2 where id = $1 and given_reversal_id is null returning id',
);

/** Notes under which name what was given again was taken back. @returns false when somebody has noted it already */
export const markTakenBack = async (tx: Tx, id: string, reversalId: string): Promise<boolean> =>
  (await tx.query(takenBack, [id, reversalId])).length === 1;

const givenRefused = statement<{ isFirst: boolean }>(
  'refund_given_refused',
  `update refunds r set given_refused_at = coalesce(r.given_refused_at, $2) from refunds before
where r.id = $1 and before.id = r.id and r.given_reversal_id is null returning before.given_refused_at is null as "isFirst"`,
);

/** Notes that what was given by another transfer could not be taken back. @returns whether for the first time */
export const noteGivenRefused = async (tx: Tx, id: string, now: Date): Promise<boolean> =>
  (await tx.query(givenRefused, [id, now]))[0]?.isFirst === true;

/** A refund that was made: why, by whom, and what its creator gives back of what they were sent by another transfer. */
export type SettledRefund = RefundStory & {
  isTold: boolean;
  note: string;
  givenCents: number | null;
};

// There is one at a time that is not made yet.
const settled = statement<SettledRefund>(
  'refunds_settled',
  `update refunds r set state = 'succeeded', settled_at = $3 from checkout_orders o
where o.id = r.order_id and r.order_id = $1 and r.state = 'pending' and $2::bigint >= coalesce(r.until_cents, o.amount_cents)
returning r.reason, r.by_kind as "byKind", r.cause, r.is_told as "isTold", r.note, r.given_cents as "givenCents"`,
);

/** The provider has returned what was wished for: so have we. @returns what was wished for; undefined where nothing was */
export const settleRefunds = async (
  tx: Tx,
  orderId: string,
  refundedCents: number,
  now: Date,
): Promise<SettledRefund | undefined> => (await tx.query(settled, [orderId, refundedCents, now]))[0];

const failed = statement<{ id: string }>(
  'refund_failed',
  `update refunds set state = 'failed', last_error = $2, settled_at = $3 where id = $1 and state = 'pending' returning id`,
);

/** Notes that the provider does not make a refund. @returns false when somebody has noted it already */
export const failRefund = async (tx: Tx, id: string, words: string, now: Date): Promise<boolean> =>
  (await tx.query(failed, [id, words.slice(0, 500), now])).length === 1;

export interface ListedRefund extends Omit<RefundRow, 'id'> {
  byKind: 'creator' | 'staff' | 'system';
  note: string;
  currency: string;
  tries: number;
  nextTryAt: Date | null;
  lastError: string | null;
  /** What its creator was sent by another transfer could not be taken back from them yet. */
  isOwed: boolean;
  createdAt: Date;
}

const listed = statement<ListedRefund>(
  'refunds_listed',
  `select r.order_id as "orderId", r.amount_cents as "amountCents", r.reason, r.state, r.by_kind as "byKind", r.note, o.currency, r.tries,
  r.next_try_at as "nextTryAt", r.last_error as "lastError", r.given_refused_at is not null and r.given_reversal_id is null as "isOwed", r.created_at as "createdAt"
from refunds r join checkout_orders o on o.id = r.order_id where o.provider = $1 and o.livemode = $2
order by (r.state = 'succeeded'), r.created_at desc limit $3`,
);

/** What was asked for: first what waits or failed, then what was given back, each the newest first. */
export const listRefunds = (tx: Tx, { provider, livemode }: Realm, limit: number): Promise<ListedRefund[]> =>
  tx.query(listed, [provider, livemode, limit]);
