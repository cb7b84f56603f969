import { compose, cornersOf, type Homography, mirror, zoom } from '../imaging/homography.ts';
import type { OpenCv } from '../imaging/open-cv.ts';
import { type ReadTiles, readTiles } from '../imaging/read-tiles.ts';
import type { Reference } from '../imaging/reference.ts';
import {
  type LeakPicture,
  openWanted,
  overlay,
  type Registration,
  register,
  type Wanted,
} from '../imaging/register.ts';
import { fitTiles } from '../imaging/tile-fit.ts';
import { steadyCap } from '../verdict/score.ts';

/** An item in all its renditions, ready to be looked for. */
export interface Item {
  wanted: Wanted;
  references: readonly Reference[];
}

/** An item that was found, and what its tiles say. */
export interface ItemInLeak {
  /** Features that agree on where it lies; 0 when it was recognised as a whole. */
  inliers: number;
  isMirrored: boolean;
  /** Where its corners lie, clockwise from its upper left, as shares of the leak's width and height. */
  corners: [x: number, y: number][];
  /** In the order of the references. */
  readings: ReadTiles[];
}

/** @param references the largest rendition first: it is registered, and the others, which show the same photo, lie where it lies */
export function openItem(cv: OpenCv, references: readonly Reference[]): Item {
  const [first] = references;
  if (!first) throw new RangeError('an item without a rendition');
  return { wanted: openWanted(cv, first.picture), references };
}

/** Finds an item in a leak and reads all its renditions. */
export function readItem(cv: OpenCv, leak: LeakPicture, item: Item): ItemInLeak | undefined {
  const found = register(cv, item.wanted, leak);
  if (!found) return;
  const { homography, first } = readCloser(cv, leak, item, found);
  const rest = item.references.slice(1).map((reference) => readAt(cv, leak, item, { ...found, homography }, reference));
  const { width, height } = item.wanted;
  const { cols, rows } = leak.full;
  const seen = found.isMirrored ? compose(mirror(cols), homography) : homography;
  return {
    inliers: found.inliers,
    isMirrored: found.isMirrored,
    corners: cornersOf(seen, width, height).map(({ x, y }) => [(x + 0.5) / cols, (y + 0.5) / rows]),
    readings: [first, ...rest],
  };
}

/** Reads one rendition where the largest one lies. */
export function readAt(
  cv: OpenCv,
  leak: LeakPicture,
  { wanted }: Item,
  found: Registration,
  reference: Reference,
): ReadTiles {
  const { width, height } = reference.picture;
  const homography = compose(found.homography, zoom(wanted.width / width, wanted.height / height));
  return readTiles(reference, overlay(cv, leak, { ...found, homography }, width, height));
}

/** How far tiles are looked for, round by round, in pixels of the wanted picture's small form. */
const reachesPx = [24, 8, 4];
/** Where so many of the tiles in sight say all that they may, nothing is left to gain. */
const clearShare = 0.8;

/**
 * Reads the largest rendition, and lays it again over its tiles until they say no more than before. What tiles say is weighed without
 * its sign, and so without any codeword: chance alone helps nobody's codeword by it.
 */
export function readCloser(
  cv: OpenCv,
  leak: LeakPicture,
  item: Item,
  found: Registration,
): { homography: Homography; first: ReadTiles } {
  const [reference] = item.references as [Reference];
  let best = { homography: found.homography, first: readAt(cv, leak, item, found, reference) };
  for (const homography of found.others ?? []) {
    if (isClear(best.first)) break;
    const first = readAt(cv, leak, item, { ...found, homography }, reference);
    if (saidBy(first) > saidBy(best.first)) best = { homography, first };
  }
  for (const reachPx of reachesPx) {
    if (isClear(best.first)) break;
    const laid = { ...found, homography: best.homography };
    const homography = fitTiles(cv, { wanted: item.wanted, grid: reference.grid }, leak, laid, reachPx);
    if (!homography) break;
    const first = readAt(cv, leak, item, { ...found, homography }, reference);
    if (saidBy(first) <= saidBy(best.first)) break;
    best = { homography, first };
  }
  return best;
}

/** Returns how much all tiles say together, for whichever variant; no tile more than it may. */
const saidBy = ({ z }: ReadTiles) => z.reduce((sum, value) => sum + Math.min(steadyCap, Math.abs(value)), 0);

function isClear({ z, visible }: ReadTiles): boolean {
  const shown = z.filter((_, tile) => (visible[tile] as number) > 0);
  return shown.filter((value) => Math.abs(value) >= steadyCap).length >= clearShare * shown.length;
}
