import type * as z from 'zod';
import { type NotDone, operatorOf } from '#features/audit/operator.ts';
import { hashKey, insertAudit, takeRate } from '#features/audit/store.ts';
import { listOfOperator } from '#features/orders/refund-requests-store.ts';
import { answerByHand, refundByHand, returnRefusal } from '#features/returns/deciding.ts';
import type { AdminContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { ListedOrder, OrderCard, RefundInput } from '../payments-contract.ts';
import { readOrderSearch } from './order-search.ts';
import { listOrderEntries, listOrderSteps } from './order-steps-store.ts';
import { findOrderFacts, listOrders, listWaitingOrders } from './orders-store.ts';

const pageSize = 50;

/** Unwraps what was decided. @throws NOT_FOUND, CONFLICT with why */
export function requireDone<Done extends { kind: 'done' }>(decided: Done | NotDone | undefined): Done {
  if (decided === undefined) throw refuse('NOT_FOUND');
  if (decided.kind === 'not_done') throw refuse('CONFLICT', { message: decided.because });
  return decided;
}

/** Finds payments, a page at a time. */
export async function findOrders(
  { asSystem, engines: { payments } }: AdminContext,
  { query, before }: { query: string; before?: string | undefined },
): Promise<{ orders: ListedOrder[]; next: string | null }> {
  const search = readOrderSearch(query);
  const rows = await asSystem((tx) => listOrders(tx, payments.realm, { search, before, limit: pageSize + 1 }));
  const orders = rows.slice(0, pageSize);
  return { orders, next: rows.length > pageSize ? (orders.at(-1)?.id ?? null) : null };
}

/** Finds payments of which a buyer asks the platform, the longest first. */
export const findWaitingOrders = ({ asSystem, engines: { payments } }: AdminContext): Promise<ListedOrder[]> =>
  asSystem(async (tx) => {
    const asked = await listOfOperator(tx, payments.realm, pageSize);
    return listWaitingOrders(tx, [...new Set(asked.map(({ orderId }) => orderId))]);
  });

/**
 * Shows one payment with its buyer's address. That an administrator has looked at it is written down, once an hour.
 * @throws NOT_FOUND
 */
export async function showOrder(context: AdminContext, orderId: string): Promise<OrderCard> {
  const { asSystem, engines } = context;
  const found = await asSystem(async (tx) => {
    const facts = await findOrderFacts(tx, engines.payments.realm, orderId);
    if (facts === undefined) return undefined;
    return { facts, steps: await listOrderSteps(tx, orderId), entries: await listOrderEntries(tx, orderId) };
  });
  if (found === undefined) throw refuse('NOT_FOUND');
  await noteLook(context, orderId);
  const { requestId, ...facts } = found.facts;
  const refusal =
    requestId === null
      ? returnRefusal({ state: facts.state, requestId })
      : 'It is custom work: its money is settled with the request, under Custom requests.';
  return { ...facts, refusal: refusal ?? null, steps: found.steps, entries: found.entries };
}

/** The page asks again and again while it is open. */
async function noteLook({ asSystem, engines, admin, now, requestId }: AdminContext, orderId: string): Promise<void> {
  const key = hashKey(engines.keys, 'admin_look', `${admin.userId} ${orderId}`);
  await asSystem(async (tx) => {
    const { isOver } = await takeRate(tx, { key, limit: 1, windowSeconds: 3600, now });
    if (isOver) return;
    const actor = { type: 'admin', id: admin.userId } as const;
    await insertAudit(tx, { actor, action: 'order.looked_at', target: { type: 'order', id: orderId }, requestId });
  });
}

/** Gives a payment back, or a part of it. @throws NOT_FOUND, CONFLICT */
export async function refundOrder(context: AdminContext, refund: z.output<typeof RefundInput>): Promise<number> {
  const { asSystem, engines } = context;
  const decided = await asSystem((tx) => refundByHand(engines, tx, refund, operatorOf(context)));
  return requireDone(decided).amountCents;
}

/** Answers a buyer who asks for their money. @throws NOT_FOUND, CONFLICT */
export async function answerBuyer(
  context: AdminContext,
  answer: { orderId: string; isRefunded: boolean; note: string },
): Promise<void> {
  const { asSystem, engines } = context;
  requireDone(await asSystem((tx) => answerByHand(engines, tx, answer, operatorOf(context))));
}
