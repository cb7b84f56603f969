import { rgbaToThumbHash } from 'thumbhash';
import { blockhashOf, mirrorBlockhash } from '../blockhash.ts';
import { longSideFor } from '../formats/rendition-size.ts';
import type { Frame } from '../watermark/mask.ts';
import { inside, openFrame, readRgba } from './frame-pictures.ts';

/** The previews and perceptual hashes that are made of a photo besides its renditions. */
export type PhotoDerivatives = {
  /** Blurred WebP of 32 px, the only picture shown before access is granted. */
  teaser: Buffer;
  /** Placeholder of about 20 bytes, shown until the first tile has loaded. */
  thumbhash: Buffer;
  /** Perceptual hash of 256 bits, in hex; pictures that look alike differ in few bits. */
  blockhash: string;
  /** The blockhash of the mirrored picture. */
  mirroredBlockhash: string;
};

const teaserSidePx = 32;
const thumbhashSidePx = 100;

/** Makes the previews and hashes of a photo from its rendition of about 512 px. */
export async function makePhotoDerivatives(frame: Frame): Promise<PhotoDerivatives> {
  const small = await readRgba(inside(openFrame(frame), thumbhashSidePx));
  const blockhash = await blockhashOf(frame);
  return {
    teaser: await inside(openFrame(frame), teaserSidePx).blur(0.7).webp({ quality: 60, effort: 4 }).toBuffer(),
    thumbhash: Buffer.from(rgbaToThumbHash(small.width, small.height, small.data)),
    blockhash,
    mirroredBlockhash: mirrorBlockhash(blockhash),
  };
}

/** Scales a frame down for a rendition of `side` px; returns the frame itself if it is small enough. */
export async function shrinkFrame(frame: Frame, side: number): Promise<Frame> {
  const longSide = longSideFor(frame, side);
  if (Math.max(frame.width, frame.height) <= longSide) return frame;
  const { data, info } = await inside(openFrame(frame), longSide).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}
