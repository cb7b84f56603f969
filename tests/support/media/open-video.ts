import { decryptSegment, decryptTile, type Slot, type Track } from '#features/media/formats/keys.ts';
import { packIdBytes, readPackHeader, tileBytes } from '#features/media/formats/pack.ts';
import { findMediaKey } from '#features/media/keys-store.ts';
import { readRows } from '../people.ts';
import type { TestApp } from '../test-app.ts';

/** Something of a video that a viewer may come to hold, in the clear; `video` is a whole variant of a track, its beginning first. */
export interface VideoPiece {
  what: string;
  bytes: Buffer;
  kind: 'teaser' | 'tile' | 'video';
}

/** Opens everything that is stored of a video for viewers, both variants. @throws Error when a piece does not open */
export async function* openVideo(app: TestApp, mediaId: string): AsyncGenerator<VideoPiece> {
  const { database, keys, storage } = app.engines;
  const mediaKey = await database.work({ kind: 'system' }, (tx) => findMediaKey(tx, keys, mediaId));
  if (mediaKey === undefined) throw new Error('no key');
  const [medium] = await readRows(app, 'select teaser from media where id = $1', [mediaId]);
  yield { what: 'teaser', bytes: medium?.teaser as Buffer, kind: 'teaser' };
  for (const pack of await readRows(app, 'select * from packs where media_id = $1 order by rendition', [mediaId])) {
    const track = pack.rendition as Track;
    const stored = await storage.read(String(pack.path));
    const files = await readRows(app, 'select * from segment_files where pack_id = $1 order by slot', [pack.id]);
    if (files.length === 0) yield* openPicture(mediaKey, track, stored);
    for (const file of files) {
      const slot = file.slot as Slot;
      const bytes = await storage.read(String(file.path));
      const segments: Buffer[] = [];
      let from = 0;
      for (const [n, length] of (file.lengths as number[]).entries()) {
        const closed = bytes.subarray(from, from + length);
        segments.push(decryptSegment(mediaKey, packIdBytes(String(pack.id)), track, slot, n, closed));
        from += length;
      }
      if (from !== bytes.length) throw new Error(`${track} ${slot}: ${bytes.length - from} bytes belong to no segment`);
      yield { what: `${track} ${slot}`, bytes: Buffer.concat([stored, ...segments]), kind: 'video' };
    }
  }
}

function* openPicture(mediaKey: Buffer, track: Track, stored: Buffer): Generator<VideoPiece> {
  const header = readPackHeader(stored);
  for (const slot of [0, 1] as const)
    for (let tile = 0; tile < header.columns * header.rows; tile++) {
      const closed = tileBytes(stored, header, tile, slot);
      const bytes = decryptTile(mediaKey, header.packId, track, slot, tile, closed);
      yield { what: `${track} ${slot} ${tile}`, bytes, kind: 'tile' };
    }
}
