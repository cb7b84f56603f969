import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { consentReviewedEmail } from '#features/notices/consent-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { findConsentAlbum, holdAlbum, unlockAlbum } from './album-store.ts';
import { endPerson, findAlbumOf, findCreatorEmail, type HeldPerson, holdPerson, notePicturesGone } from './store.ts';

/** What is decided about a locked album, by whom. */
export interface Verdict {
  isOpen: boolean;
  reason: string;
  actor: { type: 'system' } | { type: 'admin'; id: string };
  requestId?: string;
  now: Date;
}

/** Holds an album that waits to be looked at, and then whose withdrawal has locked it. */
async function holdWaiting(tx: Tx, id: string): Promise<(HeldPerson & { albumId: string }) | undefined> {
  const albumId = await findAlbumOf(tx, { id });
  if (albumId == null) return undefined;
  await holdAlbum(tx, albumId);
  const person = await holdPerson(tx, { id });
  const isWaiting = person?.state === 'withdrawn' && person.endedAt === null && person.picturesGoneAt !== null;
  return isWaiting && person.albumId === albumId ? { ...person, albumId } : undefined;
}

/**
 * Settles a withdrawal, which ends the consent and takes the lock away unless somebody else has withdrawn too; or keeps the album
 * locked, and its creator is asked again. @param id of the consent that was withdrawn @returns undefined when nothing waits under it
 */
export async function decideLockedAlbum(
  tx: Tx,
  { jobs, installation }: Pick<Engines, 'jobs' | 'installation'>,
  id: string,
  { isOpen, reason, actor, requestId, now }: Verdict,
): Promise<{ albumId: string; isOpen: boolean } | undefined> {
  const person = await holdWaiting(tx, id);
  if (person === undefined) return undefined;
  const { userId, albumId } = person;
  if (isOpen) {
    await endPerson(tx, id, now);
    await unlockAlbum(tx, albumId);
  } else await notePicturesGone(tx, id, null);
  await insertAudit(tx, {
    actor,
    action: isOpen ? 'consent.album_opened' : 'consent.album_kept',
    target: { type: 'album', id: albumId },
    details: { person: id },
    ...(requestId !== undefined && { requestId }),
  });
  await tx.publish({ kind: 'album.changed', creatorId: userId, albumId });
  const isOpenNow = await isSeen(tx, albumId);
  const outcome = isOpen ? (isOpenNow ? 'opened' : 'settled') : 'kept';
  const to = await findCreatorEmail(tx, userId);
  const settingsLink = `${installation.publicUrl}/albums/${albumId}/settings`;
  if (to !== undefined)
    await queueEmail(tx, jobs, { userId, to, now, ...consentReviewedEmail({ outcome, reason, settingsLink }) });
  return { albumId, isOpen: isOpenNow };
}

/** Whether neither a lock nor somebody who has not agreed keeps an album from everybody else. */
async function isSeen(tx: Tx, albumId: string): Promise<boolean> {
  const album = await findConsentAlbum(tx, albumId);
  return album !== undefined && album.state !== 'locked' && album.gap === null;
}
