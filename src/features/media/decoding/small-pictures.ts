import { rgbaToThumbHash } from 'thumbhash';
import { blockhashOf, mirrorBlockhash } from '../blockhash.ts';
import { longSideFor } from '../formats/rendition-size.ts';
import type { Frame } from '../watermark/mask.ts';
import { inside, openFrame, readRgba } from './frame-pictures.ts';

/** What is made of a photo beside its renditions. */
export type SmallPictures = {
  /** WebP of 32 px: all that anybody sees before access. */
  teaser: Buffer;
  /** About 20 bytes, drawn before the first tile has come. */
  thumbhash: Buffer;
  /** 256 bits in hex, and those of the mirrored picture; equal pictures differ in few. */
  blockhash: string;
  mirroredBlockhash: string;
};

const [teaserSide, thumbhashSide] = [32, 100];

/** Makes them from a rendition of about 512 px. */
export async function makeSmallPictures(frame: Frame): Promise<SmallPictures> {
  const small = await readRgba(inside(openFrame(frame), thumbhashSide));
  const blockhash = await blockhashOf(frame);
  return {
    teaser: await inside(openFrame(frame), teaserSide).blur(0.7).webp({ quality: 60, effort: 4 }).toBuffer(),
    thumbhash: Buffer.from(rgbaToThumbHash(small.width, small.height, small.data)),
    blockhash,
    mirroredBlockhash: mirrorBlockhash(blockhash),
  };
}

/** Scales a frame down to a rendition of `side`. */
export async function shrinkFrame(frame: Frame, side: number): Promise<Frame> {
  const long = longSideFor(frame, side);
  if (Math.max(frame.width, frame.height) <= long) return frame;
  const { data, info } = await inside(openFrame(frame), long).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}
