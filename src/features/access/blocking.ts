import type { Tx } from '#engines/database/work.ts';
import { insertAudit } from '#features/audit/store.ts';
import { endSales } from '#features/sales/ending.ts';
import type { CreatorContext } from '#wire/context.ts';
import { blockViewer, unblockViewer } from './blocks-store.ts';

type Doing = Pick<CreatorContext, 'creator' | 'engines' | 'now' | 'requestId'>;

/**
 * Shuts a viewer out of everything of a creator's: what they pay for at this moment is ended and their open screens close.
 * @returns false for somebody who never came to this creator
 */
export async function shutOut(
  { creator, engines, now, requestId }: Doing,
  tx: Tx,
  { viewerId, reason }: { viewerId: string; reason: string },
): Promise<boolean> {
  const creatorId = creator.userId;
  if (!(await blockViewer(tx, { creatorId, viewerId, reason, now }))) return false;
  await insertAudit(tx, {
    actor: { type: 'creator', id: creatorId },
    action: 'viewer.blocked',
    target: { type: 'viewer', id: viewerId },
    requestId,
  });
  await endSales(engines, tx, { sellerId: creatorId, viewerId });
  // Open screens hear of it and close.
  await tx.tell({ kind: 'viewer.blocked', creatorId, viewerId });
  return true;
}

/** Lets a viewer in again who was shut out. @returns false for somebody who never came to this creator */
export async function letBackIn({ creator, now, requestId }: Doing, tx: Tx, viewerId: string): Promise<boolean> {
  const creatorId = creator.userId;
  if (!(await unblockViewer(tx, creatorId, viewerId, now))) return false;
  await insertAudit(tx, {
    actor: { type: 'creator', id: creatorId },
    action: 'viewer.unblocked',
    target: { type: 'viewer', id: viewerId },
    requestId,
  });
  await tx.tell({ kind: 'viewer.unblocked', creatorId, viewerId });
  return true;
}
