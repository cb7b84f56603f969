import type { Engines } from '#engines/engines.ts';
import { openPhotoWork } from '#features/media/photo-work.ts';
import { photoQueue } from '#features/media/queues.ts';
import { destroyAlbum, listAlbumsToDestroy, publishAlbumsOf } from './store.ts';
import { sweepUploads } from './uploads.ts';

/** Destroys albums whose time to think better of it is over. */
export async function destroyDeletedAlbums({ database, clock }: Engines): Promise<void> {
  const now = new Date(clock());
  for (const albumId of await database.work({ kind: 'system' }, (tx) => listAlbumsToDestroy(tx, now)))
    await database.work({ kind: 'system' }, (tx) => destroyAlbum(tx, albumId, now));
}

/**
 * Background work of albums: photos become ready and publish their album, uploads and albums that nobody wants go.
 * @returns ends the children
 */
export function declareAlbumJobs(engines: Engines): () => Promise<void> {
  const { jobs, clock } = engines;
  const photos = openPhotoWork(engines);
  jobs.handle<{ mediaId: string }>(
    photoQueue,
    ({ mediaId }, signal) => photos.make(mediaId, signal, (tx) => publishAlbumsOf(tx, mediaId, new Date(clock()))),
    // Two hours of pauses that double: a store may be away for long, and what is the photo's own fault fails at once.
    { atOnce: 2, retryLimit: 12, expireInSeconds: 300 },
  );
  jobs.every('*/10 * * * *', 'albums.sweepUploads', () => sweepUploads(engines, new Date(clock())));
  jobs.every('17 * * * *', 'albums.destroy', () => destroyDeletedAlbums(engines));
  return () => photos.close();
}
