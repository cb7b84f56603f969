import sharp from 'sharp';
import { expect, it } from 'vitest';
import { gridOf } from '#features/media/formats/grid.ts';
import { openPainting, paint } from '#tests/support/media/paint.ts';
import { compose, cornersOf, type Homography, zoom } from './homography.ts';
import { lumaOf } from './luma.ts';
import { openOpenCv } from './open-cv.ts';
import { openLeakPicture, openWanted } from './register.ts';
import { fitTiles } from './tile-fit.ts';

const { cv } = await openOpenCv();
const [width, height] = [1024, 768];
const grid = gridOf(width, height, 192);
const wanted = openWanted(cv, lumaOf(paint(4, width, height)));
const itself: Homography = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** By how many pixels the farthest corner lies beside where it should. */
const errorPx = (homography: Homography | undefined, truth: Homography) => {
  if (!homography) return Number.POSITIVE_INFINITY;
  const right = cornersOf(truth, width, height);
  return Math.max(
    ...cornersOf(homography, width, height).map(({ x, y }, n) =>
      Math.hypot(x - (right[n]?.x ?? 0), y - (right[n]?.y ?? 0)),
    ),
  );
};

it('lays a picture again through its tiles when its corners were put beside their places', async () => {
  const copy = openPainting(paint(4, width, height))
    .resize(0.75 * width)
    .linear(0.8, 30)
    .jpeg({ quality: 60 });
  const { data: rgb, info } = await sharp(await copy.toBuffer())
    .raw()
    .toBuffer({ resolveWithObject: true });
  const leak = openLeakPicture(cv, lumaOf({ width: info.width, height: info.height, rgb }));
  const truth = zoom(0.75);
  const wrong = compose(truth, [1.01, 0.012, -6, -0.008, 0.985, 8, 8e-6, -1e-5, 1]);
  expect(errorPx(wrong, truth)).toBeGreaterThan(12);
  const fitted = fitTiles(cv, { wanted, grid }, leak, { homography: wrong, isMirrored: false }, 24);
  expect(errorPx(fitted, truth)).toBeLessThan(0.5);
  leak.delete();
});

it('says nothing of a picture that is not there', () => {
  const other = openLeakPicture(cv, lumaOf(paint(9, width, height)));
  expect(fitTiles(cv, { wanted, grid }, other, { homography: itself, isMirrored: false }, 24)).toBeUndefined();
  other.delete();
});
