import type { Locator } from '@playwright/test';
import sharp from 'sharp';

/*
 * What a place on the screen shows, in numbers: also of canvases whose pixels no script of the page can read.
 */

/** Colours of a place, so coarse that only what it shows counts; RGB, row by row. */
const [columns, rows] = [48, 24];

export const levelsOf = (picture: Buffer): Promise<Buffer> =>
  sharp(picture).resize(columns, rows, { fit: 'fill' }).removeAlpha().raw().toBuffer();

/** What is to be seen of a place now. */
export const readLevels = async (place: Locator): Promise<Buffer> =>
  levelsOf(await place.screenshot({ animations: 'disabled' }));

/** One of so many parts beside each other. */
export function partOf(levels: Buffer, n: number, count: number): Buffer {
  const [from, to] = [n, n + 1].map((part) => 3 * Math.round((part * columns) / count));
  return Buffer.concat(Array.from({ length: rows }, (_, row) => levels.subarray(3 * columns * row).subarray(from, to)));
}

/** Colours that are further apart are something that was drawn; two places of which they are show two pictures. */
const [leastSpread, leastApart] = [10, 2];

/** Whether something is there, and not one colour. */
export function isDrawn(levels: Buffer): boolean {
  const means = [0, 1, 2].map((channel) => {
    const own = levels.filter((_, i) => i % 3 === channel);
    return own.reduce((sum, level) => sum + level, 0) / own.length;
  });
  const squares = levels.reduce((sum, level, i) => sum + (level - (means[i % 3] ?? 0)) ** 2, 0);
  return Math.sqrt(squares / levels.length) > leastSpread;
}

/** Whether they show two pictures. */
export const areTwo = (one: Buffer, other: Buffer): boolean =>
  one.reduce((sum, level, i) => sum + Math.abs(level - (other[i] ?? 0)), 0) / one.length > leastApart;
