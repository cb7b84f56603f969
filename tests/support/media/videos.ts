import { createHash, randomBytes } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import { wrapKey } from '#engines/keys/wrapped-key.ts';
import type { Storage } from '#engines/storage/storage.ts';
import type { VideoTrack } from '#features/media/contract.ts';
import { newMediaKey, sealVideo } from '#features/media/formats/keys.ts';
import { packIdText, readPackHeader } from '#features/media/formats/pack.ts';
import { insertMediaKey } from '#features/media/keys-store.ts';
import { makeMarkedPack } from '#features/media/packs/marked-pack.ts';
import { openWebpEncoder } from '#features/media/packs/webp.ts';
import { openWebpDecoder } from '#features/media/webp-decoder.ts';
import { newId } from '#kit/ids.ts';
import type { TestApp } from '../test-app.ts';
import { paint } from './paint.ts';

/** One rendition in a test: what is stored, and what it is when it is opened. */
export interface SeededTrack {
  packId: string;
  init: Buffer;
  /** By slot. */
  files: Record<number, Buffer>;
  /** By slot, then by segment. */
  plain: Record<number, Buffer[]>;
}

export interface SeededVideo {
  mediaId: string;
  mediaKey: Buffer;
  tracks: Record<VideoTrack, SeededTrack>;
  packs: Record<'poster' | 'posterthumb' | 'storyboard', string>;
}

const pictures = { poster: [128, 72], posterthumb: [128, 72], storyboard: [224, 96] } as const;
const sizes: Record<VideoTrack, [number, number] | [null, null]> = {
  v720: [1280, 720],
  v480: [854, 480],
  audio: [null, null],
};

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

/** What all rows of a video have. */
interface Common {
  creator_id: string;
  media_id: string;
  created_at: Date;
}

/**
 * A ready video as rows and files: its pictures are real, its segments are random bytes under their real keys. A browser could
 * not play it; everything else is as it should be.
 */
export async function seedVideo(app: TestApp, creatorId: string, { seconds = 25 } = {}): Promise<SeededVideo> {
  const { clock, database, keys, storage } = app.engines;
  const now = new Date(clock());
  const mediaId = newId<'medium'>(now.getTime());
  const mediaKey = newMediaKey();
  const common = { creator_id: creatorId, media_id: mediaId, created_at: now };
  const made = await drawPictures(common, mediaKey);
  const tracks = await Promise.all(
    (['v720', 'v480', 'audio'] as const).map(
      async (track) => [track, await seedTrack(storage, { mediaId, mediaKey, track, seconds })] as const,
    ),
  );
  for (const { row, bytes } of made) await storage.put(row.path, bytes);
  await database.work({ kind: 'system' }, async (tx) => {
    await insertVideo(tx, common, seconds);
    await insertMediaKey(tx, { mediaId, creatorId, ...wrapKey(keys, mediaId, mediaKey) });
    await tx.db
      .insertInto('packs')
      .values(made.map(({ row }) => row))
      .execute();
    for (const [track, seeded] of tracks) await insertTrack(tx, common, track, seeded);
  });
  return {
    mediaId,
    mediaKey,
    tracks: Object.fromEntries(tracks) as Record<string, SeededTrack> as SeededVideo['tracks'],
    packs: Object.fromEntries(made.map(({ row }) => [row.rendition, row.id])) as SeededVideo['packs'],
  };
}

/** Its pictures as packs, each with its row. */
async function drawPictures(common: Common, mediaKey: Buffer) {
  const codec = { encode: await openWebpEncoder(), decode: await openWebpDecoder() };
  return (['poster', 'posterthumb', 'storyboard'] as const).map((rendition) => {
    const [width, height] = pictures[rendition];
    const { rgb } = paint(7, width, height);
    const frame = { width, height, rgb };
    const bytes = Buffer.from(makeMarkedPack(frame, rendition, mediaKey, codec, () => undefined).bytes);
    const { packId, columns, rows } = readPackHeader(bytes);
    const id = packIdText(packId);
    const path = `media/${common.media_id}/${id}.pfp`;
    const row = { ...common, id, rendition, path, width, height, columns, rows, sha256: hashOf(bytes) };
    return { bytes, row: { ...row, mark: 'AB', bytes: bytes.length } as const };
  });
}

/** What the rows of a track need to know besides. */
interface StoredTrack extends SeededTrack {
  lengths: Record<number, number[]>;
  folder: string;
  count: number;
}

/** Stores the files of a track; no row names them yet. */
async function seedTrack(
  storage: Storage,
  of: { mediaId: string; mediaKey: Buffer; track: VideoTrack; seconds: number },
): Promise<StoredTrack> {
  const { mediaId, mediaKey, track, seconds } = of;
  const seal = sealVideo(mediaKey, track);
  const packId = packIdText(seal.packId);
  const count = track === 'audio' ? Math.ceil(seconds / 4) : seconds;
  const folder = `media/${mediaId}/${packId}/${track}`;
  const init = randomBytes(700);
  await storage.put(`${folder}/init`, init);
  const stored: StoredTrack = { packId, init, files: {}, plain: {}, lengths: {}, folder, count };
  for (const slot of track === 'audio' ? ([0] as const) : ([1, 0] as const)) {
    const plain = Array.from({ length: count }, (_, n) => randomBytes(500 + 37 * n + slot));
    const sealed = plain.map((bytes, n) => seal.encryptSegment(slot, n, bytes));
    const file = Buffer.concat(sealed);
    stored.plain[slot] = plain;
    stored.files[slot] = file;
    stored.lengths[slot] = sealed.map(({ length }) => length);
    await storage.put(`${folder}/${slot}`, file);
  }
  return stored;
}

async function insertVideo(tx: Tx, { media_id, creator_id, created_at }: Common, seconds: number): Promise<void> {
  await tx.db
    .insertInto('media')
    .values({
      id: media_id,
      creator_id,
      kind: 'video',
      state: 'ready',
      original_name: 'clip.mp4',
      mime_sniffed: 'video/mp4',
      bytes: 1000,
      sha256: hashOf(Buffer.from(media_id)),
      width: 1280,
      height: 720,
      duration_ms: 1000 * seconds,
      cell_seconds: 1,
      fps: 30,
      hdr: false,
      has_audio: true,
      thumbhash: Buffer.from('1QcSHQRnh493V4dIh4eXh1h4kJUI', 'base64'),
      created_at,
      ready_at: created_at,
    })
    .execute();
}

async function insertTrack(tx: Tx, common: Common, track: VideoTrack, stored: StoredTrack): Promise<void> {
  const { packId, folder, count, init, files, lengths } = stored;
  const [width, height] = sizes[track];
  const length = track === 'audio' ? 4e6 : 1e6;
  await tx.db
    .insertInto('packs')
    .values({
      ...common,
      id: packId,
      rendition: track,
      mark: track === 'audio' ? '-' : 'AB',
      path: `${folder}/init`,
      bytes: init.length,
      sha256: hashOf(init),
      width,
      height,
      segments: count,
      durations_us: Array.from({ length: count }, () => length),
    })
    .execute();
  const rows = Object.entries(files).map(([slot, bytes]) => ({
    pack_id: packId,
    slot: Number(slot),
    creator_id: common.creator_id,
    path: `${folder}/${slot}`,
    bytes: bytes.length,
    sha256: hashOf(bytes),
    lengths: lengths[Number(slot)] ?? [],
  }));
  await tx.db.insertInto('segment_files').values(rows).execute();
}
