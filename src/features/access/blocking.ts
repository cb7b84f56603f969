import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { endSales } from '#features/sales/ending.ts';
import type { CreatorContext } from '#wire/context.ts';
import { blockViewer, closeLinkTo, openLinksTo, unblockViewer } from './blocks-store.ts';

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
  await tx.publish({ kind: 'viewer.blocked', creatorId, viewerId });
  return true;
}

/** A viewer at one link. */
interface AtLink {
  creatorId: string;
  linkId: string;
  viewerId: string;
  /** Their admission. */
  grantId: string;
}

/**
 * Closes one link to a viewer by the link's own rule, until its creator lets them back: what they pay for there is ended. In a
 * transaction of the system.
 * @returns false when it was closed to them already
 */
export async function closeOut(engines: Engines, tx: Tx, at: AtLink, now: Date): Promise<boolean> {
  const { creatorId, linkId, viewerId, grantId } = at;
  if (!(await closeLinkTo(tx, grantId, now))) return false;
  const target = { type: 'viewer', id: viewerId };
  await insertAudit(tx, { actor: { type: 'system' }, action: 'viewer.closedOut', target, details: { linkId } });
  await endSales(engines, tx, { sellerId: creatorId, viewerId });
  // Open screens and streams under way hear of it.
  await tx.publish({ kind: 'viewer.closedOut', creatorId, viewerId });
  return true;
}

/** Opens a link again to a viewer to whom its own rule had closed it; again does nothing. */
export async function letBackIntoLink(
  { creator, requestId }: Doing,
  tx: Tx,
  { linkId, viewerId }: Pick<AtLink, 'linkId' | 'viewerId'>,
): Promise<void> {
  const creatorId = creator.userId;
  if ((await tx.asSystem((system) => openLinksTo(system, creatorId, viewerId, linkId))) === 0) return;
  const actor = { type: 'creator' as const, id: creatorId };
  const target = { type: 'viewer', id: viewerId };
  await insertAudit(tx, { actor, action: 'viewer.readmitted', target, details: { linkId }, requestId });
  await tx.publish({ kind: 'viewer.unblocked', creatorId, viewerId });
}

/** Lets a viewer in again who was shut out. @returns false for somebody who never came to this creator */
export async function letBackIn({ creator, now, requestId }: Doing, tx: Tx, viewerId: string): Promise<boolean> {
  const creatorId = creator.userId;
  if (!(await unblockViewer(tx, creatorId, viewerId, now))) return false;
  // Also where a link's own rule had closed it to them.
  await tx.asSystem((system) => openLinksTo(system, creatorId, viewerId));
  await insertAudit(tx, {
    actor: { type: 'creator', id: creatorId },
    action: 'viewer.unblocked',
    target: { type: 'viewer', id: viewerId },
    requestId,
  });
  await tx.publish({ kind: 'viewer.unblocked', creatorId, viewerId });
  return true;
}
