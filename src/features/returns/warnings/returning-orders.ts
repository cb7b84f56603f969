import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { endReturned } from '#features/held/paid-requests-store.ts';
import { dropRefused, findHeldFor, holdRelease } from '#features/held/releases-store.ts';
import { withRefusedRelease } from '#features/held/releasing.ts';
import { notifyScreens } from '#features/orders/order-screens.ts';
import { findOrder } from '#features/orders/orders-store.ts';
import { holdOrder, insertRefund, isReturning, wasRefused } from '#features/orders/refunds-store.ts';
import { opens } from '#features/orders/rules.ts';
import { syncFan } from '#features/orders/sync-fan.ts';
import { newId } from '#kit/ids.ts';
import type { DisputedOrder } from '../disputes/disputes-store.ts';
import { markReturned, type WarningRow } from './warnings-store.ts';

const system = { kind: 'system' } as const;

/**
 * Gives back what was paid to a creator, and ends what would be paid to them again. The job of refunds asks the provider.
 * @returns whether that has refused it
 */
export async function returnOrder(
  engines: Engines,
  row: WarningRow,
  { orderId, subscriptionId }: DisputedOrder,
): Promise<boolean> {
  const { database, payments } = engines;
  const heldFor = await database.work(system, (tx) => findHeldFor(tx, orderId));
  const requestIt = () => database.work(system, (tx) => params(engines, tx, row, orderId));
  // What is on its way to them arrives first: then it is known what is to be taken back. What was refused nobody asks for meanwhile.
  const said = await (heldFor === undefined ? requestIt() : withRefusedRelease(engines, heldFor.requestId, requestIt));
  if (subscriptionId !== null && (said !== 'over' || row.returnedAt !== null)) {
    // Whoever has the card has agreed to no other month.
    await payments.endPlan(subscriptionId);
    await syncFan(engines, subscriptionId);
  }
  return said === 'refused';
}

/**
 * The refund, and the end of what was paid for: a payment that is on its way back opens nothing.
 * @returns `over` when a bank has it or all of it went back @throws when something else has to happen before
 */
async function params(
  engines: Engines,
  tx: Tx,
  { id }: WarningRow,
  orderId: string,
): Promise<'wished' | 'refused' | 'over'> {
  await holdOrder(tx, orderId);
  const order = await findOrder(tx, orderId);
  if (order === undefined || !opens(order.state)) return 'over';
  // It is wished for again only where something else is left by now, of which a part went back another way.
  if (await wasRefused(tx, orderId, order.amountCents - order.refundedCents)) return 'refused';
  const now = moneyNow(engines);
  const { requestId } = order;
  const wasUnsent = requestId !== null && (await holdRelease(tx, requestId)) === 'pending';
  // That the provider's last word was no is certain; where it did not answer, the money may have left.
  if (wasUnsent && !(await dropRefused(tx, requestId))) throw new Error('A creator is being sent what was held.');
  const about = { id: newId<'refund'>(now.getTime()), orderId, reason: 'fraudulent', note: '' } as const;
  const isNew = await insertRefund(tx, { ...about, by: { kind: 'system' }, now });
  if (!isNew && !(await isReturning(tx, orderId))) throw new Error('A part of this payment is on its way back.');
  if (isNew && requestId !== null) await endReturned(tx, requestId, now, { isRefunded: true, wasUnsent });
  await markReturned(tx, id, now);
  if (isNew) await notifyScreens(tx, order);
  return 'wished';
}
