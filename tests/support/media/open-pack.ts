import sharp from 'sharp';
import type { MadePack } from '#features/media/decoding/photo-decoder.ts';
import { tilesOf } from '#features/media/formats/grid.ts';
import { decryptTile, type Slot } from '#features/media/formats/keys.ts';
import { tileBytes } from '#features/media/formats/pack.ts';

/** Every tile of a stored pack in the clear, of one slot. */
export function openTiles({ bytes, header, track }: MadePack, mediaKey: Buffer, slot: Slot): Buffer[] {
  return tilesOf(header).map(({ index }) =>
    decryptTile(mediaKey, header.packId, track, slot, index, tileBytes(bytes, header, index, slot)),
  );
}

/** The picture that a viewer would see who got this slot everywhere: interleaved RGB. */
export async function drawTiles(pack: MadePack, mediaKey: Buffer, slot: Slot): Promise<Buffer> {
  const { width, height } = pack.header;
  const picture = Buffer.alloc(3 * width * height);
  const tiles = openTiles(pack, mediaKey, slot);
  for (const { index, left, top, width: tileWidth, height: tileHeight } of tilesOf(pack.header)) {
    const pixels = await sharp(tiles[index]).removeAlpha().raw().toBuffer();
    for (let y = 0; y < tileHeight; y++)
      pixels.copy(picture, 3 * ((top + y) * width + left), 3 * y * tileWidth, 3 * (y + 1) * tileWidth);
  }
  return picture;
}

/** The same picture with the mark taken out: the mean of both variants. */
export async function drawUnmarked(pack: MadePack, mediaKey: Buffer): Promise<Buffer> {
  const [a, b] = [await drawTiles(pack, mediaKey, 1), await drawTiles(pack, mediaKey, 0)];
  return a.map((level, i) => Math.round((level + (b[i] ?? 0)) / 2)) as Buffer;
}

/** Names of the chunks of a WebP file: pixels alone are `VP8 `, metadata would be EXIF, XMP or ICCP. */
export function chunksOf(webp: Buffer): string[] {
  if (webp.toString('latin1', 0, 4) + webp.toString('latin1', 8, 12) !== 'RIFFWEBP') return ['not WebP'];
  const names: string[] = [];
  for (let at = 12; at + 8 <= webp.length; at += 8 + webp.readUInt32LE(at + 4) + (webp.readUInt32LE(at + 4) % 2))
    names.push(webp.toString('latin1', at, at + 4));
  return names;
}

/** Mean difference of two pictures of the same size, in grey levels. */
export function distance(one: Uint8Array, other: Uint8Array): number {
  return one.reduce((sum, value, i) => sum + Math.abs(value - (other[i] ?? 0)), 0) / one.length;
}
