import { createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import { readPackHeader, tileBytes } from '#features/media/formats/pack.ts';
import { readRows } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';

/** One ciphertext: a tile or a second of a video, in one of its variants. */
export interface Sealed {
  mediaId: string;
  /** Rendition and number; both variants have the same. */
  place: string;
  slot: number;
  bytes: Buffer;
  /** Of a second of a video; tiles have none. */
  iv: Buffer | undefined;
}

/** A file of a picture or of a video's track. */
interface Stored {
  media_id: string;
  rendition: string;
  path: string;
}

/** Everything that is stored of pictures and videos. */
export async function readSealed(app: TestApp): Promise<Sealed[]> {
  const { storage } = app.engines;
  const stored = `select media_id, rendition, path from packs where path like '%.pfp'`;
  const packs = (await readRows(app, stored, [])) as unknown as Stored[];
  const files = (await readRows(
    app,
    'select p.media_id, p.rendition, f.slot, f.path, f.lengths from segment_files f join packs p on p.id = f.pack_id',
    [],
  )) as unknown as (Stored & { slot: number; lengths: number[] })[];
  const tiles = await Promise.all(
    packs.map(async ({ media_id: mediaId, rendition, path }) => {
      const pack = await storage.read(path);
      const header = readPackHeader(pack);
      return Array.from({ length: 2 * header.tiles }, (_, k): Sealed => {
        const [index, slot] = [k >> 1, (k & 1) as 0 | 1];
        const bytes = Buffer.from(tileBytes(pack, header, index, slot));
        return { mediaId, place: `${rendition} ${index}`, slot, bytes, iv: undefined };
      });
    }),
  );
  const segments = await Promise.all(
    files.map(async ({ media_id: mediaId, rendition, slot, path, lengths }) => {
      const bytes = await storage.read(path);
      let at = 0;
      return lengths.map((length, index): Sealed => {
        const iv = Buffer.alloc(16);
        iv.writeUInt32BE(index, 12);
        at += length;
        return { mediaId, place: `${rendition} ${index}`, slot, bytes: bytes.subarray(at - length, at), iv };
      });
    }),
  );
  return [...tiles.flat(), ...segments.flat()];
}

/** With these letters every tile begins, which is a picture. */
const webp = Buffer.from('RIFF');

/**
 * Returns whether a key opens a ciphertext. A wrong key is told by what comes first, without an exception: there are many of them.
 * @param plainOf what a second of a video is in the clear
 */
function isOpenedBy(key: KeyObject, sealed: Sealed, plainOf: (sealed: Sealed) => Buffer | undefined): boolean {
  const { bytes, iv } = sealed;
  if ((key.symmetricKeySize === 16) !== (iv !== undefined)) return false;
  if (iv !== undefined) {
    const decipher = createDecipheriv('aes-128-cbc', key, iv).setAutoPadding(false);
    const [opened, plain] = [Buffer.concat([decipher.update(bytes), decipher.final()]), plainOf(sealed)];
    return plain !== undefined && opened.subarray(0, plain.length).equals(plain);
  }
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.alloc(12)).setAuthTag(bytes.subarray(-16));
  if (!decipher.update(bytes.subarray(0, webp.length)).equals(webp)) return false;
  decipher.update(bytes.subarray(webp.length, -16));
  try {
    decipher.final();
    return true;
  } catch {
    return false;
  }
}

/** All that a heap of keys opens. @returns by medium and place, the variants that were opened */
export function openAll(
  keys: readonly Buffer[],
  all: readonly Sealed[],
  plainOf: (sealed: Sealed) => Buffer | undefined,
): Map<string, number[]> {
  const opened = new Map<string, number[]>();
  const different = [...new Map(keys.map((key) => [key.toString('hex'), createSecretKey(key)])).values()];
  for (const sealed of all)
    if (different.some((key) => isOpenedBy(key, sealed, plainOf))) {
      const name = `${sealed.mediaId} ${sealed.place}`;
      opened.set(name, [...(opened.get(name) ?? []), sealed.slot]);
    }
  return opened;
}

/** Names of all places of some media. */
export const placesOf = (
  all: readonly Sealed[],
  mediaIds: readonly string[],
  renditions: readonly string[],
): string[] =>
  [
    ...new Set(
      all
        .filter(({ mediaId, place }) => mediaIds.includes(mediaId) && renditions.includes(place.split(' ')[0] ?? ''))
        .map(({ mediaId, place }) => `${mediaId} ${place}`),
    ),
  ].sort();
