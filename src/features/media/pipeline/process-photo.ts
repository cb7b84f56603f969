import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { settingsOf } from '#features/settings/settings.ts';
import type { Decoders } from '../decoding/decoders.ts';
import type { MadePhoto, PhotoDecoder } from '../decoding/photo-decoder.ts';
import { photoLimitsOf } from '../photo-limits.ts';
import { failMedium, makePhotoReady, type PhotoFacts } from '../store.ts';
import { describeFailure } from '../to-api.ts';
import { type Attempt, openOriginal, packRowOf, tryOnce } from './attempts.ts';
import { retryLater } from './retry-later.ts';

/** The way of a photo from its encrypted original to its packs. */
export interface PhotoWork {
  /** Makes one photo ready, or says why it cannot be; `also` runs in the transaction that makes it ready. Safe to repeat. */
  make(mediaId: string, signal: AbortSignal, also: (tx: Tx) => Promise<void>): Promise<void>;
}

/** Opens the work; walls and children come with the first photo. */
export function openPhotoWork(engines: Engines, decoders: Decoders): PhotoWork {
  const { database, log, clock } = engines;
  return {
    async make(mediaId, signal, also) {
      const isNoFault = () => false;
      await tryOnce(engines, mediaId, isNoFault, async (attempt) => {
        const { outcome, limits } = await ingest(engines, await decoders.photos(), attempt, signal);
        if (outcome.outcome === 'made') return publish(engines, mediaId, outcome.photo, also);
        const { code, words, limit } = outcome;
        if (code === 'TIMEOUT') return retryLater(engines, { ...attempt, words });
        log.info({ mediaId, code, words }, 'a photo was refused');
        const failure = { code, text: describeFailure(limits, limit), now: new Date(clock()) };
        await database.work({ kind: 'system' }, (tx) => failMedium(tx, mediaId, failure));
      });
    },
  };
}

async function ingest(engines: Engines, decoder: PhotoDecoder, attempt: Attempt, signal: AbortSignal) {
  const settings = await settingsOf(engines);
  const limits = photoLimitsOf(settings);
  const outcome = await decoder.ingest({
    mediaKey: attempt.mediaKey,
    sizeBytes: attempt.sizeBytes,
    openOriginal: () => openOriginal(engines, attempt),
    limits,
    jobSeconds: settings['limits.photoJobSeconds'],
    signal,
  });
  return { outcome, limits };
}

/** Returns what a picture's row says of it. */
export const factsOf = (photo: MadePhoto): PhotoFacts => ({
  mime: photo.mime,
  width: photo.width,
  height: photo.height,
  thumbhash: photo.thumbhash,
  teaser: photo.teaser,
  phash: photo.blockhash,
  phashMirrored: photo.mirroredBlockhash,
  removed: photo.removed,
  markedTiles: photo.markedTiles,
});

/** Stores the packs, then makes the row ready: a crash in between leaves files that nobody names, and the sweeper takes them. */
async function publish(
  engines: Engines,
  mediaId: string,
  photo: MadePhoto,
  also: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { storage, database, clock } = engines;
  const packs = photo.packs.map((pack) => packRowOf(mediaId, pack));
  await Promise.all(photo.packs.map(({ bytes }, n) => storage.put(packs[n]?.path ?? '', bytes)));
  const replaced = await database.work({ kind: 'system' }, async (tx) => {
    const paths = await makePhotoReady(tx, mediaId, factsOf(photo), packs, new Date(clock()));
    if (paths !== undefined) await also(tx);
    return paths ?? packs.map(({ path }) => path); // gone meanwhile: nobody will ever name these files
  });
  for (const path of replaced) await storage.remove(path);
}
