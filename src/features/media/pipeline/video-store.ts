import { statement, type Tx } from '#engines/database/work.ts';
import { publishMade } from '../blocked-media.ts';
import type { PackRow, PhotoFacts } from '../store.ts';
import type { StoredTrack } from './video-files.ts';

/** What is known of a video before it is transcoded. */
export interface VideoFacts extends Omit<PhotoFacts, 'mime' | 'markedTiles'> {
  fps: number;
  hdr: boolean;
  hasAudio: boolean;
  durationMs: number;
  cellSeconds: number;
}

/** A video that is made, and by which try. One that a later try has overtaken writes nothing any more. */
export interface VideoAttempt {
  mediaId: string;
  number: number;
}

/** The video's row, as long as this try is to be had. */
const updateWanted = (tx: Tx, { mediaId, number }: VideoAttempt) =>
  tx.db
    .updateTable('media')
    .where('id', '=', mediaId)
    .where('attempts', '=', number)
    .where('state', '=', 'processing')
    .where('deleted_at', 'is', null)
    .returning('creator_id');

/**
 * Notes what a video is and its pictures, which its creator sees from now on; packs of earlier attempts go.
 * @returns false when the medium is gone meanwhile
 */
export async function noteVideo(
  tx: Tx,
  attempt: VideoAttempt,
  facts: VideoFacts,
  packs: readonly PackRow[],
  now: Date,
): Promise<boolean> {
  const { mediaId } = attempt;
  const medium = await updateWanted(tx, attempt)
    .set({
      width: facts.width,
      height: facts.height,
      thumbhash: facts.thumbhash,
      teaser: facts.teaser,
      phash: facts.phash,
      phash_mirrored: facts.phashMirrored,
      removed: facts.removed,
      fps: facts.fps,
      hdr: facts.hdr,
      has_audio: facts.hasAudio,
      duration_ms: facts.durationMs,
      cell_seconds: facts.cellSeconds,
      progress: 0,
    })
    .executeTakeFirst();
  if (medium === undefined) return false;
  await tx.db.deleteFrom('packs').where('media_id', '=', mediaId).execute();
  await insertPictures(tx, { mediaId, creatorId: medium.creator_id, now }, packs);
  await tx.publish({ kind: 'media.progress', creatorId: medium.creator_id, mediaId });
  return true;
}

/** Notes how far a video is, and tells its creator. @returns false when nobody wants it any more */
export async function noteProgress(tx: Tx, attempt: VideoAttempt, percent: number): Promise<boolean> {
  const { mediaId } = attempt;
  const medium = await updateWanted(tx, attempt).set({ progress: percent }).executeTakeFirst();
  if (medium) await tx.publish({ kind: 'media.progress', creatorId: medium.creator_id, mediaId });
  return medium !== undefined;
}

/** Notes that a program died over a video. @returns how often by now; undefined when nobody wants it any more */
export const noteDeath = async (tx: Tx, attempt: VideoAttempt): Promise<number | undefined> =>
  (
    await updateWanted(tx, attempt)
      .set(({ eb }) => ({ deaths: eb('deaths', '+', 1) }))
      .returning('deaths')
      .executeTakeFirst()
  )?.deaths;

const videoStands = statement<{ isWanted: boolean }>(
  'video_stands',
  `select state = 'processing' and deleted_at is null as "isWanted" from media where id = $1 and attempts = $2`,
);

/** Returns where a try stands: `overtaken` when a later one has begun, `unwanted` when the video was deleted or is finished. */
export async function findAttempt(
  source: Pick<Tx, 'query'>,
  { mediaId, number }: VideoAttempt,
): Promise<'wanted' | 'unwanted' | 'overtaken'> {
  const [row] = await source.query(videoStands, [mediaId, number]);
  if (row === undefined) return 'overtaken';
  return row.isWanted ? 'wanted' : 'unwanted';
}

/** What a video has become, beside its poster. */
export interface MadeVideo {
  durationMs: number;
  tracks: readonly StoredTrack[];
  /** Its storyboard. */
  pictures: readonly PackRow[];
}

/** Makes a video ready with all its tracks in one step. @returns false when the medium is gone meanwhile */
export async function makeVideoReady(
  tx: Tx,
  attempt: VideoAttempt,
  { durationMs, tracks, pictures }: MadeVideo,
  now: Date,
): Promise<boolean> {
  const { mediaId } = attempt;
  const medium = await updateWanted(tx, attempt)
    .set({
      state: 'ready',
      duration_ms: durationMs,
      // A file may name a sound in which nothing is.
      has_audio: tracks.some(({ track }) => track === 'audio'),
      progress: null,
      fail_code: null,
      fail_text: null,
      timeouts: 0,
      deaths: 0,
      ready_at: now,
    })
    .executeTakeFirst();
  if (medium === undefined) return false;
  const of = { mediaId, creatorId: medium.creator_id, now };
  await insertPictures(tx, of, pictures);
  for (const track of tracks) await insertTrack(tx, of, track);
  await publishMade(tx, { mediaId, creatorId: medium.creator_id, now });
  return true;
}

/** Whose a pack is, and when it was made. */
interface Owner {
  mediaId: string;
  creatorId: string;
  now: Date;
}

async function insertPictures(tx: Tx, { mediaId, creatorId, now }: Owner, packs: readonly PackRow[]): Promise<void> {
  const common = { creator_id: creatorId, media_id: mediaId, mark: 'AB', created_at: now } as const;
  await tx.db
    .insertInto('packs')
    .values(packs.map(({ sizeBytes, ...pack }) => ({ ...pack, ...common, bytes: sizeBytes })))
    .execute();
}

async function insertTrack(
  tx: Tx,
  of: Owner,
  { packId, track, width, height, init, durationsUs, files }: StoredTrack,
): Promise<void> {
  await tx.db
    .insertInto('packs')
    .values({
      id: packId,
      creator_id: of.creatorId,
      media_id: of.mediaId,
      rendition: track,
      mark: files.length > 1 ? 'AB' : '-',
      path: init.path,
      bytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, init.sizeBytes),
      sha256: init.sha256,
      width,
      height,
      segments: durationsUs.length,
      durations_us: durationsUs,
      created_at: of.now,
    })
    .execute();
  await tx.db
    .insertInto('segment_files')
    .values(
      files.map(({ sizeBytes, ...file }) => ({
        ...file,
        bytes: sizeBytes,
        pack_id: packId,
        creator_id: of.creatorId,
      })),
    )
    .execute();
}
