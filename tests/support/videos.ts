import { createHash, randomBytes } from 'node:crypto';
import { wrapKey } from '#engines/keys/wrapped-key.ts';
import type { VideoTrack } from '#features/media/contract.ts';
import { openWebpEncoder } from '#features/media/decoding/webp.ts';
import { newMediaKey, sealVideo } from '#features/media/keys.ts';
import { insertMediaKey } from '#features/media/keys-store.ts';
import { packIdText, readPackHeader } from '#features/media/pack.ts';
import { makeMarkedPack } from '#features/media/packs/marked-pack.ts';
import { newId } from '#kit/ids.ts';
import { paint } from './paint.ts';
import type { TestApp } from './test-app.ts';

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

/**
 * A ready video as rows and files: its pictures are real, its segments are random bytes under their real keys. A browser could
 * not play it; everything else is as it should be.
 */
export async function seedVideo(app: TestApp, creatorId: string, { seconds = 25 } = {}): Promise<SeededVideo> {
  const { engines } = app;
  const now = new Date(engines.clock());
  const mediaId = newId<'medium'>(now.getTime());
  const mediaKey = newMediaKey();
  const encode = await openWebpEncoder();
  const common = { creator_id: creatorId, media_id: mediaId, created_at: now };
  const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  const made = (['poster', 'posterthumb', 'storyboard'] as const).map((rendition) => {
    const [width, height] = pictures[rendition];
    const { rgb } = paint(7, width, height);
    const frame = { width, height, rgb };
    const bytes = Buffer.from(makeMarkedPack(frame, rendition, mediaKey, encode, () => undefined));
    const { packId, columns, rows } = readPackHeader(bytes);
    const id = packIdText(packId);
    const path = `media/${mediaId}/${id}.pfp`;
    const row = { ...common, id, rendition, path, width, height, columns, rows, sha256: hashOf(bytes) };
    return { bytes, row: { ...row, mark: 'AB', bytes: bytes.length } as const };
  });
  const tracks = await Promise.all(
    (['v720', 'v480', 'audio'] as const).map(async (track) => [track, await seedTrack(track)] as const),
  );
  async function seedTrack(track: VideoTrack) {
    const seal = sealVideo(mediaKey, track);
    const packId = packIdText(seal.packId);
    const count = track === 'audio' ? Math.ceil(seconds / 4) : seconds;
    const folder = `media/${mediaId}/${packId}/${track}`;
    const init = randomBytes(700);
    await engines.storage.put(`${folder}/init`, init);
    const seeded: SeededTrack & { lengths: Record<number, number[]> } = {
      packId,
      init,
      files: {},
      plain: {},
      lengths: {},
    };
    for (const slot of track === 'audio' ? ([0] as const) : ([1, 0] as const)) {
      const plain = Array.from({ length: count }, (_, n) => randomBytes(500 + 37 * n + slot));
      const sealed = plain.map((bytes, n) => seal.encryptSegment(slot, n, bytes));
      seeded.plain[slot] = plain;
      seeded.files[slot] = Buffer.concat(sealed);
      seeded.lengths[slot] = sealed.map(({ length }) => length);
      await engines.storage.put(`${folder}/${slot}`, seeded.files[slot]);
    }
    return { ...seeded, folder, count };
  }
  for (const { row, bytes } of made) await engines.storage.put(row.path, bytes);
  await engines.database.work({ kind: 'system' }, async (tx) => {
    await tx.db
      .insertInto('media')
      .values({
        ...{ id: mediaId, creator_id: creatorId, kind: 'video', state: 'ready', original_name: 'clip.mp4' },
        ...{ mime_sniffed: 'video/mp4', bytes: 1000, sha256: hashOf(Buffer.from(mediaId)), width: 1280, height: 720 },
        ...{ duration_ms: 1000 * seconds, cell_seconds: 1, fps: 30, hdr: false, has_audio: true },
        thumbhash: Buffer.from('1QcSHQRnh493V4dIh4eXh1h4kJUI', 'base64'),
        ...{ created_at: now, ready_at: now },
      })
      .execute();
    await insertMediaKey(tx, { mediaId, creatorId, ...wrapKey(engines.keys, mediaId, mediaKey) });
    await tx.db
      .insertInto('packs')
      .values(made.map(({ row }) => row))
      .execute();
    for (const [track, { packId, folder, count, init, files, lengths }] of tracks) {
      const [width, height] = sizes[track];
      const length = track === 'audio' ? 4e6 : 1e6;
      await tx.db
        .insertInto('packs')
        .values({
          ...common,
          ...{ id: packId, rendition: track, mark: track === 'audio' ? '-' : 'AB', path: `${folder}/init` },
          ...{ bytes: init.length, sha256: hashOf(init), width, height, segments: count },
          durations_us: Array.from({ length: count }, () => length),
        })
        .execute();
      const rows = Object.entries(files).map(([slot, bytes]) => ({
        ...{ pack_id: packId, slot: Number(slot), creator_id: creatorId, path: `${folder}/${slot}` },
        ...{ bytes: bytes.length, sha256: hashOf(bytes), lengths: lengths[Number(slot)] ?? [] },
      }));
      await tx.db.insertInto('segment_files').values(rows).execute();
    }
  });
  return {
    mediaId,
    mediaKey,
    tracks: Object.fromEntries(tracks) as Record<string, SeededTrack> as SeededVideo['tracks'],
    packs: Object.fromEntries(made.map(({ row }) => [row.rendition, row.id])) as SeededVideo['packs'],
  };
}
