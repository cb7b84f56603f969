import { type Grid, type Tile, tilesOf } from '#features/media/formats/grid.ts';
import { compose, type Homography, isPlausible, zoom } from './homography.ts';
import { freeing, type Mat, type OpenCv } from './open-cv.ts';
import { topOf } from './peak.ts';
import type { LeakPicture, Registration, Wanted } from './register.ts';

/** The most of a tile that is looked for, in pixels of the wanted picture's small form. */
const mostPatchPx = 56;
/** A tile plainer than this deviation lies anywhere alike; one that fits worse is covered by something else. */
const [leastDeviation, leastFit] = [6, 0.6];
/** How far a tile may lie from where the others say it should, and how many must agree. */
const [strayPx, fewestTiles, leastShare] = [1.5, 12, 0.4];

/** A tile's middle in the wanted picture, and where it was found. */
interface Found {
  from: [x: number, y: number];
  to: [x: number, y: number];
}

/**
 * Looks for every tile near where a registration puts it, and lays the whole picture again through where the tiles are. Features
 * crowd where a picture is busy, and a small error there grows to many pixels in its corners; tiles are everywhere.
 * @param reachPx how far from its place a tile is looked for, in pixels of the wanted picture's small form
 * @returns undefined when too few tiles are found in one arrangement
 */
export function fitTiles(
  cv: OpenCv,
  { wanted, grid }: { wanted: Wanted; grid: Pick<Grid, 'columns' | 'rows' | 'xs' | 'ys'> },
  leak: Pick<LeakPicture, 'full'>,
  { homography, isMirrored }: Pick<Registration, 'homography' | 'isMirrored'>,
  reachPx: number,
): Homography | undefined {
  const { mat, scale } = wanted;
  const small = compose(homography, zoom(1 / scale));
  const found = freeing((keep) => {
    const laid = keep(layAround(cv, { leak: leak.full, isMirrored, homography: small, picture: mat, margin: reachPx }));
    const patches = tilesOf(grid).map((tile) => patchOf(tile, wanted));
    return patches.flatMap((patch) => findPatch(cv, mat, laid, patch, reachPx) ?? []);
  });
  const correction = fitCorrection(cv, found);
  if (!correction || !isPlausible(correction, mat.cols, mat.rows)) return;
  const fitted = compose(compose(small, correction), zoom(scale));
  return isPlausible(fitted, wanted.width, wanted.height) ? fitted : undefined;
}

/** The leak laid over a picture, and so much more of it on every side. */
function layAround(
  cv: OpenCv,
  what: { leak: Mat; isMirrored: boolean; homography: Homography; picture: Mat; margin: number },
): Mat {
  const { leak, isMirrored, picture, margin } = what;
  return freeing((keep) => {
    const from = isMirrored ? keep(new cv.Mat()) : leak;
    if (isMirrored) cv.flip(leak, from, 1);
    const shifted = compose(what.homography, [1, 0, -margin, 0, 1, -margin, 0, 0, 1]);
    const matrix = keep(cv.matFromArray(3, 3, cv.CV_64F, [...shifted]));
    const size = new cv.Size(picture.cols + 2 * margin, picture.rows + 2 * margin);
    const laid = new cv.Mat();
    const flags = cv.INTER_CUBIC | cv.WARP_INVERSE_MAP;
    cv.warpPerspective(from, laid, matrix, size, flags, cv.BORDER_CONSTANT, new cv.Scalar(0));
    return laid;
  });
}

interface Patch {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The middle of a tile in the small form of a picture. */
function patchOf(tile: Tile, { mat, scale }: Wanted): Patch {
  const [x, y] = [scale * (tile.left + tile.width / 2), scale * (tile.top + tile.height / 2)];
  const [width, height] = [tile.width, tile.height].map((px) => Math.min(mostPatchPx, Math.round(scale * px))) as [
    number,
    number,
  ];
  const within = (at: number, most: number) => Math.max(0, Math.min(most, Math.round(at)));
  return {
    left: within(x - width / 2, mat.cols - width),
    top: within(y - height / 2, mat.rows - height),
    width,
    height,
  };
}

function findPatch(cv: OpenCv, picture: Mat, laid: Mat, patch: Patch, reach: number): Found | undefined {
  const { left, top, width, height } = patch;
  if (deviationOf(picture, patch) < leastDeviation) return;
  return freeing((keep) => {
    const wanted = keep(picture.roi(new cv.Rect(left, top, width, height)));
    const around = keep(laid.roi(new cv.Rect(left, top, width + 2 * reach, height + 2 * reach)));
    const scores = keep(new cv.Mat());
    cv.matchTemplate(around, wanted, scores, cv.TM_CCOEFF_NORMED);
    const peak = peakOf(scores.data32F, scores.cols, scores.rows);
    if (!peak || peak.score < leastFit) return;
    const from: Found['from'] = [left + (width - 1) / 2, top + (height - 1) / 2];
    return { from, to: [from[0] + peak.x - reach, from[1] + peak.y - reach] };
  });
}

function deviationOf({ data, cols }: Mat, { left, top, width, height }: Patch): number {
  let [sum, squares] = [0, 0];
  for (let y = top; y < top + height; y++)
    for (let i = y * cols + left; i < y * cols + left + width; i++) {
      const value = data[i] as number;
      sum += value;
      squares += value * value;
    }
  const count = width * height;
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}

/** The highest score, to a fraction of a pixel; undefined at the edge, beyond which it may rise further. */
function peakOf(scores: Float32Array, cols: number, rows: number): { x: number; y: number; score: number } | undefined {
  let best = 0;
  for (let i = 1; i < scores.length; i++) if ((scores[i] as number) > (scores[best] as number)) best = i;
  const [x, y] = [best % cols, Math.floor(best / cols)];
  if (x === 0 || y === 0 || x === cols - 1 || y === rows - 1) return;
  const at = (offset: number) => scores[best + offset] as number;
  return { x: x + topOf(at(-1), at(0), at(1)), y: y + topOf(at(-cols), at(0), at(cols)), score: at(0) };
}

function fitCorrection(cv: OpenCv, found: readonly Found[]): number[] | undefined {
  if (found.length < fewestTiles) return;
  return freeing((keep) => {
    const [from, to] = [found.flatMap((each) => each.from), found.flatMap((each) => each.to)].map((points) =>
      keep(cv.matFromArray(found.length, 1, cv.CV_32FC2, points)),
    ) as [Mat, Mat];
    const chosen = keep(new cv.Mat());
    const fitted = keep(cv.findHomography(from, to, cv.RANSAC, strayPx, chosen, 2000, 0.999));
    const agreeing = chosen.data.reduce((count, isChosen) => count + (isChosen ? 1 : 0), 0);
    if (fitted.rows !== 3 || agreeing < Math.max(fewestTiles, leastShare * found.length)) return;
    return Array.from(fitted.data64F);
  });
}
