import { fitUpright } from './homography.ts';
import { bytesOf, type Luma } from './luma.ts';
import { freeing, type Mat, type OpenCv } from './open-cv.ts';

/** A picture's corners and spots that are found again after scaling, turning and filtering. */
export interface Features {
  points: Float32Array;
  descriptors: Mat;
}

/** How a picture lies in another: a homography, row by row, and how well the features agree with it. */
export interface Match {
  inliers: number;
  homography: number[];
  /** The same without turning and tilting, through the same features: what a screen does to a picture. */
  upright: number[] | undefined;
  /** Where in the second picture they lie: left, top, right, bottom, without the outermost hundredths. */
  box: [number, number, number, number];
}

/** A second-best match nearly as good says that the best one is no match. */
const clearlyBest = 0.82;
/** How far a feature may lie from where the homography puts it. */
const reachPx = 3;
const fewestPairs = 8;

/** Puts a picture into OpenCV's memory, 8 bits a pixel. */
export function matOf(cv: OpenCv, picture: Luma): Mat {
  const mat = new cv.Mat(picture.height, picture.width, cv.CV_8UC1);
  mat.data.set(bytesOf(picture));
  return mat;
}

/** A new picture of `scale` times the size. */
export function scaled(cv: OpenCv, mat: Mat, scale: number): Mat {
  const to = new cv.Mat();
  const size = new cv.Size(Math.max(1, Math.round(mat.cols * scale)), Math.max(1, Math.round(mat.rows * scale)));
  cv.resize(mat, to, size, 0, 0, scale < 1 ? cv.INTER_AREA : cv.INTER_CUBIC);
  return to;
}

/** Oriented FAST and rotated BRIEF (Rublee et al. 2011) on evened contrast, so that filters and dark corners do not matter. */
export function findFeatures(cv: OpenCv, picture: Mat): Features {
  return freeing((keep) => {
    const orb = keep(new cv.ORB(2200, 1.2, 10, 15, 0));
    const clahe = keep(new cv.CLAHE(3, new cv.Size(8, 8)));
    const [even, noMask, found] = [keep(new cv.Mat()), keep(new cv.Mat()), keep(new cv.KeyPointVector())];
    const descriptors = new cv.Mat();
    clahe.apply(picture, even);
    orb.detectAndCompute(even, noMask, found, descriptors);
    const points = new Float32Array(2 * found.size());
    for (let i = 0; i < points.length; i += 2) {
      const { x, y } = found.get(i / 2).pt;
      points.set([x, y], i);
    }
    return { points, descriptors };
  });
}

/** Where the first picture lies in the second, when enough of its features are found there in one arrangement. */
export function matchFeatures(cv: OpenCv, first: Features, second: Features): Match | undefined {
  const pairs = pairFeatures(cv, first, second);
  if (pairs.from.length < 2 * fewestPairs) return;
  return freeing((keep) => {
    const from = keep(cv.matFromArray(pairs.from.length / 2, 1, cv.CV_32FC2, pairs.from));
    const to = keep(cv.matFromArray(pairs.to.length / 2, 1, cv.CV_32FC2, pairs.to));
    const chosen = keep(new cv.Mat());
    const found = keep(cv.findHomography(from, to, cv.RANSAC, reachPx, chosen, 4000, 0.999));
    const agreeing = Array.from(chosen.data).flatMap((isInlier, i) => (isInlier ? [i] : []));
    const [xs, ys] = [0, 1].map((axis) => agreeing.map((i) => pairs.to[2 * i + axis] as number)) as [
      number[],
      number[],
    ];
    if (found.rows !== 3 || xs.length === 0) return;
    const [left, right] = boundsOf(xs);
    const [top, bottom] = boundsOf(ys);
    const upright = fitUpright(
      agreeing.flatMap((i) => pairs.from.slice(2 * i, 2 * i + 2)),
      agreeing.flatMap((i) => pairs.to.slice(2 * i, 2 * i + 2)),
    );
    return { inliers: xs.length, homography: Array.from(found.data64F), upright, box: [left, top, right, bottom] };
  });
}

/** For every feature of the second picture its clearly best partner in the first, as coordinates. */
function pairFeatures(cv: OpenCv, first: Features, second: Features): { from: number[]; to: number[] } {
  const [from, to] = [[] as number[], [] as number[]];
  if (first.descriptors.rows < 2 || second.descriptors.rows < 2) return { from, to };
  freeing((keep) => {
    const matcher = keep(new cv.BFMatcher(cv.NORM_HAMMING, false));
    const pairs = keep(new cv.DMatchVectorVector());
    matcher.knnMatch(second.descriptors, first.descriptors, pairs, 2);
    for (let i = 0; i < pairs.size(); i++) {
      const pair = pairs.get(i);
      if (pair.size() === 2 && pair.get(0).distance < clearlyBest * pair.get(1).distance) {
        const { trainIdx, queryIdx } = pair.get(0);
        from.push(first.points[2 * trainIdx] as number, first.points[2 * trainIdx + 1] as number);
        to.push(second.points[2 * queryIdx] as number, second.points[2 * queryIdx + 1] as number);
      }
      pair.delete();
    }
  });
  return { from, to };
}

function boundsOf(values: number[]): [number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
  return [at(0.01), at(0.99)];
}
