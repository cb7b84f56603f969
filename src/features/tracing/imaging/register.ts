import { longSideFor } from '#features/media/formats/rendition-size.ts';
import { type Features, findFeatures, type Match, matchFeatures, matOf, scaled } from './features.ts';
import { compose, type Homography, isPlausible, scaleOf, zoom } from './homography.ts';
import { shareAlike } from './likeness.ts';
import type { Luma } from './luma.ts';
import { freeing, type Mat, type OpenCv } from './open-cv.ts';
import { findSpanning } from './spanning.ts';

/** The long sides at which a leak is compared with a reference of `referenceSide`, but for panoramas: see `longSideFor`. */
const leakSides = [1024, 600, 1600] as const;
const referenceSide = 1024;
/** So many agreeing features are a match; with more of them no further size, or nothing at all, is tried. */
const [fewestInliers, goodInliers, plentyInliers] = [10, 60, 250];
/** Below this correlation the refinement is thrown away: on smooth or pasted-over photos it drifts. */
const refinedSurely = 0.9;

/** A leak in OpenCV's memory with what was found in it so far. */
export interface LeakPicture {
  full: Mat;
  /** One size of it, as it is or mirrored; kept for the next candidate. */
  view(side: number, isMirrored: boolean): View;
  delete(): void;
}
interface View {
  mat: Mat;
  scale: number;
  features: Features;
}

/** A candidate's picture, ready to be looked for. */
export interface Wanted {
  mat: Mat;
  scale: number;
  features: Features;
  width: number;
  height: number;
  delete(): void;
}

/** Where a picture lies in a leak. */
export interface Registration {
  inliers: number;
  isMirrored: boolean;
  /** From the picture's pixels to those of the leak (mirrored first, where it is). */
  homography: Homography;
  /** Where else it may lie when few features tell: each is worth a look at its tiles. */
  others?: readonly Homography[];
}

/** A panorama is kept as sharp beside its rendition as other photos are. */
const scaleTo = (size: { width: number; height: number }, side: number): number =>
  Math.max(side, longSideFor(size, side)) / Math.max(size.width, size.height);

/** Takes a leak in. */
export function openLeakPicture(cv: OpenCv, leak: Luma): LeakPicture {
  const full = matOf(cv, leak);
  const views = new Map<string, View>();
  const makeView = (side: number, isMirrored: boolean): View => {
    const scale = Math.min(2, scaleTo({ width: full.cols, height: full.rows }, side));
    const mat = scaled(cv, full, scale);
    if (isMirrored) cv.flip(mat, mat, 1);
    return { mat, scale, features: findFeatures(cv, mat) };
  };
  return {
    full,
    view(side, isMirrored) {
      const name = `${side} ${isMirrored}`;
      const view = views.get(name) ?? makeView(side, isMirrored);
      views.set(name, view);
      return view;
    },
    delete() {
      full.delete();
      for (const { mat, features } of views.values()) for (const each of [mat, features.descriptors]) each.delete();
    },
  };
}

/** Prepares a picture that is to be found in leaks. */
export function openWanted(cv: OpenCv, picture: Luma): Wanted {
  const { width, height } = picture;
  const scale = scaleTo(picture, referenceSide);
  const mat = freeing((keep) => scaled(cv, keep(matOf(cv, picture)), scale));
  const features = findFeatures(cv, mat);
  return {
    mat,
    scale,
    features,
    width,
    height,
    delete() {
      for (const each of [mat, features.descriptors]) each.delete();
    },
  };
}

interface Best extends Match {
  view: View;
  isMirrored: boolean;
  /** Nothing speaks for it but what the picture itself will show there. */
  isGuess?: boolean;
}

/** Looks for a picture in a leak at several sizes, as it is and mirrored. */
export function findWanted(cv: OpenCv, wanted: Wanted, leak: LeakPicture): Best | undefined {
  let best: Best | undefined;
  for (const side of leakSides) {
    for (const isMirrored of [false, true]) {
      const found = findIn(cv, wanted, leak, side, isMirrored);
      if ((found?.inliers ?? 0) > (best?.inliers ?? 0)) best = found;
      if (best && best.inliers >= plentyInliers) return best;
    }
    if (best && best.inliers >= goodInliers) return best;
  }
  return best;
}

function findIn(
  cv: OpenCv,
  { features, mat }: Wanted,
  leak: LeakPicture,
  side: number,
  isMirrored: boolean,
): Best | undefined {
  const view = leak.view(side, isMirrored);
  const match = matchFeatures(cv, features, view.features);
  if (!match || match.inliers < fewestInliers || !isPlausible(match.homography, mat.cols, mat.rows)) return;
  return { ...match, view, isMirrored };
}

/** Finds a picture in a leak, to a fraction of a pixel: by its features, or as the whole of the leak when it has too few. */
export function register(cv: OpenCv, wanted: Wanted, leak: LeakPicture): Registration | undefined {
  const found = findWanted(cv, wanted, leak);
  const isSure = found !== undefined && found.inliers >= goodInliers;
  const guesses = isSure ? [] : guessesOf(cv, wanted, leak, found);
  for (const start of [...(found ? [found] : []), ...guesses]) {
    const fine = refine(cv, wanted, start);
    if (!isAlike(cv, wanted, start, fine)) continue;
    const { inliers, isMirrored, view } = start;
    const inLeak = (homography: Homography, scale: number) =>
      compose(zoom(1 / scale), compose(homography, zoom(wanted.scale)));
    const others = [
      ...(start.upright && !isSure ? [inLeak(start.upright, view.scale)] : []),
      ...guesses
        .filter((guess) => guess.isMirrored === isMirrored)
        .map((guess) => inLeak(guess.homography, guess.view.scale)),
    ];
    return { inliers, isMirrored, homography: inLeak(fine, view.scale), others };
  }
  return;
}

/** Returns where a picture lies when features do not say: it is the whole of the leak, or it spans the screen. */
function guessesOf(cv: OpenCv, wanted: Wanted, leak: LeakPicture, found: Best | undefined): Best[] {
  const whole = wholeOf(wanted, leak, found);
  return whole.length > 0 ? whole : spanningOf(cv, wanted, leak, leakSides[0]);
}

/** How surely a picture may be in a leak: by the features that agree, or hardly when it only fits the screen from side to side. */
export function countAgreeing(cv: OpenCv, wanted: Wanted, leak: LeakPicture): number {
  const found = findWanted(cv, wanted, leak);
  return found?.inliers ?? (spanningOf(cv, wanted, leak, leakSides[1]).length > 0 ? 1 : 0);
}

/** The picture as a screen shows it that it spans, as it is and mirrored. */
function spanningOf(cv: OpenCv, { mat }: Wanted, leak: LeakPicture, side: number): Best[] {
  return [false, true].flatMap((isMirrored) => {
    const view = leak.view(side, isMirrored);
    const guess = { inliers: 0, upright: undefined, isMirrored, isGuess: true, view };
    return findSpanning(cv, mat, view.mat).map(({ homography, box }) => ({
      ...guess,
      homography: [...homography],
      box,
    }));
  });
}

/** Pictures may be cut so little that nobody sees it. */
const sameShape = 0.02;

/**
 * A plain wall or sky has no features, and a tiny copy has lost them; but a copy of the whole lies where it lies. Where some features do
 * agree, which they may elsewhere, the picture itself has to speak for it.
 */
function wholeOf({ mat }: Wanted, leak: LeakPicture, found: Best | undefined): Best[] {
  const [side] = leakSides;
  const { cols, rows } = leak.view(side, false).mat;
  if (Math.abs((cols * mat.rows) / (rows * mat.cols) - 1) > sameShape) return [];
  const homography = zoom(cols / mat.cols, rows / mat.rows);
  return [false, true].map((isMirrored) => ({
    inliers: 0,
    isMirrored,
    isGuess: found !== undefined,
    homography,
    upright: undefined,
    box: [0, 0, cols - 1, rows - 1],
    view: leak.view(side, isMirrored),
  }));
}

/**
 * Of the places where features agreed the picture itself must agree in so many; between different photos it does in hardly any. Where
 * few features agree they lie close together, and what is of one kind, as hills below a sky, agrees in half of so small a place.
 */
const [leastAlike, leastAlikeOfFew] = [0.5, 0.7];

/** Returns whether the leak shows the wanted picture, or features only happened to lie alike: busy pictures have some of those. */
function isAlike(cv: OpenCv, { mat }: Wanted, start: Best, homography: Homography): boolean {
  const { view, box, inliers, isGuess = false } = start;
  return freeing((keep) => {
    const matrix = keep(cv.matFromArray(3, 3, cv.CV_64F, [...homography]));
    const [laid, mask, size] = [keep(new cv.Mat()), keep(new cv.Mat()), new cv.Size(mat.cols, mat.rows)];
    const lay = (from: Mat, to: Mat) => {
      const flags = cv.INTER_CUBIC | cv.WARP_INVERSE_MAP;
      cv.warpPerspective(from, to, matrix, size, flags, cv.BORDER_CONSTANT, new cv.Scalar(0));
    };
    lay(view.mat, laid);
    lay(keep(boxMask(cv, view.mat, box)), mask);
    const share = shareAlike({ one: mat.data, other: laid.data, mask: mask.data, width: mat.cols, height: mat.rows });
    const isOfFew = isGuess || (inliers > 0 && inliers < goodInliers);
    const least = isOfFew ? leastAlikeOfFew : leastAlike;
    return share === undefined ? !isGuess : share >= least;
  });
}

/**
 * Enhanced correlation (Evangelidis and Psarakis 2008), looking only into the box where features agreed: borders, bars and frames
 * would pull it away.
 */
function refine(cv: OpenCv, wanted: Wanted, { homography, box, view }: Best): Homography {
  const unrefined = homography.map((value) => value / (homography[8] as number));
  return freeing((keep) => {
    const warp = keep(cv.matFromArray(3, 3, cv.CV_32F, unrefined));
    const inside = keep(boxMask(cv, view.mat, box));
    const until = new cv.TermCriteria(3, 25, 1e-5);
    try {
      const sureness = cv.findTransformECC(wanted.mat, view.mat, warp, cv.MOTION_HOMOGRAPHY, until, inside, 5);
      const refined = Array.from(warp.data32F);
      return sureness > refinedSurely && isPlausible(refined, wanted.mat.cols, wanted.mat.rows) ? refined : unrefined;
    } catch (error) {
      // OpenCV throws a number when it does not converge; then what the features say stands.
      if (typeof error === 'number') return unrefined;
      throw error;
    }
  });
}

/** 255 inside a box of a picture, 0 outside. */
function boxMask(cv: OpenCv, { rows, cols }: Mat, [left, top, right, bottom]: Match['box']): Mat {
  const inside = new cv.Mat(rows, cols, cv.CV_8UC1, new cv.Scalar(0));
  for (let y = Math.max(0, top); y <= Math.min(rows - 1, bottom); y++)
    inside.data.fill(255, y * cols + Math.max(0, left), y * cols + Math.min(cols - 1, right) + 1);
  return inside;
}

/** The leak, laid over the picture it was registered to. */
export interface Overlay {
  luma: Luma;
  /** 255 where the leak reaches, 0 elsewhere. */
  mask: Uint8Array;
  /** Leak pixels a picture pixel. */
  scale: number;
}

/** Warps the leak back onto a picture of this size. */
export function overlay(
  cv: OpenCv,
  leak: Pick<LeakPicture, 'full'>,
  { homography, isMirrored }: Pick<Registration, 'homography' | 'isMirrored'>,
  width: number,
  height: number,
): Overlay {
  return freeing((keep) => {
    const from = isMirrored ? keep(new cv.Mat()) : leak.full;
    if (isMirrored) cv.flip(leak.full, from, 1);
    const matrix = keep(cv.matFromArray(3, 3, cv.CV_64F, [...homography]));
    const everywhere = keep(new cv.Mat(from.rows, from.cols, cv.CV_8UC1, new cv.Scalar(255)));
    const [laid, mask] = [keep(new cv.Mat()), keep(new cv.Mat())];
    const [size, nothing] = [new cv.Size(width, height), new cv.Scalar(0)];
    const [smooth, hard] = [cv.INTER_CUBIC | cv.WARP_INVERSE_MAP, cv.INTER_NEAREST | cv.WARP_INVERSE_MAP];
    cv.warpPerspective(from, laid, matrix, size, smooth, cv.BORDER_REPLICATE, nothing);
    cv.warpPerspective(everywhere, mask, matrix, size, hard, cv.BORDER_CONSTANT, nothing);
    const luma = { width, height, values: Float32Array.from(laid.data) };
    return { luma, mask: Uint8Array.from(mask.data), scale: scaleOf(homography, width, height) };
  });
}
