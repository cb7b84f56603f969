import { statement, type Tx } from '#engines/database/work.ts';

export interface PaidRequest {
  requestId: string;
  title: string;
  dueAt: Date;
  timeZone: string;
}

// Its days begin with the payment. It may have been paid in the very moment in which its time was over.
const paid = statement<PaidRequest>(
  'request_paid',
  `update custom_requests set state = 'paid', order_id = $2, paid_at = $3, due_at = $3::timestamptz + due_days * interval '1 day',
  act_until = $3::timestamptz + due_days * interval '1 day' + $5::bigint * interval '1 ms', closed_at = null, end_reason = null
where id = $1 and state in ('quoted', 'expired') and agreed_cents = $4 and paid_at is null
returning id as "requestId", title, due_at as "dueAt", time_zone as "timeZone"`,
);

/** @returns undefined for one that is not to be paid any more: then the money goes back */
export const markRequestPaid = async (
  tx: Tx,
  {
    requestId,
    orderId,
    amountCents,
    now,
    graceMs,
  }: { requestId: string; orderId: string; amountCents: number; now: Date; graceMs: number },
): Promise<PaidRequest | undefined> => (await tx.query(paid, [requestId, orderId, now, amountCents, graceMs]))[0];

const noted = statement(
  'request_payment_noted',
  `insert into custom_request_events (request_id, who, what, amount_cents, at) values ($1, 'buyer', 'paid', $2, $3)`,
);

export async function noteRequestPaid(tx: Tx, requestId: string, amountCents: number, now: Date): Promise<void> {
  await tx.query(noted, [requestId, amountCents, now]);
}

const stopped = statement(
  'request_stopped',
  'update custom_requests set stopped_at = $3 where id = $1 and order_id = $2 and (closed_at is null or act_until is not null) and stopped_at is null',
);

/** The bank has its payment: until it has decided nobody can do anything, and no time of it runs out, nor ours to answer what was reported after the release. */
export async function stopTimes(tx: Tx, requestId: string, orderId: string, now: Date): Promise<void> {
  await tx.query(stopped, [requestId, orderId, now]);
}

// A sandbox's clock may have been turned back.
const resumed = statement(
  'request_resumed',
  `with stopped as (
  select id, greatest($3::timestamptz - stopped_at, interval '0') as span from custom_requests
  where id = $1 and order_id = $2 and stopped_at is not null for update
), resumed as (
  update custom_requests r set stopped_at = null, act_until = r.act_until + s.span, due_at = r.due_at + s.span
  from stopped s where r.id = s.id and (r.closed_at is null or r.act_until is not null) returning r.id
)
insert into custom_request_events (request_id, who, what, at) select id, 'system', 'resumed', $3 from resumed`,
);

/** The bank has left its payment with us: every time of it is later by as long as the bank had it. */
export async function resumeTimes(tx: Tx, requestId: string, orderId: string, now: Date): Promise<void> {
  await tx.query(resumed, [requestId, orderId, now]);
}

const closed = statement(
  'request_delivery_closed',
  `update magic_links l set is_revoked = true, revoked_at = $2, revoked_reason = 'manual', undo_until = $2
from custom_requests r where r.id = $1 and l.id = r.delivery_link_id and not l.is_revoked`,
);

/** What was delivered opens no more: its money has gone back. */
export async function closeDelivery(tx: Tx, requestId: string, now: Date): Promise<void> {
  await tx.query(closed, [requestId, now]);
}

const ended = statement(
  'request_returned',
  `update custom_requests set state = case when $3 then 'refunded' else state end, end_reason = coalesce(end_reason, 'decided'),
  closed_at = $2, act_until = null where id = $1 and (closed_at is null or ($4 and state = 'released'))`,
);

/**
 * Its money has gone back, by whoever's hand: nobody works at it any more.
 * @param isRefunded else the bank has returned it
 * @param wasUnsent it was to be released, and nothing of that has left: then it is as if it had not been
 */
export async function endReturned(
  tx: Tx,
  requestId: string,
  now: Date,
  { isRefunded, wasUnsent = false }: { isRefunded: boolean; wasUnsent?: boolean },
): Promise<void> {
  await closeDelivery(tx, requestId, now);
  await tx.query(ended, [requestId, now, isRefunded, wasUnsent]);
}
