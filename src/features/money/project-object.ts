import type { Engines } from '#engines/engines.ts';
import { kindOf } from '#engines/payments/object-kinds.ts';
import { adoptCard } from '#features/books/adopting-cards.ts';
import { type Bringing, projectAnySession, projectSubscription } from '#features/orders/project.ts';
import { projectAccount } from '#features/payouts/project-account.ts';
import { projectPayout } from '#features/payouts/project-payout.ts';
import { projectCharge } from '#features/returns/project-charge.ts';
import { projectDispute } from '#features/returns/project-dispute.ts';
import { projectWarning } from '#features/returns/project-warning.ts';

/** Brings down whatever an event was about. @returns false when it is about nothing that we know yet */
export async function projectObject(engines: Engines, objectId: string, bringing?: Bringing): Promise<boolean> {
  switch (kindOf(objectId)) {
    case 'checkout':
      return projectAnySession(engines, objectId, bringing);
    case 'account':
      return (await projectAccount(engines, objectId)) !== undefined;
    case 'subscription':
    case 'invoice':
      return projectSubscription(engines, objectId);
    case 'customer':
      await adoptCard(engines, objectId, projectSubscription);
      return true;
    case 'payout':
      return projectPayout(engines, objectId);
    case 'dispute':
      return projectDispute(engines, objectId);
    case 'fraud_warning':
      return projectWarning(engines, objectId);
    case 'payment':
    case 'charge':
    case 'refund':
      return projectCharge(engines, objectId, bringing);
    default:
      return false;
  }
}
