import { compose, cornersOf, mirror, zoom } from '../imaging/homography.ts';
import type { OpenCv } from '../imaging/open-cv.ts';
import { type ReadTiles, readTiles } from '../imaging/read-tiles.ts';
import type { Reference } from '../imaging/reference.ts';
import { type LeakPicture, openWanted, overlay, register, type Wanted } from '../imaging/register.ts';

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
export function readItem(cv: OpenCv, leak: LeakPicture, { wanted, references }: Item): ItemInLeak | undefined {
  const found = register(cv, wanted, leak);
  if (!found) return;
  const readings = references.map((reference) => {
    const { width, height } = reference.picture;
    const homography = compose(found.homography, zoom(wanted.width / width, wanted.height / height));
    return readTiles(reference, overlay(cv, leak, { ...found, homography }, width, height));
  });
  const { cols, rows } = leak.full;
  const seen = found.isMirrored ? compose(mirror(cols), found.homography) : found.homography;
  const corners = cornersOf(seen, wanted.width, wanted.height);
  return {
    inliers: found.inliers,
    isMirrored: found.isMirrored,
    corners: corners.map(({ x, y }) => [(x + 0.5) / cols, (y + 0.5) / rows]),
    readings,
  };
}
