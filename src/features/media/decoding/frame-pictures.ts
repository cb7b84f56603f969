import sharp, { type Sharp } from 'sharp';
import type { Frame } from '../watermark/mask.ts';

/** A frame for sharp. */
export function openFrame({ width, height, rgb }: Frame): Sharp {
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}

/** Scaled down until neither side is longer than `side`. */
export function inside(picture: Sharp, side: number): Sharp {
  return picture.resize(side, side, { fit: 'inside', withoutEnlargement: true });
}

/** Its pixels with alpha. */
export async function readRgba(picture: Sharp): Promise<{ width: number; height: number; data: Buffer }> {
  const { data, info } = await picture.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}
