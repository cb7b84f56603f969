import { type Grid, type Tile, tilesOf } from '#features/media/formats/grid.ts';
import { decryptTile, type Slot, type Track } from '#features/media/formats/keys.ts';
import { type PackHeader, readPackHeader, tileBytes } from '#features/media/formats/pack.ts';
import { openWebpDecoder } from '#features/media/webp-decoder.ts';
import { type Luma, lumaAt } from './luma.ts';

/**
 * What a leak of one rendition is compared with. Both come out of the stored variants as they went through the codec; neither the
 * original nor the pattern is needed.
 */
export interface Reference {
  grid: Pick<Grid, 'columns' | 'rows' | 'xs' | 'ys'>;
  /** (A + B) / 2: the item without its mark. */
  picture: Luma;
  /** (A − B) / 2: the mark. */
  mark: Luma;
}

/** Makes references out of stored packs. */
export type ReferenceMaker = (pack: Uint8Array, mediaKey: Buffer, track: Track) => Promise<Reference>;

/** Opens the codec of the packs. */
export async function openReferenceMaker(): Promise<ReferenceMaker> {
  const decode = await openWebpDecoder();
  return async (pack, mediaKey, track) => {
    const header = readPackHeader(pack);
    if (header.variants !== 2) throw new RangeError('a pack of one variant tells nothing');
    const [picture, mark] = [emptyLuma(header), emptyLuma(header)];
    const pixelsOf = (index: number, slot: Slot) =>
      decode(decryptTile(mediaKey, header.packId, track, slot, index, tileBytes(pack, header, index, slot)));
    for (const tile of tilesOf(header)) {
      const [b, a] = [pixelsOf(tile.index, 0), pixelsOf(tile.index, 1)];
      if ([a, b].some(({ width, height }) => width !== tile.width || height !== tile.height))
        throw new RangeError(`tile ${tile.index} has another size than its place`);
      layTile(tile, a.data, b.data, picture, mark);
    }
    return { grid: header, picture, mark };
  };
}

const emptyLuma = ({ width, height }: PackHeader): Luma => ({
  width,
  height,
  values: new Float32Array(width * height),
});

function layTile(
  { left, top, width, height }: Tile,
  a: Uint8ClampedArray,
  b: Uint8ClampedArray,
  picture: Luma,
  mark: Luma,
): void {
  for (let y = 0, from = 0; y < height; y++) {
    const row = (top + y) * picture.width + left;
    for (let x = 0; x < width; x++, from += 4) {
      const [one, other] = [lumaAt(a, from), lumaAt(b, from)];
      picture.values[row + x] = (one + other) / 2;
      mark.values[row + x] = (one - other) / 2;
    }
  }
}
