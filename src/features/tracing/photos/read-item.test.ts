import sharp from 'sharp';
import { expect, it } from 'vitest';
import { readPackHeader } from '#features/media/formats/pack.ts';
import { drawTiles } from '#tests/support/media/open-pack.ts';
import { openPainting, paint } from '#tests/support/media/paint.ts';
import { markPhoto } from '#tests/support/media/pictures.ts';
import { compose, cornersOf, type Homography, zoom } from '../imaging/homography.ts';
import { lumaOf } from '../imaging/luma.ts';
import { openOpenCv } from '../imaging/open-cv.ts';
import type { ReadTiles } from '../imaging/read-tiles.ts';
import { openReferenceMaker } from '../imaging/reference.ts';
import { openLeakPicture } from '../imaging/register.ts';
import { openItem, readAt, readCloser } from './read-item.ts';

const [width, height] = [1200, 900];

/** Of the tiles in sight those that say variant A, which is the one that was leaked. */
const rightShare = ({ z, visible }: ReadTiles) => {
  const shown = z.filter((_, tile) => (visible[tile] as number) > 0);
  return shown.filter((value) => value > 0).length / shown.length;
};

const errorPx = (homography: Homography, truth: Homography) => {
  const right = cornersOf(truth, width, height);
  const beside = cornersOf(homography, width, height).map(({ x, y }, n) =>
    Math.hypot(x - (right[n]?.x ?? 0), y - (right[n]?.y ?? 0)),
  );
  return Math.max(...beside);
};

it('a photo whose features put its corners beside their places is read to its corners', async () => {
  const { mediaKey, packs } = await markPhoto(paint(3, width, height));
  const pack = { track: 'p2048' as const, packId: '', bytes: packs.p2048, header: readPackHeader(packs.p2048) };
  const rgb = Buffer.from(await drawTiles(pack, mediaKey, 1));
  const jpeg = openPainting({ width, height, rgb }).resize(900).jpeg({ quality: 85 });
  const copy = await sharp(await jpeg.toBuffer())
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { cv } = await openOpenCv();
  const leak = openLeakPicture(cv, lumaOf({ ...copy.info, rgb: copy.data }));
  const reference = await (await openReferenceMaker())(packs.p2048, mediaKey, 'p2048');
  const item = openItem(cv, [reference]);
  const truth = zoom(0.75);
  const beside = compose(truth, [1.015, 0.012, -9, -0.008, 0.985, 8, 8e-6, -1e-5, 1]);
  const found = { inliers: 300, isMirrored: false, homography: beside };

  expect(errorPx(beside, truth)).toBeGreaterThan(15);
  expect(rightShare(readAt(cv, leak, item, found, reference))).toBeLessThan(0.75);
  const closer = readCloser(cv, leak, item, found);
  expect(errorPx(closer.homography, truth)).toBeLessThan(1);
  expect(rightShare(closer.first)).toBeGreaterThan(0.97);

  const right = { ...found, homography: truth };
  const kept = readCloser(cv, leak, item, right);
  expect(errorPx(kept.homography, truth), 'what is right stays').toBeLessThan(1);
  leak.delete();
  item.wanted.delete();
});
