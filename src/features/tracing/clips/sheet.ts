import type { Size } from './clip-job.ts';

/** How pictures of one size are laid side by side: about as wide as it is high. */
export interface Sheet extends Size {
  columns: number;
}

/** The sheet on which so many pictures lie, row by row. */
export function sheetOf({ width, height }: Size, pictures: number): Sheet {
  const columns = pictures > 2 || (pictures === 2 && height > width) ? 2 : 1;
  return { columns, width: columns * width, height: Math.ceil(pictures / columns) * height };
}

/** Not larger than a square, and never enlarged. */
export function fitInto(sidePx: number, { width, height }: Size): Size {
  const scale = Math.min(1, sidePx / Math.max(width, height));
  return { width: Math.max(1, Math.round(scale * width)), height: Math.max(1, Math.round(scale * height)) };
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/** Returns what a PNG says of its size; undefined for anything else. @see W3C PNG §5.2 and §11.2.1 */
export function sizeOfPng(bytes: Buffer): Size | undefined {
  const isPng =
    bytes.length >= 33 && bytes.subarray(0, 8).equals(signature) && bytes.toString('latin1', 12, 16) === 'IHDR';
  return isPng ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : undefined;
}
