import type { Engines } from '#engines/engines.ts';
import { syncSoon } from './ledger.ts';
import type { OrderRow } from './orders-store.ts';
import { projectOrder } from './project.ts';
import { wasPaid } from './rules.ts';

/**
 * What became of a checkout, for somebody who waits for it: asked of the provider now and written down. The books follow by
 * themselves.
 * @returns the order as it is now; undefined when it is none of ours
 */
export async function settleNow(engines: Engines, sessionId: string): Promise<OrderRow | undefined> {
  const order = await projectOrder(engines, sessionId);
  if (order !== undefined && wasPaid(order.state)) syncSoon(engines);
  return order;
}
