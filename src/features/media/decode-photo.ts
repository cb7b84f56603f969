import { readFile, stat } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp';
import { type CodedPixels, isHdr, needsConverting, toSrgb } from './decoding/coded-light.ts';
import { type HeicDecoder, openHeicDecoder, TooManyPixels } from './decoding/heic.ts';
import { type CodedColours, readHeifColours } from './decoding/heif-colours.ts';
import { findPersonalMetadata, type RemovedMetadata } from './decoding/personal-metadata.ts';
import { readPngColours } from './decoding/png-colours.ts';
import { readAsStill, readWithEnd } from './decoding/repaired-files.ts';
import type { PhotoFailure, PhotoLimit, PhotoLimits } from './formats/photo-shapes.ts';
import { longSideFor } from './formats/rendition-size.ts';
import type { Frame } from './watermark/mask.ts';

/** An upright photo in sRGB, no larger than was asked for, and what its file was. */
export type DecodedPhoto = {
  frame: Frame;
  mime: string;
  /** Size of the original as one looks at it. */
  width: number;
  height: number;
  removed: RemovedMetadata[];
};

/** A file that is refused, with the reason. */
export class PhotoRefused extends Error {
  readonly code: PhotoFailure;
  constructor(code: PhotoFailure, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** One that is larger than photos may be, by which limit. */
export class PhotoTooBig extends PhotoRefused {
  readonly limit: PhotoLimit;
  constructor(limit: PhotoLimit, cause?: unknown) {
    super('TOO_BIG', cause);
    this.limit = limit;
  }
}

/** After how long a side the largest rendition is named. */
const longSide = 2048;

/** What a photo's bytes may be, whatever its name says; of what moves the first picture is taken. */
const photoTypes = new Set(
  ['jpeg', 'png', 'apng', 'webp', 'gif', 'avif', 'heic', 'heif', 'heic-sequence', 'heif-sequence', 'tiff'].map(
    (type) => `image/${type}`,
  ),
);

/**
 * A second wall behind the sniffing: libvips itself knows no other reader, so nothing that is no photo is ever parsed, and no
 * document format that loads other files.
 */
export function hardenSharp(): void {
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((name) => `VipsForeignLoad${name}`),
  });
}

/** A file that was taken for a photo, and how it is read. */
interface Source {
  /** Where it lies, or its bytes where something had to be done to them. */
  file: string | Buffer;
  metadata: Metadata;
  colours: CodedColours | undefined;
  options: SharpOptions;
  limits: PhotoLimits;
  /** After how long a side the frame is named. */
  side: number;
}

/**
 * Makes the decoder of one child: limits first, from the header alone, then pixels.
 * @param side the longest that a side of the frame may be, in pixels, but for panoramas: see `longSideFor`
 */
export function openPhotoDecoder(side = longSide): (path: string, limits: PhotoLimits) => Promise<DecodedPhoto> {
  hardenSharp();
  const decodeHeic = openHeicDecoder();
  return async (path, limits) => {
    if ((await stat(path)).size > limits.fileBytes) throw new PhotoTooBig('fileBytes');
    const mime = (await fileTypeFromFile(path))?.mime;
    if (!mime || !photoTypes.has(mime)) throw new PhotoRefused('UNSUPPORTED');
    const file = (await readAsStill(path)) ?? path;
    const options = hardened(limits);
    const metadata = await refusing(() => sharp(file, options).metadata());
    checkSize(metadata, limits);
    const colours = await readColours(metadata, path);
    const source = { file, metadata, colours, options, limits, side };
    const read = metadata.compression === 'hevc' ? readHevc(decodeHeic, source) : readPhoto(source, path);
    const described = { mime: mime.replace('-sequence', ''), ...uprightSize(metadata) };
    return { frame: await read, ...described, removed: findPersonalMetadata(metadata) };
  };
}

/** What a file says in numbers of its colours. */
async function readColours({ format }: Metadata, path: string): Promise<CodedColours | undefined> {
  if (format === 'heif') return readHeifColours(path);
  return format === 'png' ? readPngColours(path) : undefined;
}

function hardened({ pixels }: PhotoLimits): SharpOptions {
  // Libvips counts what it must hold; the exact limit is checked from the header, with its own answer.
  return { failOn: 'error', limitInputPixels: Math.ceil(1.1 * pixels) };
}

function checkSize({ format, compression, width, height }: Metadata, limits: PhotoLimits): void {
  if (!width || !height) throw new PhotoRefused('CORRUPT');
  if (Math.max(width, height) > limits.sidePx) throw new PhotoTooBig('sidePx');
  const heif = compression === 'av1' ? 'avifPixels' : 'heicPixels';
  const limit = format === 'heif' ? heif : 'pixels';
  if (width * height > limits[limit]) throw new PhotoTooBig(limit);
}

/** Everything that libvips decodes by itself. A JPEG that ends before its mark is whole where nothing else is missing. */
async function readPhoto(source: Source, path: string): Promise<Frame> {
  try {
    return await refusing(() => readLight(source));
  } catch (error) {
    const isCorrupt = error instanceof PhotoRefused && error.code === 'CORRUPT';
    const whole = isCorrupt && source.metadata.format === 'jpeg' ? await readWithEnd(path) : undefined;
    if (whole === undefined) throw error;
    return refusing(() => readLight({ ...source, file: whole, options: { ...source.options, failOn: 'warning' } }));
  }
}

async function readLight({ file, metadata, colours, options, side }: Source): Promise<Frame> {
  const isCoded = colours !== undefined && needsConverting(colours) && (isHdr(colours) || !metadata.hasProfile);
  // A profile knows nothing of HDR: one beside it is for who does not either.
  const opened = sharp(file, { ...options, ignoreIcc: isCoded }).autoOrient();
  const long = longSideFor(uprightSize(metadata), side);
  return isCoded ? toSrgb(await readCoded(opened, long, metadata), colours) : readFrame(opened, long);
}

/** Sharp's own binary knows the container but not HEVC. */
async function readHevc(decode: HeicDecoder | undefined, source: Source): Promise<Frame> {
  if (!decode) throw new PhotoRefused('UNSUPPORTED');
  const { file, metadata, colours, options, limits, side } = source;
  const most = { pixels: limits.heicPixels, side };
  return refusing(async () => {
    const bytes = typeof file === 'string' ? await readFile(file) : file;
    if (colours !== undefined && isHdr(colours)) return toSrgb(await decode.toCoded(bytes, most), colours);
    const tiff = await decode.toTiff(bytes, metadata.icc, most);
    // Upright already: turning it again would lay it on its side.
    const frame = await readFrame(sharp(tiff, options), longSideFor(metadata, side));
    if (colours === undefined || metadata.hasProfile || !needsConverting(colours)) return frame;
    return toSrgb({ ...frame, levels: frame.rgb, most: 255 }, colours);
  });
}

async function readFrame(opened: Sharp, long: number): Promise<Frame> {
  const { data, info } = await opened
    .resize(long, long, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new Error(`${info.channels} channels in an sRGB frame`);
  return { width: info.width, height: info.height, rgb: data };
}

/** Levels as they are coded. libvips shifts them to the left of 16 bits. */
async function readCoded(opened: Sharp, long: number, { bitsPerSample = 8 }: Metadata): Promise<CodedPixels> {
  // Fewer than eight, and those of a palette, are eight by now.
  const bits = Math.max(8, bitsPerSample);
  const { data, info } = await opened
    .resize(long, long, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .toColourspace('rgb16')
    .removeAlpha()
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new Error(`${info.channels} channels in a frame of 16 bits`);
  const levels = new Uint16Array(data.buffer, data.byteOffset, data.length / 2);
  return { width: info.width, height: info.height, levels, most: (2 ** bits - 1) << (16 - bits) };
}

function uprightSize({ autoOrient, compression, width, height }: Metadata): { width: number; height: number } {
  return compression === 'hevc' ? { width, height } : { width: autoOrient.width, height: autoOrient.height };
}

/** Whatever a decoder says about a file is that file's fault. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooManyPixels) throw new PhotoTooBig('heicPixels', error);
    const isTooBig = /exceeds pixel limit|allocation failed|out of memory/.test((error as Error).message);
    throw isTooBig ? new PhotoTooBig('pixels', error) : new PhotoRefused('CORRUPT', error);
  }
}
