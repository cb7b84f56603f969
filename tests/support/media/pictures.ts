import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import sharp from 'sharp';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { wrapKey } from '#engines/keys/wrapped-key.ts';
import { blockhashOf, mirrorBlockhash } from '#features/media/blockhash.ts';
import { shrinkFrame } from '#features/media/decoding/photo-derivatives.ts';
import { newMediaKey } from '#features/media/formats/keys.ts';
import { packIdText, readPackHeader } from '#features/media/formats/pack.ts';
import { insertMediaKey } from '#features/media/keys-store.ts';
import { makeMarkedPack, type TileCodec } from '#features/media/packs/marked-pack.ts';
import { openWebpEncoder } from '#features/media/packs/webp.ts';
import type { Frame } from '#features/media/watermark/mask.ts';
import { openWebpDecoder } from '#features/media/webp-decoder.ts';
import { newId } from '#kit/ids.ts';
import { foldText } from '#kit/search.ts';
import type { TestApp } from '../test-app.ts';
import { findMade, keepMade } from './material.ts';
import { paint } from './paint.ts';

/** A ready photo in a test, with what only the server knows. */
export interface SeededPhoto {
  mediaId: string;
  mediaKey: Buffer;
  /** What its copies look like; undefined where both renditions show something else. */
  blockhash: string | undefined;
  /** Stored packs by rendition, both variants. */
  packs: Record<'p2048' | 'thumb512', { packId: string; bytes: Buffer }>;
}

/** A photo that is smaller than usual is no larger as a thumbnail. */
const usualSide = 320;

let opening: Promise<TileCodec> | undefined;
/** How many paintings each app has had. */
const painted = new WeakMap<Engines, number>();

/** A photo as it is stored, apart from any app. */
export interface MarkedPhoto {
  mediaKey: Buffer;
  phash: string | undefined;
  packs: Record<'p2048' | 'thumb512', Buffer>;
}

/**
 * A ready photo with real marked and encrypted packs, made without the walled children: painted, small and quick.
 * @param side longest side of the full rendition
 * @param isAlike both renditions show the same, and its blockhash is known, as with a real photo; it takes longer
 * @param frame what it shows instead of a painting; it is alike then, and as large as this
 */
export async function seedPhoto(
  app: TestApp,
  creatorId: string,
  { side = usualSide, isAlike = false, frame }: { side?: number; isAlike?: boolean; frame?: Frame } = {},
): Promise<SeededPhoto> {
  const { engines } = app;
  const now = new Date(engines.clock());
  const mediaId = newId<'medium'>(now.getTime());
  const { mediaKey, phash, packs } = await (frame ? markPhoto(frame) : takePainted(engines, side, isAlike));
  const made = madeOf(mediaId, packs);
  for (const { path, bytes } of made) await engines.storage.put(path, bytes);
  await engines.database.work({ kind: 'system' }, async (tx) => {
    const name = `photo-${mediaId.slice(-8)}.jpg`;
    await tx.db
      .insertInto('media')
      .values({
        id: mediaId,
        creator_id: creatorId,
        kind: 'photo',
        state: 'ready',
        original_name: name,
        mime_sniffed: 'image/jpeg',
        bytes: 1000,
        sha256: createHash('sha256').update(mediaId).digest(),
        width: frame?.width ?? side,
        height: frame?.height ?? (side * 3) / 4,
        thumbhash: Buffer.from('1QcSHQRnh493V4dIh4eXh1h4kJUI', 'base64'),
        ...(phash !== undefined && { phash, phash_mirrored: mirrorBlockhash(phash) }),
        created_at: now,
        ready_at: now,
      })
      .execute();
    await insertMediaKey(tx, { mediaId, creatorId, ...wrapKey(engines.keys, mediaId, mediaKey) });
    for (const pack of made) await insertMade(tx, pack, { mediaId, creatorId, now });
  });
  const stored = Object.fromEntries(made.map(({ track, packId, bytes }) => [track, { packId, bytes }]));
  return { mediaId, mediaKey, blockhash: phash, packs: stored as SeededPhoto['packs'] };
}

/** The packs of a photo, each with where it is stored. */
const madeOf = (mediaId: string, packs: MarkedPhoto['packs']) =>
  (['p2048', 'thumb512'] as const).map((track) => {
    const bytes = packs[track];
    const header = readPackHeader(bytes);
    const packId = packIdText(header.packId);
    return { track, packId, bytes, header, path: `media/${mediaId}/${packId}.pfp` };
  });

async function insertMade(
  tx: Tx,
  { track, packId, bytes, header, path }: ReturnType<typeof madeOf>[number],
  { mediaId, creatorId, now }: { mediaId: string; creatorId: string; now: Date },
): Promise<void> {
  await tx.db
    .insertInto('packs')
    .values({
      id: packId,
      creator_id: creatorId,
      media_id: mediaId,
      rendition: track,
      mark: 'AB',
      path,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest(),
      width: header.width,
      height: header.height,
      columns: header.columns,
      rows: header.rows,
      created_at: now,
    })
    .execute();
}

/** The next painted photo of this app, which all others of the run have too: no app holds one twice. */
async function takePainted(engines: Engines, side: number, isAlike: boolean): Promise<MarkedPhoto> {
  const first = (painted.get(engines) ?? 0) + 1;
  painted.set(engines, isAlike ? first : first + 1);
  const recipe = ['photo', { first, side, isAlike }];
  const known = findMade(recipe);
  if (known) return deserialize(known);
  const whole = paint(first, side, (side * 3) / 4);
  const small = side < usualSide ? side : 512;
  const made = await markPhoto(whole, isAlike ? undefined : paint(first + 1, small, (small * 3) / 4));
  keepMade(recipe, serialize(made));
  return made;
}

const openCodec = async (): Promise<TileCodec> => ({
  encode: await openWebpEncoder(),
  decode: await openWebpDecoder(),
});

/** Marks a photo under a key of its own. @param other what its thumbnail shows, where that is something else; then nobody knows its looks */
export async function markPhoto(whole: Frame, other?: Frame): Promise<MarkedPhoto> {
  opening ??= openCodec();
  const codec = await opening;
  const mediaKey = newMediaKey();
  const pack = (shown: Frame, track: 'p2048' | 'thumb512') =>
    Buffer.from(makeMarkedPack(shown, track, mediaKey, codec, () => undefined).bytes);
  const packs = { p2048: pack(whole, 'p2048'), thumb512: pack(other ?? (await shrinkFrame(whole, 512)), 'thumb512') };
  return { mediaKey, phash: other ? undefined : await blockhashOf(whole), packs };
}

/** Puts photos into an album that can be shared. @returns the album's id */
export async function seedAlbum(
  app: TestApp,
  creatorId: string,
  mediaIds: readonly string[],
  name = 'Golden hour',
): Promise<string> {
  const now = new Date(app.engines.clock());
  const albumId = newId<'album'>(now.getTime());
  await app.engines.database.work({ kind: 'system' }, async ({ db }) => {
    await db
      .insertInto('albums')
      .values({
        id: albumId,
        user_id: creatorId,
        name,
        search_text: foldText(name),
        state: 'ready',
        people_consent: 'only_me',
        people_said_at: now,
        created_at: now,
      })
      .execute();
    for (const [position, mediaId] of mediaIds.entries())
      await db
        .insertInto('album_items')
        .values({ album_id: albumId, media_id: mediaId, user_id: creatorId, position, added_at: now })
        .execute();
  });
  return albumId;
}

/** Returns whether bytes are a picture that a browser can draw, and of which size. */
export async function readPicture(bytes: Uint8Array) {
  const { format, width, height } = await sharp(bytes).metadata();
  return { format, width, height };
}
