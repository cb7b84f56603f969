import { bmvbhashEven } from 'blockhash-core';
import { openFrame, readRgba } from './decoding/frame-pictures.ts';
import type { Frame } from './watermark/mask.ts';

const [blockhashSide, blockhashCells] = [256, 16];

/** What is equal, but for a few bits, in pictures that look alike. */
export async function blockhashOf(frame: Frame): Promise<string> {
  const square = await readRgba(openFrame(frame).resize(blockhashSide, blockhashSide, { fit: 'fill' }));
  return bmvbhashEven(square, blockhashCells);
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
