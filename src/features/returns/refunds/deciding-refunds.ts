import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { findAccount } from '#features/accounts/store.ts';
import { type NotDone, notDone, type Operator } from '#features/audit/operator.ts';
import { insertAudit } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { refundDecidedEmail } from '#features/notices/money-emails.ts';
import { refundRefusedEmail } from '#features/notices/refund-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { answerAsking } from '#features/orders/asking-back.ts';
import { findOrder, type OrderRow } from '#features/orders/orders-store.ts';
import { listWaiting } from '#features/orders/refund-requests-store.ts';
import { holdOrder, insertRefund } from '#features/orders/refunds-store.ts';
import { opens, type RefundWhy, refundOrderQueue } from '#features/orders/rules.ts';
import { nameSold } from '#features/orders/sold-words.ts';
import { isUuid, newId } from '#kit/ids.ts';
import { formatMoney } from '#kit/text.ts';

type Needed = Pick<Engines, 'jobs' | 'installation' | 'linkClock' | 'payments'>;

/** What goes back. */
export interface GoesBack {
  kind: 'done';
  amountCents: number;
  currency: string;
  /** Its creator is told by email. */
  isNotified: boolean;
}

/** Says why nothing of an order can go back by hand; undefined where something can. */
export function returnRefusal({ state, requestId }: Pick<OrderRow, 'state' | 'requestId'>): string | undefined {
  if (state === 'disputed' || state === 'charged_back')
    return 'It is disputed: the bank decides, and a refund would pay twice.';
  if (requestId !== null) return `It is held for a request: npm run pf -- requests show ${requestId}`;
  return opens(state) ? undefined : `It is ${state.replace('_', ' ')}: there is nothing to give back.`;
}

async function findOwn(tx: Tx, { provider, livemode }: Realm, id: string): Promise<OrderRow | undefined> {
  const order = isUuid(id) ? await findOrder(tx, id) : undefined;
  return order?.provider === provider && order.livemode === livemode ? order : undefined;
}

const left = ({ amountCents, refundedCents }: OrderRow): number => amountCents - refundedCents;

export interface RefundByHand {
  orderId: string;
  reason: RefundWhy;
  /** Its creator reads it. */
  note: string;
  /** Left out for all that is left. */
  amountCents?: number | undefined;
  /** What had gone back when this was decided: the same decision, sent twice, gives back once. */
  refundedCents?: number | undefined;
}

/** Gives an order back, or a part of it: the running app asks the provider until it is done or refused. @returns undefined where there is no such order */
export async function refundByHand(
  engines: Needed,
  tx: Tx,
  refund: RefundByHand,
  { actor, requestId }: Operator,
): Promise<GoesBack | NotDone | undefined> {
  const { orderId, reason, note } = refund;
  if (isUuid(orderId)) await holdOrder(tx, orderId);
  const order = await findOwn(tx, engines.payments.realm, orderId);
  if (order === undefined) return undefined;
  const refusal = returnRefusal(order);
  if (refusal !== undefined) return notDone(refusal);
  if (refund.refundedCents !== undefined && refund.refundedCents !== order.refundedCents)
    return notDone('Something of it has gone back since you read it. Look at it again.');
  const amountCents = refund.amountCents ?? left(order);
  if (amountCents > left(order)) return notDone('That is more than is left of it.');
  const now = moneyNow(engines);
  const isPart = amountCents < left(order);
  const params = { orderId, reason, note, by: { kind: 'staff' }, now, ...(isPart && { amountCents }) } as const;
  if (!(await insertRefund(tx, { ...params, id: newId<'refund'>(now.getTime()) })))
    return notDone('A refund of it is on its way already.');
  await engines.jobs.send(tx, refundOrderQueue, { orderId });
  const details = { reason, note, ...(isPart && { amountCents }) };
  const target = { type: 'order', id: orderId };
  await insertAudit(tx, { actor, action: 'order.refunded', target, details, ...(requestId && { requestId }) });
  const isNotified = await notifyCreator(engines, tx, { order, amountCents, note, now });
  return { kind: 'done', amountCents, currency: order.currency, isNotified };
}

/** Answers what a buyer asks for: the buyer and the creator are told with the note. @returns undefined where nobody waits */
export async function answerByHand(
  engines: Needed & Pick<Engines, 'database'>,
  tx: Tx,
  { orderId, isRefunded, note }: { orderId: string; isRefunded: boolean; note: string },
  { actor, requestId }: Operator,
): Promise<GoesBack | NotDone | undefined> {
  if (isUuid(orderId)) await holdOrder(tx, orderId);
  const request = isUuid(orderId) ? (await listWaiting(tx, orderId))[0] : undefined;
  const order = await findOwn(tx, engines.payments.realm, orderId);
  if (request === undefined || order === undefined) return undefined;
  const refusal = returnRefusal(order);
  if (refusal !== undefined) return notDone(refusal);
  const amountCents = left(order);
  if (!(await answerAsking(engines, tx, request, { by: { kind: 'staff' }, isRefunded, text: note })))
    return notDone('It was answered a moment ago.');
  await insertAudit(tx, {
    actor,
    action: isRefunded ? 'order.refund_accepted' : 'order.refund_declined',
    target: { type: 'order', id: orderId },
    details: { reason: request.reason, note },
    ...(requestId && { requestId }),
  });
  const now = moneyNow(engines);
  const isNotified = isRefunded
    ? await notifyCreator(engines, tx, { order, amountCents, note, now })
    : await notifyKept(engines, tx, { order, amountCents, now });
  return { kind: 'done', amountCents, currency: order.currency, isNotified };
}

/** A creator who was not asked, or has not answered, is told that nothing went back. */
async function notifyKept(
  { jobs, installation }: Needed,
  tx: Tx,
  { order, amountCents, now }: { order: OrderRow; amountCents: number; now: Date },
): Promise<boolean> {
  const { creatorId, kind, currency } = order;
  const account = creatorId === null ? undefined : await findAccount(tx, creatorId);
  if (creatorId === null || account === undefined) return false;
  const amount = formatMoney(amountCents, currency.toUpperCase());
  const earningsPage = `${installation.publicUrl}/earnings`;
  const words = refundRefusedEmail({ what: nameSold(kind), amount, earningsPage });
  await queueEmail(tx, jobs, { userId: creatorId, to: account.email, now, ...words });
  return true;
}

async function notifyCreator(
  { jobs, installation }: Needed,
  tx: Tx,
  { order, amountCents, note, now }: { order: OrderRow; amountCents: number; note: string; now: Date },
): Promise<boolean> {
  const { creatorId, kind, currency } = order;
  const account = creatorId === null ? undefined : await findAccount(tx, creatorId);
  if (creatorId === null || account === undefined) return false;
  const amount = formatMoney(amountCents, currency.toUpperCase());
  const earningsPage = `${installation.publicUrl}/earnings`;
  const words = refundDecidedEmail({ what: nameSold(kind), amount, note, earningsPage });
  await queueEmail(tx, jobs, { userId: creatorId, to: account.email, now, ...words });
  return true;
}
