import { createRequire } from 'node:module';

/** A picture or matrix in OpenCV's own memory: no garbage collector frees it, `delete` does. */
export interface Mat {
  rows: number;
  cols: number;
  data: Uint8Array;
  data32F: Float32Array;
  data64F: Float64Array;
  /** A part of it, in the same memory. */
  roi(part: object): Mat;
  delete(): void;
}
interface KeyPoints {
  size(): number;
  get(index: number): { pt: { x: number; y: number } };
  delete(): void;
}
interface Match {
  queryIdx: number;
  trainIdx: number;
  distance: number;
}
interface MatchPairs {
  size(): number;
  get(index: number): { size(): number; get(index: number): Match; delete(): void };
  delete(): void;
}

/** The part of OpenCV that registration uses. */
export interface OpenCv {
  Mat: new (rows?: number, cols?: number, type?: number, fill?: object) => Mat;
  Size: new (width: number, height: number) => object;
  Rect: new (left: number, top: number, width: number, height: number) => object;
  Scalar: new (...values: number[]) => object;
  TermCriteria: new (type: number, count: number, epsilon: number) => object;
  KeyPointVector: new () => KeyPoints;
  DMatchVectorVector: new () => MatchPairs;
  /** At most five arguments: the full constructor throws, because its score type is not bound. */
  ORB: new (
    features: number,
    scaleFactor: number,
    levels: number,
    edge: number,
    firstLevel: number,
  ) => { detectAndCompute(picture: Mat, mask: Mat, points: KeyPoints, descriptors: Mat): void; delete(): void };
  CLAHE: new (clip: number, tiles: object) => { apply(from: Mat, to: Mat): void; delete(): void };
  BFMatcher: new (
    norm: number,
    crossCheck: boolean,
  ) => { knnMatch(query: Mat, train: Mat, pairs: MatchPairs, count: number): void; delete(): void };
  matFromArray(rows: number, cols: number, type: number, values: readonly number[]): Mat;
  resize(from: Mat, to: Mat, size: object, fx: number, fy: number, interpolation: number): void;
  flip(from: Mat, to: Mat, code: number): void;
  findHomography(from: Mat, to: Mat, method: number, px: number, chosen: Mat, most: number, confidence: number): Mat;
  findTransformECC(
    fixed: Mat,
    moving: Mat,
    warp: Mat,
    motion: number,
    until: object,
    mask: Mat,
    gaussSize: number,
  ): number;
  /** How well a small picture fits at each place of a larger one. */
  matchTemplate(within: Mat, wanted: Mat, scores: Mat, method: number): void;
  warpPerspective(from: Mat, to: Mat, matrix: Mat, size: object, flags: number, border: number, fill: object): void;
  CV_8UC1: number;
  CV_32F: number;
  CV_64F: number;
  CV_32FC2: number;
  NORM_HAMMING: number;
  RANSAC: number;
  MOTION_HOMOGRAPHY: number;
  INTER_AREA: number;
  INTER_CUBIC: number;
  INTER_NEAREST: number;
  WARP_INVERSE_MAP: number;
  BORDER_REPLICATE: number;
  BORDER_CONSTANT: number;
  TM_CCOEFF_NORMED: number;
}

type Loading = OpenCv & { then?: unknown; onRuntimeInitialized?: () => void };

/**
 * Loads OpenCV as WebAssembly; it blocks, so only a child does. The module has a `then` that never settles: awaited, or resolved
 * with, it spins for ever, so it loses that and travels in an object.
 */
export function openOpenCv(): Promise<{ cv: OpenCv }> {
  const require = createRequire(import.meta.url);
  return new Promise((resolve) => {
    const cv: Loading = require('@techstark/opencv-js');
    const ready = () => {
      delete cv.then;
      resolve({ cv });
    };
    if (cv.Mat) ready();
    else cv.onRuntimeInitialized = ready;
  });
}

/** Runs `work` with a place to put whatever must be freed when it is over, also when it throws. */
export function freeing<T>(work: (keep: <M extends { delete(): void }>(mat: M) => M) => T): T {
  const kept: { delete(): void }[] = [];
  try {
    return work((mat) => {
      kept.push(mat);
      return mat;
    });
  } finally {
    for (const each of kept) each.delete();
  }
}
