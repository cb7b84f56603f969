import type { Engines } from '#engines/engines.ts';
import { kindOf } from '#engines/payments/object-kinds.ts';
import { adoptCard } from '#features/books/adopting-cards.ts';
import { type Bringing, syncAnySession, syncSubscription } from '#features/orders/sync-orders.ts';
import { syncAccount } from '#features/payouts/sync-account.ts';
import { syncPayout } from '#features/payouts/sync-payout.ts';
import { syncCharge } from '#features/returns/sync-charge.ts';
import { syncDispute } from '#features/returns/sync-dispute.ts';
import { syncWarning } from '#features/returns/sync-warning.ts';

/** Brings down whatever an event was about. @returns false when it is about nothing that we know yet */
export async function syncObject(engines: Engines, objectId: string, bringing?: Bringing): Promise<boolean> {
  switch (kindOf(objectId)) {
    case 'checkout':
      return syncAnySession(engines, objectId, bringing);
    case 'account':
      return (await syncAccount(engines, objectId)) !== undefined;
    case 'subscription':
    case 'invoice':
      return syncSubscription(engines, objectId);
    case 'customer':
      await adoptCard(engines, objectId, syncSubscription);
      return true;
    case 'payout':
      return syncPayout(engines, objectId);
    case 'dispute':
      return syncDispute(engines, objectId);
    case 'fraud_warning':
      return syncWarning(engines, objectId);
    case 'payment':
    case 'charge':
    case 'refund':
      return syncCharge(engines, objectId, bringing);
    default:
      return false;
  }
}
