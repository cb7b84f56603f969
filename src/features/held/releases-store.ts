import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

const requested = statement<{ requestId: string }>(
  'held_release_wished',
  `insert into held_releases (request_id, order_id, amount_cents, fee_cents, created_at)
select $1, o.id, $3, $4, $5 from checkout_orders o
where o.id = $2 and o.request_id = $1 and o.state in ('paid', 'partially_refunded')
  and $3::bigint + $4::bigint = o.amount_cents - coalesce((select sum(r.amount_cents) from refunds r where r.order_id = o.id and r.state <> 'failed'), 0)
on conflict do nothing returning request_id as "requestId"`,
);

/** @returns false when it was wished for before, is disputed, or something else went back meanwhile */
export async function insertRelease(
  tx: Tx,
  release: { requestId: string; orderId: string; shareCents: number; feeCents: number; now: Date },
): Promise<boolean> {
  const { requestId, orderId, shareCents, feeCents, now } = release;
  return (await tx.query(requested, [requestId, orderId, shareCents, feeCents, now])).length === 1;
}

/** What a creator is to get of what was held for them. */
export interface DueRelease {
  requestId: string;
  orderId: string;
  accountId: string;
  chargeId: string;
  shareCents: number;
  feeCents: number;
  currency: string;
}

// While the bank looks at a payment nothing of it leaves.
const due = statement<DueRelease>(
  'held_releases_due',
  `select h.request_id as "requestId", o.id as "orderId", o.acct_id as "accountId", o.charge_id as "chargeId", h.amount_cents as "shareCents",
  h.fee_cents as "feeCents", o.currency
from held_releases h join checkout_orders o on o.id = h.order_id
where h.state = 'pending' and o.provider = $1 and o.livemode = $2 and o.charge_id is not null and o.state in ('paid', 'partially_refunded')
  and ($3::uuid is null or h.request_id = $3) and ($3 is not null or h.next_try_at is null or h.next_try_at <= $4)
order by h.created_at limit 100`,
);

/** Releases that the provider has to be asked for; of one request, whether they were postponed or not. */
export const listDueReleases = (tx: Tx, { provider, livemode }: Realm, now: Date, requestId: string | null = null) =>
  tx.query(due, [provider, livemode, requestId, now]);

const begun = statement<{ requestId: string }>(
  'held_release_begun',
  `update held_releases set refused_why = null where request_id = $1 and state = 'pending' returning request_id as "requestId"`,
);

/**
 * Called before the provider is asked: until its answer is written down nobody knows whether the money has left, even where it
 * refused the last time. @returns false when nobody wants it sent any more
 */
export const beginRelease = async (tx: Tx, requestId: string): Promise<boolean> =>
  (await tx.query(begun, [requestId])).length === 1;

const done = statement<{ requestId: string }>(
  'held_release_done',
  `update held_releases set state = 'done', transfer_id = $2, done_at = $3 where request_id = $1 and state = 'pending'
returning request_id as "requestId"`,
);

/** @returns false when somebody else has noted it already */
export const markReleased = async (tx: Tx, requestId: string, transferId: string, now: Date): Promise<boolean> =>
  (await tx.query(done, [requestId, transferId, now])).length === 1;

const postponed = statement(
  'held_release_postponed',
  `update held_releases set tries = tries + 1, last_error = $3, refused_why = $4,
  refused_at = case when $4::text is not null then coalesce(refused_at, $2) end,
  next_try_at = $2::timestamptz + least(power(2, tries), 360) * interval '1 minute' where request_id = $1 and state = 'pending'`,
);

/**
 * Notes that it could not be asked for now: it is a minute later, then after twice as long each time, up to six hours.
 * @param why of a refusal; undefined where the provider did not answer
 */
export async function postponeRelease(
  tx: Tx,
  requestId: string,
  { now, words, why }: { now: Date; words: string; why: string | undefined },
): Promise<void> {
  await tx.query(postponed, [requestId, now, words.slice(0, 500), why ?? null]);
}

const news = statement<RefusedRelease>(
  'held_release_told',
  `update held_releases h set told_at = $2 from checkout_orders o
where h.request_id = $1 and o.id = h.order_id and h.state = 'pending' and h.told_at is null
  and h.refused_at <= $2::timestamptz - $3::bigint * interval '1 ms'
returning o.creator_name as "creatorName", h.amount_cents as "shareCents", o.currency, h.refused_at as "refusedAt"`,
);

export interface RefusedRelease {
  creatorName: string;
  shareCents: number;
  currency: string;
  refusedAt: Date;
}

/** @returns a release that has been refused for so long, once; undefined else */
export const takeRefused = async (tx: Tx, requestId: string, now: Date, ms: number) =>
  (await tx.query(news, [requestId, now, ms]))[0];

const dropped = statement<{ requestId: string }>(
  'held_release_dropped',
  `delete from held_releases where request_id = $1 and state = 'pending' and refused_why is not null returning request_id as "requestId"`,
);

/** What the provider refused when it was last asked is not asked for again. @returns false when it was sent, or may have been */
export const dropRefused = async (tx: Tx, requestId: string): Promise<boolean> =>
  (await tx.query(dropped, [requestId])).length === 1;

const gone = statement<{ cents: number }>(
  'held_gone',
  `select coalesce(sum(amount_cents), 0)::bigint as cents from refunds where order_id = $1 and state <> 'failed'`,
);

/** What of an order has gone back, or is on its way. */
export const sumGone = async (tx: Tx, orderId: string): Promise<number> =>
  (await tx.query(gone, [orderId]))[0]?.cents ?? 0;

const releaseHeldBack = statement<{ state: 'pending' | 'done' | null }>(
  'held_release_held',
  `select h.state from custom_requests r left join held_releases h on h.request_id = r.id where r.id = $1 for update of r`,
);

/** Until the transaction ends nobody releases what is held for a request. @returns how far its release is; null where there is none */
export const holdRelease = async (tx: Tx, requestId: string) =>
  (await tx.query(releaseHeldBack, [requestId]))[0]?.state ?? null;

const heldBy = statement<{ requestId: string; takenFeeCents: number }>(
  'order_held_for',
  `select o.request_id as "requestId", case when h.state = 'done' then h.fee_cents else 0 end as "takenFeeCents"
from checkout_orders o left join held_releases h on h.request_id = o.request_id and h.order_id = o.id
where o.id = $1 and o.request_id is not null`,
);

/** What an order was held for, and what the platform has taken of it with the release; undefined for one that never was. */
export const findHeldFor = async (tx: Tx, orderId: string) => (await tx.query(heldBy, [orderId]))[0];

const released = statement<{ requestId: string; transferId: string; shareCents: number; feeCents: number }>(
  'held_released',
  `select request_id as "requestId", transfer_id as "transferId", amount_cents as "shareCents", fee_cents as "feeCents"
from held_releases where order_id = $1 and state = 'done'`,
);

/** What a creator has had of what was held; undefined before. */
export const findReleased = async (tx: Tx, orderId: string) => (await tx.query(released, [orderId]))[0];
