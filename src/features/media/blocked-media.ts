import type { Tx } from '#engines/database/work.ts';
import {
  deleteMatch,
  findMatch,
  type HeldMedium,
  holdAlike,
  holdListed,
  holdMedium,
  holdSame,
  insertBlocked,
  insertMatch,
  lockBlocking,
  lockHeld,
  markReleased,
  showMedium,
  unblock,
} from './blocking/blocked-media-store.ts';
import { markDeleted, noteRemovals, notifyRemovals } from './deletions-store.ts';
import { undoMs } from './rules.ts';

export { type HeldMatch, listMatches, listNewMatches, markNotified } from './blocking/blocked-media-store.ts';
export { countListed, deleteUnlisted, insertListed, type ListedHash } from './blocking/hash-list-store.ts';

/**
 * Tells the creator that a medium is ready, in the transaction that made it so; or holds it back, if it is what is blocked or
 * looks like it.
 */
export async function publishMade(
  tx: Tx,
  { mediaId, creatorId, now }: { mediaId: string; creatorId: string; now: Date },
): Promise<void> {
  await lockBlocking(tx, false);
  const match = await findMatch(tx, mediaId);
  if (match !== undefined) {
    await holdMedium(tx, mediaId);
    await insertMatch(tx, mediaId, match, now);
  }
  await tx.publish({ kind: match === undefined ? 'media.ready' : 'media.failed', creatorId, mediaId });
}

/** Blocks everything in a link's albums, and holds back what has the same bytes anywhere in this installation. */
export async function blockMediaOfLink(
  tx: Tx,
  { reportId, linkId, now }: { reportId: string; linkId: string; now: Date },
): Promise<void> {
  await lockBlocking(tx, true);
  await insertBlocked(tx, { reportId, linkId, now });
  await notifyHeld(tx, await holdSame(tx, reportId, now), now);
}

/** Holds back what looks like what a report has blocked. @returns how many */
export async function holdCopies(tx: Tx, reportId: string, now: Date): Promise<number> {
  const held = await holdAlike(tx, reportId, now);
  await notifyHeld(tx, held, now);
  return held.length;
}

/** Holds back what is on the operator's list. @returns how many */
export async function holdListedMedia(tx: Tx, now: Date): Promise<number> {
  await lockBlocking(tx, true);
  const held = await holdListed(tx, now);
  await notifyHeld(tx, held, now);
  return held.length;
}

/** Unblocks what a report has blocked; what something else blocks as well is held back for that from now on. */
export async function unblockMedia(tx: Tx, reportId: string, now: Date): Promise<void> {
  for (const { mediaId } of await unblock(tx, reportId)) {
    await deleteMatch(tx, mediaId);
    const other = await findMatch(tx, mediaId);
    if (other === undefined) await notifyShown(tx, await showMedium(tx, mediaId));
    else await insertMatch(tx, mediaId, other, now);
  }
}

/** Shows a medium that was held back and is something else. @returns false when it is not held back */
export async function releaseMedium(tx: Tx, mediaId: string, now: Date): Promise<boolean> {
  const shown = (await lockHeld(tx, mediaId)) && (await showMedium(tx, mediaId));
  if (shown === undefined) return false;
  await markReleased(tx, mediaId, now);
  await notifyShown(tx, shown);
  return true;
}

/** Deletes a medium that is held back, so that nobody can bring it back. @returns whose it was, or undefined when it is not held back */
export async function removeHeldMedium(tx: Tx, mediaId: string, now: Date): Promise<string | undefined> {
  const held = await lockHeld(tx, mediaId);
  if (held === undefined) return undefined;
  // As if its time to be brought back were over: it is destroyed with what was deleted so long ago.
  await markDeleted(tx, [mediaId], new Date(now.getTime() - undoMs));
  await notifyRemovals(tx, held.creatorId, await noteRemovals(tx, [mediaId], now));
  return held.creatorId;
}

/** Open screens drop what is held back, and its creator's pages say that it is under review. */
async function notifyHeld(tx: Tx, held: readonly HeldMedium[], now: Date): Promise<void> {
  const ofCreators = Map.groupBy(held, ({ creatorId }) => creatorId);
  for (const [creatorId, media] of ofCreators) {
    const mediaIds = media.map(({ mediaId }) => mediaId);
    await notifyRemovals(tx, creatorId, await noteRemovals(tx, mediaIds, now));
    for (const mediaId of mediaIds) await tx.publish({ kind: 'media.failed', creatorId, mediaId });
  }
}

async function notifyShown(tx: Tx, shown: HeldMedium | undefined): Promise<void> {
  if (shown !== undefined)
    await tx.publish({ kind: 'media.ready', creatorId: shown.creatorId, mediaId: shown.mediaId });
}
