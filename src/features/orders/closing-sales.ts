import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { doOneByOne } from '#features/books/one-by-one.ts';
import { postponeSession } from '#features/books/reconcile-store.ts';
import { findPlanCheckout } from '#features/plans/plan-checkouts-store.ts';
import { syncPlanSession } from '#features/plans/sync-plan.ts';
import { type EndedSales, endSales } from '#features/sales/ending.ts';
import { type EndedSale, endOrder, findSaleEnd } from '#features/sales/ends-store.ts';
import { findOrder, keepSession } from './orders-store.ts';
import { syncPack } from './packs.ts';
import { findPack } from './packs-store.ts';
import { releasePlace } from './places-store.ts';
import { syncSession } from './sync-orders.ts';

const system = { kind: 'system' } as const;
const words = 'what is not for sale any more could not be closed at the provider';
/** Whatever is open is asked about again by the next round. */
const nextRound = async () => undefined;

/**
 * Closes at the provider what was being paid when its sale ended; whoever has paid by then gets it back. What cannot be closed now
 * is tried again with everything else that is open.
 */
export async function closeSales(engines: Engines, { orders, credits, plans, at }: EndedSales): Promise<void> {
  const { database, payments } = engines;
  const endedAt = new Date(at);
  await doOneByOne(engines, orders, {
    words,
    act: (sale) => closeOrder(engines, sale, endedAt),
    postpone: async (tx: Tx, { id }, now) => {
      const order = await findOrder(tx, id);
      if (order?.sessionId != null) await postponeSession(tx, payments.realm, order.sessionId, now);
    },
  });
  await doOneByOne(engines, credits, {
    words,
    act: async (id) => {
      const pack = await database.work(system, (tx) => findPack(tx, id));
      if (pack?.sessionId != null) await syncPack(engines, pack.sessionId);
    },
    postpone: nextRound,
  });
  await doOneByOne(engines, plans, {
    words,
    act: async (id) => {
      const checkout = await database.work(system, (tx) => findPlanCheckout(tx, id));
      if (checkout?.sessionId != null) await syncPlanSession(engines, checkout.sessionId);
    },
    postpone: nextRound,
  });
}

async function closeOrder(engines: Engines, sale: EndedSale, endedAt: Date): Promise<void> {
  const sessionId = await engines.database.work(system, async (tx) => {
    await endOrder(tx, sale, endedAt);
    const order = await findOrder(tx, sale.id);
    // Nobody was told where to pay, and nobody will be.
    if (order?.sessionId === null) await releasePlace(tx, sale.id);
    return order?.sessionId;
  });
  if (sessionId != null) await syncSession(engines, sessionId);
}

/**
 * Notes where an order is paid, if it still may be: what it is for may have been taken away while the provider made its page.
 * @returns false when nobody may pay there
 */
export const keepOpened = (engines: Engines, id: string, sessionId: string): Promise<boolean> =>
  engines.database.work(system, async (tx) => {
    const now = moneyNow(engines);
    const why = await findSaleEnd(tx, id, now);
    if (why !== undefined) await endOrder(tx, { id, why }, now);
    return keepSession(tx, id, sessionId);
  });

/** Ends what is being paid and is not for sale any more though nobody said so: by the clock, or because an end forgot it. */
export const endForgotten = (engines: Engines): Promise<void> =>
  engines.database.work(system, (tx) => endSales(engines, tx, 'all'));
