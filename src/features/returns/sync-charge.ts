import type { Engines } from '#engines/engines.ts';
import { type Bringing, syncMoney } from '#features/orders/sync-orders.ts';
import { isFeePayment } from './dispute-fees-store.ts';

/** Brings down whatever a charge belongs to. @returns false when it is about nothing that we know yet */
export async function syncCharge(engines: Engines, chargeId: string, bringing?: Bringing): Promise<boolean> {
  const { database, payments } = engines;
  // The fee of a dispute that an account was made to pay: whoever took it has written it down.
  return (await syncMoney(engines, chargeId, bringing)) || isFeePayment(database, payments.realm, chargeId);
}
