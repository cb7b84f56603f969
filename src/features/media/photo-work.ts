import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { openWalls } from '#engines/children/walls.ts';
import { DatabaseAway } from '#engines/database/away.ts';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { StorageAway } from '#engines/storage/storage.ts';
import { insertAudit } from '#features/audit/store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { findMediaKey } from './keys-store.ts';
import { decryptOriginal } from './original.ts';
import { type MadePack, type MadePhoto, openPhotoStudio, type PhotoStudio } from './photo-studio.ts';
import { tellFailure } from './show.ts';
import {
  beginProcessing,
  failMedium,
  forgetAttempt,
  listPackPaths,
  makePhotoReady,
  type PackRow,
  type PhotoFacts,
  type WorkRow,
} from './store.ts';

/**
 * How often one photo is begun before it counts as failed. A child that dies over it is counted elsewhere: here only the
 * whole server died, which is hardly the file's fault, but one that ends it each time must not do so for ever.
 */
const mostAttempts = 10;

/** The way of a photo from its encrypted original to its packs. */
export interface PhotoWork {
  /** Makes one photo ready, or says why it cannot be; `also` runs in the transaction that makes it ready. Safe to repeat. */
  make(mediaId: string, signal: AbortSignal, also: (tx: Tx) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Opens the work; walls and children come with the first photo. */
export function openPhotoWork(engines: Engines): PhotoWork {
  const { database, house, log } = engines;
  let opening: Promise<PhotoStudio> | undefined;
  const studio = () => {
    const { dataDir, backupDir } = house;
    opening ??= openWalls({ hidden: backupDir === undefined ? [dataDir] : [dataDir, backupDir] }).then((walls) => {
      log.info({ wall: walls.wall.name }, 'decoders run behind this wall');
      return openPhotoStudio(walls);
    });
    return opening;
  };
  const makeOnce: PhotoWork['make'] = async (mediaId, signal, also) => {
    const begun = await database.work({ kind: 'system' }, async (tx) => {
      const row = await beginProcessing(tx, mediaId);
      return row && { row, mediaKey: await findMediaKey(tx, engines.keys, mediaId) };
    });
    if (begun === undefined) return;
    const { row, mediaKey } = begun;
    if (mediaKey === undefined || row.original_path === null) throw new Error('A medium without its key or original.');
    await removeLeftovers(engines, mediaId, row.original_path);
    if (row.attempts > mostAttempts)
      return database.work({ kind: 'system' }, (tx) => failMedium(tx, mediaId, 'TIMEOUT'));
    const { outcome, limits } = await ingest(engines, await studio(), row, row.original_path, mediaKey, signal);
    if (outcome.outcome === 'failed') {
      log.info({ mediaId, code: outcome.code, words: outcome.words }, 'a photo was refused');
      return database.work({ kind: 'system' }, (tx) =>
        failMedium(tx, mediaId, outcome.code, tellFailure(outcome.code, limits)),
      );
    }
    await publish(engines, mediaId, outcome.photo, also);
  };
  return {
    async make(mediaId, signal, also) {
      try {
        await makeOnce(mediaId, signal, also);
      } catch (error) {
        if (error instanceof StorageAway || error instanceof DatabaseAway) await takeAttemptBack(engines, mediaId);
        throw error;
      }
    },
    async close() {
      await (await opening)?.close();
    },
  };
}

/** A try that failed because a store was away says nothing about the photo; when even this cannot be written, it counts. */
const takeAttemptBack = ({ database }: Engines, mediaId: string): Promise<void> =>
  database.work({ kind: 'system' }, (tx) => forgetAttempt(tx, mediaId)).catch(() => undefined);

/** What was stored by attempts that died, of taking the upload over or of processing it: no row names it. */
async function removeLeftovers(engines: Engines, mediaId: string, originalPath: string): Promise<void> {
  const { storage, database, log } = engines;
  const named = new Set(await database.work({ kind: 'system' }, (tx) => listPackPaths(tx, mediaId)));
  let files = 0;
  for await (const path of storage.list(`media/${mediaId}/`)) {
    if (path === originalPath || named.has(path)) continue;
    await storage.remove(path);
    files++;
  }
  if (files === 0) return;
  log.info({ mediaId, files }, 'files that no row names were removed');
  const target = { type: 'medium', id: mediaId };
  await database.work({ kind: 'system' }, (tx) =>
    insertAudit(tx, { actor: { type: 'system' }, action: 'media.leftovers_removed', target, details: { files } }),
  );
}

async function ingest(
  engines: Engines,
  studio: PhotoStudio,
  row: WorkRow,
  path: string,
  mediaKey: Buffer,
  signal: AbortSignal,
) {
  const settings = await settingsOf(engines);
  const openOriginal = async (): Promise<Readable> => {
    const plain = decryptOriginal(mediaKey);
    const stored = await engines.storage.open(path);
    plain.once('close', () => stored.destroy()); // who stops reading in the middle leaves no open file behind
    return stored.on('error', (error) => plain.destroy(new StorageAway(error))).pipe(plain);
  };
  const limits = {
    fileBytes: settings['limits.photoBytes'],
    sidePx: settings['limits.photoSidePx'],
    pixels: settings['limits.photoMegapixels'] * 1e6,
    heicPixels: settings['limits.heicMegapixels'] * 1e6,
  };
  const jobSeconds = settings['limits.photoJobSeconds'];
  const outcome = await studio.ingest({ mediaKey, sizeBytes: row.bytes, openOriginal, limits, jobSeconds, signal });
  return { outcome, limits };
}

/** Stores the packs, then makes the row ready: a crash in between leaves files that nobody names, and the sweeper takes them. */
async function publish(
  engines: Engines,
  mediaId: string,
  photo: MadePhoto,
  also: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { storage, database, clock } = engines;
  const packs = photo.packs.map((pack) => rowOf(mediaId, pack));
  await Promise.all(photo.packs.map(({ bytes }, n) => storage.put(packs[n]?.path ?? '', bytes)));
  const facts: PhotoFacts = {
    mime: photo.mime,
    width: photo.width,
    height: photo.height,
    thumbhash: photo.thumbhash,
    teaser: photo.teaser,
    phash: photo.blockhash,
    phashMirrored: photo.mirroredBlockhash,
    removed: photo.removed,
  };
  const replaced = await database.work({ kind: 'system' }, async (tx) => {
    const paths = await makePhotoReady(tx, mediaId, facts, packs, new Date(clock()));
    if (paths !== undefined) await also(tx);
    return paths ?? packs.map(({ path }) => path); // gone meanwhile: nobody will ever name these files
  });
  for (const path of replaced) await storage.remove(path);
}

const rowOf = (mediaId: string, { track, packId, bytes, header }: MadePack): PackRow => ({
  id: packId,
  rendition: track,
  path: `media/${mediaId}/${packId}.pfp`,
  sizeBytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest(),
  width: header.width,
  height: header.height,
  columns: header.columns,
  rows: header.rows,
});
