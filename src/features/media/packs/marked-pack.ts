import type { Stopwatch } from '../decoding/stopwatch.ts';
import type { WebpEncoder } from '../decoding/webp.ts';
import { gridOf, tilesFor, tilesOf } from '../formats/grid.ts';
import { type PictureTrack, sealPack } from '../formats/keys.ts';
import { encodePack } from '../formats/pack.ts';
import { openMarker } from '../watermark/mark.ts';
import type { Frame } from '../watermark/mask.ts';

/** Qualities of libwebp at which the mark was measured to survive. */
const qualities: Record<PictureTrack, number> = {
  p2048: 82,
  poster: 82,
  thumb512: 78,
  posterthumb: 78,
  storyboard: 78,
};

/** Makes a finished pack of a rendition: marked, cut, encoded and encrypted, each tile in both variants. */
export function makeMarkedPack(
  frame: Frame,
  track: PictureTrack,
  mediaKey: Buffer,
  encode: WebpEncoder,
  lap: Stopwatch,
): Uint8Array {
  const { width, height } = frame;
  const grid = gridOf(width, height, tilesFor(width, height));
  const mark = openMarker(frame, grid.xs, grid.ys);
  const seal = sealPack(mediaKey, track);
  const quality = qualities[track];
  const ciphertexts = tilesOf(grid).flatMap((tile) => {
    const { a, b } = mark(tile);
    lap('mark');
    const [tileA, tileB] = [a, b].map((rgba) => encode(rgba, tile.width, tile.height, quality)) as [
      Uint8Array,
      Uint8Array,
    ];
    lap('encode');
    const sealed = [seal.encryptTile(0, tile.index, tileB), seal.encryptTile(1, tile.index, tileA)];
    lap('seal');
    return sealed;
  });
  return encodePack({ packId: seal.packId, codec: 'webp', geometry: { width, height, ...grid }, ciphertexts });
}
