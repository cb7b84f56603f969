import { scaled } from './features.ts';
import { compose, type Homography, zoom } from './homography.ts';
import { freeing, type Mat, type OpenCv } from './open-cv.ts';
import { topOf } from './peak.ts';

/** Where a picture lies in a screen that it spans from side to side, or from top to bottom. */
export interface Spanning {
  homography: Homography;
  /** Left, top, right and bottom of it. */
  box: [number, number, number, number];
}

/** A screen that differs in shape by less is as wide and as high as the picture; it is looked for once. */
const sameShape = 0.02;
/** A picture that correlates with its place less than this is not there. */
const leastLikeness = 0.8;
/** A picture's rim is left out: half a pixel of a white page would outweigh the few lights of a night. */
const rimPx = 4;

/**
 * Looks for a picture in a screen as large as screens show it: as wide as the screen, or as high. Of plain pictures, a few lights at
 * night, hardly any feature is found again, but their size is known then, and one side alone is left to look along.
 */
export function findSpanning(cv: OpenCv, picture: Mat, screen: Mat): Spanning[] {
  const [across, down] = [screen.cols / picture.cols, screen.rows / picture.rows];
  const isWhole = Math.abs(across / down - 1) < sameShape;
  return (isWhole ? [Math.min(across, down)] : [across, down]).flatMap((scale) => {
    const [width, height] = [Math.round(scale * picture.cols), Math.round(scale * picture.rows)];
    if (width > screen.cols || height > screen.rows || Math.min(width, height) <= 2 * rimPx) return [];
    const place = findPlace(cv, picture, screen, scale);
    if (!place) return [];
    const [x, y] = place;
    const box: Spanning['box'] = [x, y, x + width - 1, y + height - 1].map(Math.round) as Spanning['box'];
    return [{ homography: compose([1, 0, x, 0, 1, y, 0, 0, 1], zoom(scale)), box }];
  });
}

/** The upper left corner of the likeliest place, to a fraction of a pixel. */
function findPlace(cv: OpenCv, picture: Mat, screen: Mat, scale: number): [x: number, y: number] | undefined {
  const { along, isAcross } = freeing((keep) => {
    const scores = keep(new cv.Mat());
    const whole = keep(scaled(cv, picture, scale));
    const inner = keep(whole.roi(new cv.Rect(rimPx, rimPx, whole.cols - 2 * rimPx, whole.rows - 2 * rimPx)));
    const around = new cv.Rect(rimPx, rimPx, screen.cols - 2 * rimPx, screen.rows - 2 * rimPx);
    cv.matchTemplate(keep(screen.roi(around)), inner, scores, cv.TM_CCOEFF_NORMED);
    return { along: Array.from(scores.data32F), isAcross: scores.cols > 1 };
  });
  const best = along.reduce((most, score, i) => (score > (along[most] as number) ? i : most), 0);
  if (!((along[best] as number) >= leastLikeness)) return;
  const at = best + topOf(along[best - 1], along[best] as number, along[best + 1]);
  return isAcross ? [at, 0] : [0, at];
}
