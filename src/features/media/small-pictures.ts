import { bmvbhashEven } from 'blockhash-core';
import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { Frame } from './mask.ts';

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

const [teaserSide, thumbhashSide, blockhashSide, blockhashCells] = [32, 100, 256, 16];

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

/** What is equal, but for a few bits, in pictures that look alike. */
export async function blockhashOf(frame: Frame): Promise<string> {
  const square = await readRgba(openFrame(frame).resize(blockhashSide, blockhashSide, { fit: 'fill' }));
  return bmvbhashEven(square, blockhashCells);
}

/** Scales a frame down so that neither side is longer than `side`. */
export async function shrinkFrame(frame: Frame, side: number): Promise<Frame> {
  if (Math.max(frame.width, frame.height) <= side) return frame;
  const { data, info } = await inside(openFrame(frame), side).raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}

/**
 * The blockhash of the mirrored picture: every row of cells read backwards. (A cell is compared with the median of its band of
 * whole rows, which mirroring does not change.)
 */
export function mirrorBlockhash(blockhash: string): string {
  const digits = blockhashCells / 4;
  const rows = blockhash.match(new RegExp(`.{${digits}}`, 'g')) ?? [];
  return rows.map((row) => Array.from(row, reverseDigit).reverse().join('')).join('');
}

function reverseDigit(digit: string): string {
  const bits = Number.parseInt(digit, 16).toString(2).padStart(4, '0');
  return Number.parseInt(Array.from(bits).reverse().join(''), 2).toString(16);
}

function openFrame({ width, height, rgb }: Frame): Sharp {
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}

function inside(picture: Sharp, side: number): Sharp {
  return picture.resize(side, side, { fit: 'inside', withoutEnlargement: true });
}

async function readRgba(picture: Sharp): Promise<{ width: number; height: number; data: Buffer }> {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}
