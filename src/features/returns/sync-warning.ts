import type { Engines } from '#engines/engines.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { findPackOfCharge } from '#features/orders/packs-store.ts';
import { newId } from '#kit/ids.ts';
import { findOrderOfCharge } from './disputes/disputes-store.ts';
import { syncCharge } from './sync-charge.ts';
import { returnOrder } from './warnings/returning-orders.ts';
import { returnPack, returnPlan } from './warnings/returning-own-sales.ts';
import { keepWarning, markSettled, type WarningRow } from './warnings/warnings-store.ts';

const system = { kind: 'system' } as const;

/**
 * Asks the provider about an early warning of fraud, and then how its payment stands. While the payment is neither disputed nor
 * given back, all of it goes back once, before its owner has to ask a bank for it; what is paid again and again ends. Repeating
 * it changes nothing; it is right whenever, however often and by whomever it is called.
 * @returns false when what was paid for is not known yet
 */
export function syncWarning(engines: Engines, warningId: string): Promise<boolean> {
  const { database, payments } = engines;
  return withObjectLock(engines, warningId, async () => {
    const warning = await payments.findWarning(warningId);
    if (!(await syncCharge(engines, warning.chargeId))) return false;
    const now = moneyNow(engines);
    const about = { id: newId<'warning'>(now.getTime()), warning, now };
    const row = await database.work(system, (tx) => keepWarning(tx, payments.realm, about));
    if (row === undefined || row.settledAt !== null) return row !== undefined;
    // What was begun is brought to its end, though nothing more can be done about a payment that has gone back.
    const isOurs = row.returnedAt !== null || warning.isActionable;
    const isRefused = isOurs && (await returnPayment(engines, row));
    if (isRefused || !warning.isActionable)
      await database.work(system, (tx) => markSettled(tx, row.id, moneyNow(engines)));
    return true;
  });
}

/**
 * Gives back what a charge has paid for: something of a creator's, credits, or a month of a creator's plan.
 * @returns whether the provider has refused it: then staff are told, and it is not asked again
 */
async function returnPayment(engines: Engines, row: WarningRow): Promise<boolean> {
  const { database, payments } = engines;
  const { order, pack } = await database.work(system, async (tx) => ({
    order: await findOrderOfCharge(tx, payments.realm, row.chargeId),
    pack: await findPackOfCharge(tx, payments.realm, row.chargeId),
  }));
  if (order !== undefined) return returnOrder(engines, row, order);
  if (pack !== undefined) return returnPack(engines, row, pack);
  return returnPlan(engines, row);
}
