import { createDecipheriv, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { blockhashOf, mirrorBlockhash } from '#features/media/blockhash.ts';
import { openPhotoDecoder } from '#features/media/decode-photo.ts';
import { shrinkFrame } from '#features/media/decoding/photo-derivatives.ts';
import type { CodewordSeeds } from '#features/media/formats/codeword.ts';
import { tileCodeword } from '#features/media/formats/codeword.ts';
import { gridOf, tilesFor, tilesOf } from '#features/media/formats/grid.ts';
import { keysOf, newMediaKey } from '#features/media/formats/keys.ts';
import { type PackHeader, readPackHeader, tileBytes } from '#features/media/formats/pack.ts';
import type { PhotoTrack } from '#features/media/formats/photo-shapes.ts';
import { composePack } from '#features/media/packs/composed-pack.ts';
import { makeMarkedPack } from '#features/media/packs/marked-pack.ts';
import { openWebpEncoder } from '#features/media/packs/webp.ts';
import { photoLimits } from '#features/media/photo-limits.ts';
import { openMarker } from '#features/media/watermark/mark.ts';
import type { Frame } from '#features/media/watermark/mask.ts';
import { openWebpDecoder } from '#features/media/webp-decoder.ts';
import { findCameraMaterial } from '#tests/support/media/camera-material.ts';
import { paint } from '#tests/support/media/paint.ts';

/** A stored rendition. */
export interface StoredPack {
  track: PhotoTrack;
  bytes: Buffer;
  header: PackHeader;
}

/** A photo as the product stores it. */
export interface MarkedPhoto {
  name: string;
  mediaId: string;
  mediaKey: Buffer;
  original: Frame;
  packs: Record<PhotoTrack, StoredPack>;
  blockhash: string;
  mirroredBlockhash: string;
}

const codec = { encode: await openWebpEncoder(), decode: await openWebpDecoder() };

/** Photos of different kinds; without the folder of real ones, drawn ones. */
const wanted = [
  'immich__book-beside-flowers.jpg',
  'mdx__Samsung_SM-G935L_Galaxy_S7_Edge.jpg',
  'orient__Landscape_1.jpg',
  'androidx__ultraHDR.jpg',
  'immich__8bit-sRGB.avif',
  'immich__empty_gps.jpg',
  'mdx__Apple_iPhone_4.jpg',
  'mdx__IMG_1034.heic',
  'mdx__IMG_2927.HEIC',
  'immich__silver_fir.jpg',
  'immich__thompson-springs.jpg',
  'mdx__HTC_Desire.jpg',
];

/** The first `count` of our test photos, no side longer than `side`, real where they are there. */
export async function loadPhotos(count: number, side: number): Promise<{ name: string; frame: Frame }[]> {
  const material = findCameraMaterial() ?? [];
  const files = wanted.flatMap((name) => material.find((file) => file.name === name) ?? []);
  const decode = openPhotoDecoder(side);
  const real: { name: string; frame: Frame }[] = [];
  for (const { name, path } of files.slice(0, count))
    real.push({ name, frame: (await decode(path, photoLimits)).frame });
  const drawn = Array.from({ length: count - real.length }, (_, n) => ({
    name: `drawn ${n + 1}`,
    frame: paint(n + 1, side, 0.75 * side),
  }));
  return [...real, ...drawn];
}

/** Marks a photo and puts it into packs, as the photo child does. */
export async function markPhoto(name: string, original: Frame): Promise<MarkedPhoto> {
  const mediaKey = newMediaKey();
  const thumb = await shrinkFrame(original, 512);
  const packOf = (track: PhotoTrack, frame: Frame): StoredPack => {
    const bytes = Buffer.from(makeMarkedPack(frame, track, mediaKey, codec, () => undefined).bytes);
    return { track, bytes, header: readPackHeader(bytes) };
  };
  const blockhash = await blockhashOf(thumb);
  return {
    name,
    mediaId: randomUUID(),
    mediaKey,
    original,
    packs: { p2048: packOf('p2048', original), thumb512: packOf('thumb512', thumb) },
    blockhash,
    mirroredBlockhash: mirrorBlockhash(blockhash),
  };
}

/** What one viewer gets of a photo. */
export const bitsOf = ({ mediaId, packs }: MarkedPhoto, track: PhotoTrack, seeds: CodewordSeeds): Uint8Array =>
  tileCodeword(seeds, mediaId, track, packs[track].header);

/** What a viewer with this codeword sees: their composed pack, opened with their keys, drawn tile by tile. */
export async function viewOf({ mediaKey, packs }: MarkedPhoto, track: PhotoTrack, bits: Uint8Array): Promise<Frame> {
  const { bytes, header } = packs[track];
  const composed = composePack(bytes, header, bits);
  const own = readPackHeader(composed);
  const keys = keysOf(mediaKey, header.packId, track, bits);
  const { width, height } = header;
  const rgb = Buffer.alloc(3 * width * height);
  const draw = async ({
    index,
    left,
    top,
    width: tileWidth,
    height: tileHeight,
  }: ReturnType<typeof tilesOf>[number]) => {
    const sealed = tileBytes(composed, own, index, 0);
    const key = keys.subarray(32 * index, 32 * (index + 1));
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.alloc(12)).setAuthTag(sealed.subarray(-16));
    const tile = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    const pixels = await sharp(tile).removeAlpha().raw().toBuffer();
    for (let y = 0; y < tileHeight; y++)
      pixels.copy(rgb, 3 * ((top + y) * width + left), 3 * y * tileWidth, 3 * (y + 1) * tileWidth);
  };
  await Promise.all(tilesOf(header).map(draw));
  return { width, height, rgb };
}

interface Price {
  psnr: number;
  bytesRatio: number;
}

/** Returns how far the mark moves a rendition before the codec, in decibels, and what it costs in bytes beside the same tiles unmarked. */
export async function priceOfMark({ original, packs }: MarkedPhoto, track: PhotoTrack): Promise<Price> {
  const frame = track === 'p2048' ? original : await shrinkFrame(original, 512);
  const { width, height, rgb } = frame;
  const grid = gridOf(width, height, tilesFor(width, height));
  const mark = openMarker(frame, grid.xs, grid.ys);
  let [squares, plainBytes] = [0, 0];
  for (const tile of tilesOf(grid)) {
    const { a } = mark(tile);
    const plain = new Uint8ClampedArray(a.length).fill(255);
    for (let y = 0, o = 0; y < tile.height; y++)
      for (let x = 0, i = 3 * ((tile.top + y) * width + tile.left); x < tile.width; x++, i += 3, o += 4)
        for (let channel = 0; channel < 3; channel++) {
          plain[o + channel] = rgb[i + channel] as number;
          squares += ((a[o + channel] as number) - (rgb[i + channel] as number)) ** 2;
        }
    plainBytes += codec.encode(plain, tile.width, tile.height, 82).length + 16;
  }
  const marked = packs[track].bytes.length / 2;
  return { psnr: 10 * Math.log10(255 ** 2 / (squares / rgb.length)), bytesRatio: marked / plainBytes };
}
