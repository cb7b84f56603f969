import { gridOf, type Tile, tilesFor, tilesOf } from '../formats/grid.ts';
import { type PictureTrack, sealPack } from '../formats/keys.ts';
import { encodePack } from '../formats/pack.ts';
import { type MarkedTile, openMarker } from '../watermark/mark.ts';
import type { Frame } from '../watermark/mask.ts';
import { openTexture } from '../watermark/texture.ts';
import { isMarked, levelsTried } from '../watermark/tile-marks.ts';
import type { WebpDecoder } from '../webp-decoder.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { WebpEncoder } from './webp.ts';

/** Qualities of libwebp at which the mark was measured to survive. */
const qualities: Record<PictureTrack, number> = {
  p2048: 82,
  poster: 82,
  thumb512: 78,
  posterthumb: 78,
  storyboard: 78,
};

/** What turns tiles into bytes, and back to look at what is left of their mark. */
export interface TileCodec {
  encode: WebpEncoder;
  decode: WebpDecoder;
}

/** A finished pack, and in how many of its tiles the mark outlived the codec. */
export interface MarkedPack {
  bytes: Uint8Array;
  markedTiles: number;
}

/** Both variants of a tile as they are stored. */
type EncodedTile = { a: Uint8Array; b: Uint8Array };

/**
 * Makes a finished pack of a rendition: marked, cut, encoded and encrypted, each tile in both variants. Tiles in which the codec left
 * too little of the mark get a stronger one.
 */
export function makeMarkedPack(
  frame: Frame,
  track: PictureTrack,
  mediaKey: Buffer,
  { encode, decode }: TileCodec,
  lap: Stopwatch,
): MarkedPack {
  const { width, height } = frame;
  const grid = gridOf(width, height, tilesFor(width, height));
  const mark = openMarker(frame, grid.xs, grid.ys);
  const addTexture = openTexture(frame);
  const seal = sealPack(mediaKey, track);
  const encodeTile = (tile: Tile, { a, b }: MarkedTile): EncodedTile => {
    const [encodedA, encodedB] = [a, b].map((rgba) => encode(rgba, tile.width, tile.height, qualities[track]));
    return { a: encodedA as Uint8Array, b: encodedB as Uint8Array };
  };
  let markedTiles = 0;
  const ciphertexts = tilesOf(grid).flatMap((tile) => {
    const marked = mark(tile);
    lap('mark');
    let encoded = encodeTile(tile, marked);
    lap('encode');
    let isClear = isMarked(tile, encoded, decode);
    lap('look');
    for (const levels of isClear ? [] : levelsTried) {
      addTexture(tile, mark(tile), levels);
      encoded = encodeTile(tile, marked);
      isClear = isMarked(tile, encoded, decode);
      lap('strengthen');
      if (isClear) break;
    }
    if (isClear) markedTiles++;
    const sealed = [seal.encryptTile(0, tile.index, encoded.b), seal.encryptTile(1, tile.index, encoded.a)];
    lap('seal');
    return sealed;
  });
  const geometry = { width, height, ...grid };
  return { bytes: encodePack({ packId: seal.packId, codec: 'webp', geometry, ciphertexts }), markedTiles };
}
