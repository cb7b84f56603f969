import { readFile, stat } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { type HeicDecoder, openHeicDecoder, TooManyPixels } from './decoding/heic.ts';
import { findPersonalMetadata, type RemovedMetadata } from './decoding/personal-metadata.ts';
import type { PhotoFailure, PhotoLimit, PhotoLimits } from './photo-shapes.ts';
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

/** Long side of the largest rendition. */
const longSide = 2048;

/** What a photo's bytes may be, whatever its name says. */
const photoTypes = new Set(
  ['jpeg', 'png', 'webp', 'gif', 'avif', 'heic', 'heif', 'tiff'].map((type) => `image/${type}`),
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

/**
 * Makes the decoder of one child: limits first, from the header alone, then pixels.
 * @param side the longest that a side of the frame may be, in pixels
 */
export function openPhotoDecoder(side = longSide): (file: string, limits: PhotoLimits) => Promise<DecodedPhoto> {
  hardenSharp();
  const decodeHeic = openHeicDecoder();
  return async (file, limits) => {
    if ((await stat(file)).size > limits.fileBytes) throw new PhotoTooBig('fileBytes');
    const mime = (await fileTypeFromFile(file))?.mime;
    if (!mime || !photoTypes.has(mime)) throw new PhotoRefused('UNSUPPORTED');
    const metadata = await refusing(() => sharp(file, hardened(limits)).metadata());
    checkSize(metadata, limits);
    const opened =
      metadata.compression === 'hevc'
        ? await openHevc(decodeHeic, file, metadata, { limits, side })
        : sharp(file, hardened(limits)).autoOrient();
    const frame = await refusing(() => readFrame(opened, side));
    return { frame, mime, ...uprightSize(metadata), removed: findPersonalMetadata(metadata) };
  };
}

function hardened({ pixels }: PhotoLimits) {
  // Libvips counts what it must hold; the exact limit is checked from the header, with its own answer.
  return { failOn: 'error', limitInputPixels: Math.ceil(1.1 * pixels) } as const;
}

function checkSize({ format, compression, width, height }: Metadata, limits: PhotoLimits): void {
  if (!width || !height) throw new PhotoRefused('CORRUPT');
  if (Math.max(width, height) > limits.sidePx) throw new PhotoTooBig('sidePx');
  const heif = compression === 'av1' ? 'avifPixels' : 'heicPixels';
  const limit = format === 'heif' ? heif : 'pixels';
  if (width * height > limits[limit]) throw new PhotoTooBig(limit);
}

/** Sharp's own binary knows the container but not HEVC. */
async function openHevc(
  decode: HeicDecoder | undefined,
  file: string,
  { icc }: Metadata,
  { limits, side }: { limits: PhotoLimits; side: number },
): Promise<Sharp> {
  if (!decode) throw new PhotoRefused('UNSUPPORTED');
  const tiff = await refusing(async () => decode(await readFile(file), icc, { pixels: limits.heicPixels, side }));
  // Upright already: turning it again would lay it on its side.
  return sharp(tiff, hardened(limits));
}

async function readFrame(opened: Sharp, side: number): Promise<Frame> {
  const { data, info } = await opened
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 3) throw new Error(`${info.channels} channels in an sRGB frame`);
  return { width: info.width, height: info.height, rgb: data };
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
