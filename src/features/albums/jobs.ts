import { availableParallelism } from 'node:os';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { forgetRemovals } from '#features/media/deletions-store.ts';
import { openProcessing } from '#features/media/processing.ts';
import { photoQueue, videoQueue } from '#features/media/queues.ts';
import { dayMs } from '#kit/time.ts';
import { deleteOrphans, destroyAlbum, listAlbumsToDestroy } from './items/leaving-store.ts';
import { publishAlbumsOf } from './store.ts';
import { sweepUploads } from './uploads.ts';

/** Destroys albums whose time to think better of it is over. */
export async function destroyDeletedAlbums({ database, clock }: Engines): Promise<void> {
  const now = new Date(clock());
  for (const albumId of await database.work({ kind: 'system' }, (tx) => listAlbumsToDestroy(tx, now)))
    await database.work({ kind: 'system' }, (tx) => destroyAlbum(tx, albumId, now));
}

const videosAtOnce = Math.max(1, Math.floor(availableParallelism() / 2));
/** By the clock, whatever of it a job waited for a processor; pg-boss takes no more than a day. */
const [longestPhotoSeconds, longestVideoSeconds] = [20_000, 80_000];

/** No screen is open for so long without being opened again. */
const longestLookMs = 7 * dayMs;

/** Deletes photos that no album holds, and forgets which left an album long ago. */
export async function tidyItems({ database, clock, log }: Engines): Promise<void> {
  const photos = await database.work({ kind: 'system' }, async (tx) => {
    const count = await deleteOrphans(tx, new Date(clock()));
    await forgetRemovals(tx, new Date(clock() - longestLookMs));
    if (count > 0)
      await insertAudit(tx, { actor: { type: 'system' }, action: 'media.orphans_deleted', details: { photos: count } });
    return count;
  });
  if (photos > 0) log.info({ photos }, 'photos that no album holds were deleted');
}

/**
 * Background work of albums: photos become ready and publish their album, uploads and albums that nobody wants go.
 * @returns `putVideosBack` ends videos that are being made, so that the next process begins them again; `end` ends the children
 */
export function declareAlbumJobs(engines: Engines): { putVideosBack(): Promise<void>; end(): Promise<void> } {
  const { jobs, clock } = engines;
  const { makePhoto, makeVideo, putVideosBack, end } = openProcessing(engines);
  const publish = (mediaId: string) => (tx: Tx) => publishAlbumsOf(tx, mediaId, new Date(clock()));
  jobs.handle<{ mediaId: string }>(
    photoQueue,
    ({ mediaId }, signal) => makePhoto(mediaId, signal, publish(mediaId)),
    // Two hours of pauses that double: a store may be away for long, and what is the photo's own fault fails at once.
    { atOnce: 2, retryLimit: 12, expireInSeconds: longestPhotoSeconds },
  );
  jobs.handle<{ mediaId: string }>(
    videoQueue,
    ({ mediaId }, signal) => makeVideo(mediaId, signal, publish(mediaId)),
    // An encode takes two processors; a creator's videos come one after another, so that they leave room for others.
    { atOnce: videosAtOnce, perKey: 'one_running', retryLimit: 12, expireInSeconds: longestVideoSeconds },
  );
  jobs.every('*/10 * * * *', 'albums.sweepUploads', () => sweepUploads(engines, new Date(clock())));
  jobs.every('17 * * * *', 'albums.destroy', () => destroyDeletedAlbums(engines));
  jobs.every('27 * * * *', 'albums.tidyItems', () => tidyItems(engines));
  return { putVideosBack, end };
}
