import type { Tx } from '#engines/database/work.ts';
import { noteNotice } from '#features/notices/notices-store.ts';
import { publishMade } from './blocked-media.ts';
import type { FailCode } from './contract.ts';
import type { Track } from './formats/keys.ts';
import { deleteMediaKey } from './keys-store.ts';
import { type MediumRow, mediumColumns } from './to-api.ts';
import { returnVideoTime } from './video-time-store.ts';

/** One encrypted file of a rendition, as its row knows it. */
export interface PackRow {
  /** The pack's 16 random bytes, written as a UUID. */
  id: string;
  rendition: Track;
  path: string;
  sizeBytes: number;
  sha256: Buffer;
  width: number;
  height: number;
  columns: number;
  rows: number;
}

/** What the pipeline found out about a photo. */
export interface PhotoFacts {
  mime: string;
  width: number;
  height: number;
  thumbhash: Buffer;
  teaser: Buffer;
  phash: string;
  phashMirrored: string;
  /** What was taken out: location, device, time … */
  removed: string[];
  /** In how many tiles of its largest rendition the mark outlived the codec: each is one bit of whom a copy names. */
  markedTiles: number;
}

/** Notes a medium whose original is stored; its job makes it ready. */
export async function insertUploadedMedium(
  tx: Tx,
  medium: {
    id: string;
    creatorId: string;
    kind: 'photo' | 'video';
    /** Known beforehand of a video only. */
    mime?: string | undefined;
    originalName: string;
    sizeBytes: number;
    sha256: Buffer;
    originalPath: string;
    now: Date;
  },
): Promise<void> {
  await tx.asSystem(async ({ db }) => {
    await db
      .insertInto('media')
      .values({
        id: medium.id,
        creator_id: medium.creatorId,
        kind: medium.kind,
        mime_sniffed: medium.mime ?? null,
        state: 'uploaded',
        original_name: medium.originalName,
        bytes: medium.sizeBytes,
        sha256: medium.sha256,
        original_path: medium.originalPath,
        created_at: medium.now,
      })
      .execute();
    await db
      .updateTable('users')
      .set(({ eb }) => ({ storage_used_bytes: eb('storage_used_bytes', '+', medium.sizeBytes) }))
      .where('id', '=', medium.creatorId)
      .execute();
  });
}

export interface WorkRow {
  id: string;
  creator_id: string;
  kind: string;
  state: string;
  bytes: number;
  sha256: Buffer;
  original_path: string | null;
  attempts: number;
  timeouts: number;
}

// Drawn in docs/state-machines.md.
/** Takes a medium into processing; undefined when there is nothing to do (ready, failed, deleted or unknown). */
export async function beginProcessing(tx: Tx, mediaId: string): Promise<WorkRow | undefined> {
  return tx.db
    .updateTable('media')
    .set(({ eb }) => ({ state: 'processing', attempts: eb('attempts', '+', 1), fail_code: null, retry_at: null }))
    .where('id', '=', mediaId)
    .where('state', 'in', ['uploaded', 'scanning', 'processing'])
    .where('deleted_at', 'is', null)
    .returning(['id', 'creator_id', 'kind', 'state', 'bytes', 'sha256', 'original_path', 'attempts', 'timeouts'])
    .executeTakeFirst();
}

/** Takes back what `beginProcessing` counted, unless the next try has begun. */
export async function forgetAttempt(tx: Tx, { mediaId, number }: { mediaId: string; number: number }): Promise<void> {
  await tx.db
    .updateTable('media')
    .set(({ eb }) => ({ attempts: eb('attempts', '-', 1) }))
    .where('id', '=', mediaId)
    .where('attempts', '=', number)
    .execute();
}

/**
 * Makes a photo ready with its new packs in one step; packs of an earlier attempt go.
 * @returns paths of replaced files, to be removed from storage; undefined when the medium is gone meanwhile
 */
export async function makePhotoReady(
  tx: Tx,
  mediaId: string,
  facts: PhotoFacts,
  packs: readonly PackRow[],
  now: Date,
): Promise<string[] | undefined> {
  const medium = await tx.db
    .updateTable('media')
    .set({
      state: 'ready',
      mime_sniffed: facts.mime,
      width: facts.width,
      height: facts.height,
      thumbhash: facts.thumbhash,
      teaser: facts.teaser,
      phash: facts.phash,
      phash_mirrored: facts.phashMirrored,
      removed: facts.removed,
      marked_tiles: facts.markedTiles,
      fail_code: null,
      fail_text: null,
      timeouts: 0,
      ready_at: now,
    })
    .where('id', '=', mediaId)
    .where('state', '=', 'processing')
    .where('deleted_at', 'is', null)
    .returning('creator_id')
    .executeTakeFirst();
  if (medium === undefined) return undefined;
  const replaced = await tx.db.deleteFrom('packs').where('media_id', '=', mediaId).returning('path').execute();
  const common = { creator_id: medium.creator_id, media_id: mediaId, mark: 'AB', created_at: now } as const;
  await tx.db
    .insertInto('packs')
    .values(packs.map(({ sizeBytes, ...pack }) => ({ ...pack, ...common, bytes: sizeBytes })))
    .execute();
  await publishMade(tx, { mediaId, creatorId: medium.creator_id, now });
  return replaced.map(({ path }) => path);
}

/** Ends a medium's processing with a reason that people can read, and tells whose it is. */
export async function failMedium(
  tx: Tx,
  mediaId: string,
  { code, text, now }: { code: FailCode; text?: string | undefined; now: Date },
): Promise<void> {
  const medium = await tx.db
    .updateTable('media')
    .set({
      state: 'failed',
      attempts: 0,
      deaths: 0,
      progress: null,
      fail_code: code,
      fail_text: text ?? null,
      has_failed: true,
    })
    .where('id', '=', mediaId)
    .where('state', 'in', ['uploaded', 'scanning', 'processing'])
    .returning(['creator_id', 'kind'])
    .executeTakeFirst();
  if (medium === undefined) return;
  if (medium.kind === 'video') await returnVideoTime(tx, mediaId);
  await tx.publish({ kind: 'media.failed', creatorId: medium.creator_id, mediaId });
  const noun = medium.kind === 'video' ? 'video' : 'photo';
  await noteNotice(tx, { userId: medium.creator_id, notice: { event: 'processing_failed', noun }, now });
}

/** Puts a failed medium back to its beginning; undefined when it is not failed or not this creator's. */
export async function retryMedium(tx: Tx, mediaId: string): Promise<{ kind: 'photo' | 'video' } | undefined> {
  return tx.db
    .updateTable('media')
    .set({ state: 'uploaded', fail_code: null, timeouts: 0 })
    .where('id', '=', mediaId)
    .where('state', '=', 'failed')
    .where('fail_code', '!=', 'HASH_MATCH')
    .returning('kind')
    .executeTakeFirst();
}

/** Where the original lies, for its owner's download. */
export async function findOriginal(tx: Tx, mediaId: string) {
  return tx.db
    .selectFrom('media')
    .select(['id', 'creator_id', 'original_path', 'original_name', 'bytes'])
    .where('id', '=', mediaId)
    .where('deleted_at', 'is', null)
    .where('state', '!=', 'quarantined')
    .executeTakeFirst();
}

/** One medium of the asking creator, unless it is deleted. */
export async function findMedium(tx: Tx, mediaId: string): Promise<MediumRow | undefined> {
  return tx.db
    .selectFrom('media')
    .select(mediumColumns)
    .where('media.id', '=', mediaId)
    .where('media.deleted_at', 'is', null)
    .executeTakeFirst();
}

/** A medium of the asking creator with the same bytes; deleted and failed ones are left out. */
export async function findMediumBySha256(tx: Tx, sha256: Buffer): Promise<MediumRow | undefined> {
  return tx.db
    .selectFrom('media')
    .select(mediumColumns)
    .where('media.sha256', '=', sha256)
    .where('media.state', '!=', 'failed')
    .where('media.deleted_at', 'is', null)
    .orderBy('media.created_at')
    .executeTakeFirst();
}

/** Media whose time to think better of it is over and whose key is still there. */
export async function listMediaToDestroy(
  tx: Tx,
  before: Date,
): Promise<{ id: string; creator_id: string; bytes: number }[]> {
  return tx.db
    .selectFrom('media')
    .innerJoin('media_keys as k', 'k.media_id', 'media.id')
    .select(['media.id', 'media.creator_id', 'media.bytes'])
    .where(({ or, eb }) => or([eb('deleted_at', '<=', before), eb('state', '=', 'deleted')]))
    .limit(200)
    .execute();
}

/** Destroys a medium's key and packs and gives its space back; its files are noise from here on. */
export async function destroyMedium(tx: Tx, medium: { id: string; creator_id: string; bytes: number }): Promise<void> {
  await deleteMediaKey(tx, medium.id);
  await tx.db.deleteFrom('packs').where('media_id', '=', medium.id).execute();
  await tx.db
    .updateTable('media')
    .set({ state: 'deleted', thumbhash: null, teaser: null, original_path: null })
    .where('id', '=', medium.id)
    .execute();
  await tx.db
    .updateTable('users')
    .set(({ eb, fn }) => ({
      storage_used_bytes: fn<number>('greatest', [eb('storage_used_bytes', '-', medium.bytes), eb.lit(0)]),
    }))
    .where('id', '=', medium.creator_id)
    .execute();
}

/** What became of an upload of the asking creator. */
export async function findUploadOutcome(tx: Tx, uploadId: string) {
  return tx.db
    .selectFrom('uploads as u')
    .leftJoin('media as m', 'm.id', 'u.media_id')
    .select([
      'u.state',
      'u.media_id',
      'u.fail_code',
      'u.expires_at',
      'm.state as medium_state',
      'm.fail_code as medium_fail_code',
      'm.fail_text as medium_fail_text',
    ])
    .where('u.id', '=', uploadId)
    .executeTakeFirst();
}

/** Files of a medium that rows name. */
export async function listPackPaths(tx: Tx, mediaId: string): Promise<string[]> {
  const packs = tx.db.selectFrom('packs').select('path').where('media_id', '=', mediaId);
  const segments = tx.db
    .selectFrom('segment_files as s')
    .innerJoin('packs as p', 'p.id', 's.pack_id')
    .select('s.path')
    .where('p.media_id', '=', mediaId);
  return (await packs.unionAll(segments).execute()).map(({ path }) => path);
}
