import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { SoldKind } from './contract.ts';
import type { AskFacts, AskReason } from './refund-asking-rules.ts';

export type AskedState = 'creator' | 'operator' | 'refunded' | 'declined';

/** Money that somebody asked for. */
export interface RequestRow {
  id: string;
  orderId: string;
  creatorId: string | null;
  kind: 'refund' | 'complaint';
  reason: AskReason;
  text: string;
  state: AskedState;
  answer: string;
  createdAt: Date;
  answerUntil: Date | null;
  sold: SoldKind;
  amountCents: number;
  refundedCents: number;
  currency: string;
  creatorName: string;
  buyerEmail: string | null;
}

/** The same as its creator reads it. */
export type RequestOfCreator = RequestRow & {
  /** They have accepted it, and the provider did not make the refund. */
  wasRefused: boolean;
};

type Source = Pick<Tx, 'query'>;

const columns = `q.id, q.order_id as "orderId", q.creator_id as "creatorId", q.kind, q.reason, q.text, q.state, q.answer, q.created_at as "createdAt",
  q.answer_until as "answerUntil", o.kind as sold, o.amount_cents as "amountCents", o.refunded_cents as "refundedCents", o.currency,
  o.creator_name as "creatorName", b.email as "buyerEmail"`;
const joined = 'refund_requests q join checkout_orders o on o.id = q.order_id left join buyers b on b.id = o.buyer_id';

/** What decides whether the money of an order `o` may be asked for, beside its own state and age. */
export const askColumns = `(select w.at from withheld_refunds w where w.order_id = o.id) as "withheldAt",
  exists (select from refunds r where r.order_id = o.id and r.state = 'pending') as "isReturning",
  exists (select from refund_requests q where q.order_id = o.id and q.kind = 'refund') as "hasAsked",
  exists (select from refund_requests q where q.order_id = o.id and q.kind = 'complaint') as "hasComplained"`;

// Whoever gives back answers by that: until the provider has taken or refused it nobody is asked for another answer.
const unanswered = `not exists (select from refunds r where r.order_id = q.order_id and r.state = 'pending')`;

/** What can be answered, of a request `q` and its order `o`. What is with a bank the bank decides: nobody can answer meanwhile. */
export const answerable = `o.state in ('paid', 'partially_refunded') and ${unanswered}`;

const facts = statement<AskFacts>(
  'refund_ask_facts',
  `select o.state, o.paid_at as "paidAt", o.request_id is not null as "isHeld", ${askColumns} from checkout_orders o where o.id = $1 and o.paid_at is not null`,
);

/** What decides whether the money of an order may be asked for; undefined for one that was never paid. */
export const findAskFacts = async (tx: Source, orderId: string): Promise<AskFacts | undefined> =>
  (await tx.query(facts, [orderId]))[0];

const newest = statement<RequestRow>(
  'refund_request_newest',
  `select ${columns} from ${joined} where q.order_id = $1 order by q.created_at desc limit 1`,
);

/** What was asked last about an order. */
export const findRequest = async (tx: Source, orderId: string): Promise<RequestRow | undefined> =>
  (await tx.query(newest, [orderId]))[0];

const inserted = statement<{ id: string }>(
  'refund_request_inserted',
  `insert into refund_requests (id, order_id, creator_id, kind, reason, text, state, created_at, answer_until)
select $1, o.id, o.creator_id, $3, $4, $5, $6, $7, $8 from checkout_orders o where o.id = $2
on conflict (order_id, kind) do nothing returning id`,
);

/** @returns false when it was asked already */
export async function insertRequest(
  tx: Tx,
  request: Pick<RequestRow, 'id' | 'orderId' | 'kind' | 'reason' | 'text' | 'state' | 'answerUntil'> & { now: Date },
): Promise<boolean> {
  const { id, orderId, kind, reason, text, state, answerUntil, now } = request;
  return (await tx.query(inserted, [id, orderId, kind, reason, text, state, now, answerUntil])).length === 1;
}

const ofCreator = statement<RequestOfCreator>(
  'refund_requests_of_creator',
  `select ${columns}, exists (select from refunds f where f.order_id = q.order_id and f.state = 'failed' and f.by_kind = 'creator' and f.created_at >= q.created_at) as "wasRefused"
from refund_requests q join checkout_orders o on o.id = q.order_id
left join lateral (select null::text as email) b on true
where q.creator_id = $1 and o.provider = $2 and o.livemode = $3 and q.state = 'creator' and ${answerable} order by q.created_at limit 50`,
);

/** What waits for a creator's answer, the oldest first; never who asks. */
export const listOfCreator = (
  tx: Source,
  { provider, livemode }: Realm,
  creatorId: string,
): Promise<RequestOfCreator[]> => tx.query(ofCreator, [creatorId, provider, livemode]);

const ofOperator = statement<RequestRow>(
  'refund_requests_of_operator',
  `select ${columns} from ${joined} where o.provider = $1 and o.livemode = $2 and q.state = 'operator' and ${answerable} order by q.created_at limit $3`,
);

/** What waits for the operator's answer, the oldest first. */
export const listOfOperator = (tx: Tx, { provider, livemode }: Realm, limit: number): Promise<RequestRow[]> =>
  tx.query(ofOperator, [provider, livemode, limit]);

const answered = statement<{ id: string }>(
  'refund_request_answered',
  `update refund_requests set state = $2, answer = $3, answered_by = $4, answered_at = $5
where id = $1 and state in ('creator', 'operator') returning id`,
);

/** @returns false when somebody was quicker */
export async function answerRequest(
  tx: Tx,
  {
    id,
    state,
    answer,
    by,
    now,
  }: { id: string; state: 'refunded' | 'declined'; answer: string; by: 'creator' | 'staff' | 'system'; now: Date },
): Promise<boolean> {
  return (await tx.query(answered, [id, state, answer, by, now])).length === 1;
}

const waiting = statement<RequestRow>(
  'refund_requests_waiting_of_order',
  `select ${columns} from ${joined} where q.order_id = $1 and q.state in ('creator', 'operator')`,
);

/** Returns what waits for an answer about an order. */
export const listWaiting = (tx: Tx, orderId: string): Promise<RequestRow[]> => tx.query(waiting, [orderId]);

const resumed = statement(
  'refund_requests_resumed',
  `update refund_requests set answer_until = greatest(answer_until, $2) where order_id = $1 and state = 'creator'`,
);

/** A bank has left a payment with its creator: what waits for their answer waits until then, or longer. */
export const resumeRequests = async (tx: Tx, orderId: string, answerUntil: Date): Promise<void> =>
  void (await tx.query(resumed, [orderId, answerUntil]));

const handedOn = statement<{ id: string; orderId: string }>(
  'refund_requests_handed_on',
  `update refund_requests q set state = 'operator', answer_until = null from checkout_orders o
where o.id = q.order_id and o.provider = $1 and o.livemode = $2 and q.state = 'creator' and q.answer_until <= $3 and ${answerable}
returning q.id, q.order_id as "orderId"`,
);

/** Hands on what no creator has answered in time. */
export const handOn = (tx: Tx, { provider, livemode }: Realm, now: Date): Promise<{ id: string; orderId: string }[]> =>
  tx.query(handedOn, [provider, livemode, now]);
