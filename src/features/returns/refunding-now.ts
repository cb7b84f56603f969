import type { Engines } from '#engines/engines.ts';
import { findOrder } from '#features/orders/orders-store.ts';
import { isReturning } from '#features/orders/refunds-store.ts';
import { refundRefused } from '#features/orders/rules.ts';
import { refuse } from '#wire/refusals.ts';
import { runRefunds } from './refunding.ts';

const system = { kind: 'system' } as const;

/**
 * Asks the provider at once for the refund that a creator has wished for. What it does not take now it is asked for again: the request is
 * written down.
 * @throws DISPUTED where its bank was quicker, CONFLICT where the provider has refused it
 */
export async function refundNow(engines: Engines, orderId: string): Promise<'refunded' | 'returning'> {
  const { database } = engines;
  await runRefunds(engines, orderId);
  const after = await database.work(system, (tx) => findOrder(tx, orderId));
  if (after?.state === 'refunded') return 'refunded';
  if (after?.state === 'disputed' || after?.state === 'charged_back') throw refuse('DISPUTED');
  if (!(await database.work(system, (tx) => isReturning(tx, orderId))))
    throw refuse('CONFLICT', { message: refundRefused });
  return 'returning';
}
