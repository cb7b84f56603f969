import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { type EndedSale, endOrders, endOwnSales, type SaleScope } from './ends-store.ts';

export const endSalesQueue = 'sales.end';

/** What is left to do once the transaction of an end has committed: nothing of it can be paid any more. */
export interface EndedSales {
  orders: EndedSale[];
  credits: string[];
  plans: string[];
  /** When they ended. */
  at: string;
}

const idsOf = (sales: readonly EndedSale[]) => sales.map(({ id }) => id);

/**
 * Called by whatever takes away something that may be for sale, in its own transaction: ends the payments that are under way for it
 * and writes the job that closes them at the provider. Which of them have ended is read from the rows, so a scope that is too wide
 * ends nothing else.
 */
export async function endSales(
  { jobs, payments, linkClock }: Pick<Engines, 'jobs' | 'payments' | 'linkClock'>,
  tx: Tx,
  scope: SaleScope,
): Promise<void> {
  const at = new Date(linkClock());
  const ended = await tx.asSystem(async (system) => {
    const orders = await endOrders(system, payments.realm, scope, at);
    const isAccount = scope === 'all' || ('sellerId' in scope && scope.viewerId === undefined);
    if (!isAccount) return { orders, credits: [], plans: [] };
    return { orders, ...(await endOwnSales(system, payments.realm, scope === 'all' ? null : scope.sellerId, at)) };
  });
  const { orders, credits, plans } = ended;
  if (orders.length + credits.length + plans.length === 0) return;
  const data: EndedSales = { orders, credits: idsOf(credits), plans: idsOf(plans), at: at.toISOString() };
  await jobs.send(tx, endSalesQueue, data);
}
