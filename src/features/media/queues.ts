import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { forgetFailure, isWaitingVideo, putBackWithoutTime } from './waiting-store.ts';

/** Photos are processed before and apart from videos: neither waits for the other. */
export const photoQueue = 'photo.process';
export const videoQueue = 'film.process';

/** Has a medium made ready, now or later: its creator's videos one after another, their photos at once. */
export async function sendMedium(
  { jobs }: Pick<Engines, 'jobs'>,
  tx: Tx,
  { mediaId, creatorId, kind }: { mediaId: string; creatorId: string; kind: 'photo' | 'video' },
  startAfterSeconds = 0,
): Promise<void> {
  if (kind === 'photo') await jobs.send(tx, photoQueue, { mediaId }, { startAfterSeconds });
  else await jobs.send(tx, videoQueue, { mediaId }, { singletonKey: creatorId, startAfterSeconds });
}

const beforeOthers = 1;

/**
 * Has a video that still waits made before those of others; the job it already has finds nothing left to do.
 * @returns false when it isn't a waiting video of this creator
 */
export async function moveToFront(
  { jobs }: Pick<Engines, 'jobs'>,
  tx: Tx,
  { mediaId, creatorId }: { mediaId: string; creatorId: string },
): Promise<boolean> {
  if (!(await isWaitingVideo(tx, { mediaId, creatorId }))) return false;
  await forgetFailure(tx, mediaId);
  await jobs.send(tx, videoQueue, { mediaId }, { singletonKey: creatorId, priority: beforeOthers });
  return true;
}

/** Has a creator's videos made that had no time left, oldest first. */
export async function retryWithoutTime(engines: Pick<Engines, 'jobs'>, tx: Tx, creatorId: string): Promise<void> {
  for (const mediaId of await putBackWithoutTime(tx, creatorId)) {
    await sendMedium(engines, tx, { mediaId, creatorId, kind: 'video' });
    await tx.publish({ kind: 'media.progress', creatorId, mediaId });
  }
}
