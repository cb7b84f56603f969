import { createRequire } from 'node:module';
import sharp from 'sharp';
import { longSideFor } from '../formats/rendition-size.ts';
import type { CodedPixels } from './coded-light.ts';

/** The part of libheif-js that is used; the package is optional, because HEVC is patented. */
interface LibHeif {
  HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] };
  heif_colorspace: { heif_colorspace_RGB: unknown };
  heif_chroma: Record<`heif_chroma_interleaved_${Interleaving}`, unknown>;
  heif_js_decode_image2(handle: unknown, colorspace: unknown, chroma: unknown): Promise<HeifPixels | undefined>;
  heif_image_release(image: unknown): void;
}
type Interleaving = 'RGB' | 'RGBA' | 'RRGGBB_LE' | 'RRGGBBAA_LE';
interface HeifImage {
  handle: unknown;
  get_width(): number;
  get_height(): number;
  is_primary(): boolean;
  has_alpha_channel(): boolean;
  free(): void;
}
interface HeifPlane {
  width: number;
  height: number;
  stride: number;
  bits_per_pixel: number;
  data: Uint8Array;
}
interface HeifPixels {
  code?: unknown;
  image: unknown;
  channels: HeifPlane[];
}

/** How large a picture may be, and after how long a side its rendition is named. */
interface Most {
  pixels: number;
  side: number;
}

/** Decodes the primary picture of a HEIC file, upright and as small as its rendition. libheif's memory holds all of a large picture; nothing else does. */
export interface HeicDecoder {
  /** As a TIFF in memory with the profile that it was given. */
  toTiff(bytes: Buffer, icc: Buffer | undefined, most: Most): Promise<Buffer>;
  /** As its light is coded, with all the bits that it has. */
  toCoded(bytes: Buffer, most: Most): Promise<CodedPixels>;
}

/** A HEIC picture of more pixels than its decoder can hold. */
export class TooManyPixels extends Error {}

/** Loads libheif, or nothing where the operator left the package out. */
export function openHeicDecoder(): HeicDecoder | undefined {
  const require = createRequire(import.meta.url);
  let libheif: LibHeif;
  try {
    libheif = require('libheif-js/wasm-bundle');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return;
    throw error;
  }
  return {
    /**
     * libheif turns and mirrors by itself but hands over the numbers of the camera's colour space, mostly Display P3. Inside a
     * TIFF that carries the profile, libvips converts them to sRGB as it does for any other file.
     */
    toTiff: (bytes, icc, most) =>
      withPixels(libheif, bytes, most, ['RGB', 'RGBA'], async (plane, samples) =>
        tiffOf(await shrink({ ...plane, data: packed(plane, samples) }, samples, most.side), samples, icc),
      ),
    toCoded: (bytes, most) =>
      withPixels(libheif, bytes, most, ['RRGGBB_LE', 'RRGGBBAA_LE'], async (plane, samples) => {
        const all = packed(plane, 2 * samples);
        const deep = new Uint16Array(all.buffer, all.byteOffset, all.length / 2);
        const { width, height, data } = await shrink({ ...plane, data: deep }, samples, most.side);
        const levels = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
        const opaque = samples === 3 ? levels : levels.filter((_, i) => i % 4 !== 3);
        return { width, height, levels: opaque, most: 2 ** plane.bits_per_pixel - 1 };
      }),
  };
}

/** @throws Error when libheif cannot decode the file */
async function withPixels<T>(
  libheif: LibHeif,
  bytes: Buffer,
  most: Most,
  [opaque, transparent]: readonly [Interleaving, Interleaving],
  use: (plane: HeifPlane, samples: 3 | 4) => Promise<T>,
): Promise<T> {
  const images = new libheif.HeifDecoder().decode(bytes);
  try {
    const image = images.find((each) => each.is_primary()) ?? images[0];
    if (!image) throw new Error('no picture in a HEIC file');
    if (image.get_width() * image.get_height() > most.pixels) throw new TooManyPixels();
    const samples = image.has_alpha_channel() ? 4 : 3;
    const chroma = libheif.heif_chroma[`heif_chroma_interleaved_${samples === 4 ? transparent : opaque}`];
    const { heif_colorspace_RGB: colours } = libheif.heif_colorspace;
    const pixels = await libheif.heif_js_decode_image2(image.handle, colours, chroma);
    const [plane] = pixels?.channels ?? [];
    if (!pixels || pixels.code || !plane) throw new Error('a HEIC file that cannot be decoded');
    try {
      return await use(plane, samples);
    } finally {
      libheif.heif_image_release(pixels.image);
    }
  } finally {
    for (const image of images) image.free();
  }
}

/**
 * Pixels as they lie in libheif's memory, pushed together there. Nothing may decode meanwhile: a memory that grows moves, and a child
 * works on one file at a time.
 */
function packed({ width, height, stride, data }: HeifPlane, pixelBytes: number): Buffer {
  const row = width * pixelBytes;
  if (stride > row) for (let y = 1; y < height; y++) data.copyWithin(y * row, y * stride, y * stride + row);
  return Buffer.from(data.buffer, data.byteOffset, row * height);
}

/** Pixels without gaps between their rows. */
interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

/** As few of them as are wanted. */
async function shrink(
  { width, height, data }: { width: number; height: number; data: Buffer | Uint16Array },
  samples: 3 | 4,
  side: number,
): Promise<Pixels> {
  const long = longSideFor({ width, height }, side);
  const [space, depth] = data instanceof Uint16Array ? (['rgb16', 'ushort'] as const) : (['srgb', 'uchar'] as const);
  const { data: shrunk, info } = await sharp(data, {
    raw: { width, height, channels: samples },
    limitInputPixels: false,
  })
    .resize(long, long, { fit: 'inside', withoutEnlargement: true })
    .toColourspace(space)
    .raw({ depth })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: shrunk };
}

const [short, long, undefinedBytes] = [3, 4, 7];

/** An uncompressed little-endian TIFF around 8-bit pixels: the least that a reader needs (TIFF 6.0 §6, ICC.1 annex B.4). */
function tiffOf({ width, height, data }: Pixels, samples: 3 | 4, icc: Buffer | undefined): Buffer {
  const row = width * samples;
  const tagCount = 12 + (samples === 4 ? 1 : 0) + (icc ? 1 : 0);
  const bitsAt = 8 + 2 + 12 * tagCount + 4;
  const iccAt = bitsAt + 2 * samples;
  const pixelsAt = iccAt + (icc ? icc.length + (icc.length % 2) : 0);
  const tags: [tag: number, type: number, count: number, value: number][] = [
    [256, long, 1, width],
    [257, long, 1, height],
    [258, short, samples, bitsAt],
    [259, short, 1, 1], // not compressed
    [262, short, 1, 2], // RGB
    [273, long, 1, pixelsAt],
    [274, short, 1, 1], // upright
    [277, short, 1, samples],
    [278, long, 1, height],
    [279, long, 1, row * height],
    [284, short, 1, 1], // interleaved
    ...(samples === 4 ? [[338, short, 1, 2] as [number, number, number, number]] : []), // the fourth is alpha
    [339, short, 1, 1], // whole numbers
    ...(icc ? [[34_675, undefinedBytes, icc.length, iccAt] as [number, number, number, number]] : []),
  ];
  const tiff = Buffer.allocUnsafe(pixelsAt + row * height).fill(0, 0, pixelsAt);
  tiff.write('II*\0', 'latin1');
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(tags.length, 8);
  for (const [i, [tag, type, count, value]] of tags.entries()) {
    tiff.writeUInt16LE(tag, 10 + 12 * i);
    tiff.writeUInt16LE(type, 12 + 12 * i);
    tiff.writeUInt32LE(count, 14 + 12 * i);
    tiff.writeUInt32LE(value, 18 + 12 * i);
  }
  for (let i = 0; i < samples; i++) tiff.writeUInt16LE(8, bitsAt + 2 * i);
  icc?.copy(tiff, iccAt);
  tiff.set(data, pixelsAt);
  return tiff;
}
