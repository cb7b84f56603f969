import type { Locator } from '@playwright/test';
import sharp from 'sharp';

/*
 * What a place on the screen shows, in numbers: also of canvases whose pixels no script of the page can read.
 */

/** Colours of a place, so coarse that only what it shows counts; RGB, row by row. */
const [columns, rows] = [48, 24];

/** Returns what a picture's file shows. */
export const levelsOf = (picture: Buffer): Promise<Buffer> =>
  sharp(picture).resize(columns, rows, { fit: 'fill' }).removeAlpha().raw().toBuffer();

/** What is to be seen of a place now. */
export const readLevels = async (place: Locator): Promise<Buffer> =>
  levelsOf(await place.screenshot({ animations: 'disabled' }));

/** What each of so many parts of a picture beside each other shows; none of them sees its neighbours. */
export async function levelsOfParts(picture: Buffer, count: number): Promise<Buffer[]> {
  const { width, height } = await sharp(picture).metadata();
  const wide = Math.floor(width / count);
  const parts = Array.from({ length: count }, (_, n) => ({ left: n * wide, top: 0, width: wide, height }));
  return Promise.all(parts.map(async (part) => levelsOf(await sharp(picture).extract(part).png().toBuffer())));
}

/** Colours that differ by more are something that was drawn. */
const leastSpread = 10;

/** Returns whether something is there, and not one colour. */
export function isDrawn(levels: Buffer): boolean {
  const means = [0, 1, 2].map((channel) => {
    const own = levels.filter((_, i) => i % 3 === channel);
    return own.reduce((sum, level) => sum + level, 0) / own.length;
  });
  const squares = levels.reduce((sum, level, i) => sum + (level - (means[i % 3] ?? 0)) ** 2, 0);
  return Math.sqrt(squares / levels.length) > leastSpread;
}

/** Returns how far two of them are apart, in levels of 255: 0 where both show the same. */
export const apartOf = (one: Buffer, other: Buffer): number =>
  one.reduce((sum, level, i) => sum + Math.abs(level - (other[i] ?? 0)), 0) / one.length;
