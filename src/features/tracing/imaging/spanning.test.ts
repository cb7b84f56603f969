import { expect, it } from 'vitest';
import { openPainting } from '#tests/support/media/paint.ts';
import { drawLineArt, drawNight } from '#tests/support/media/plain-pictures.ts';
import { matOf } from './features.ts';
import { lumaOf } from './luma.ts';
import { openOpenCv } from './open-cv.ts';
import { findSpanning } from './spanning.ts';

const { cv } = await openOpenCv();
const [night, drawn] = [drawNight(640, 480), drawLineArt(640, 480)];

/** A picture on a white screen, so wide, between bars of this height. */
async function shownOn(picture: typeof night, width: number, [above, below]: readonly [number, number]) {
  const screen = openPainting(picture).resize(width).extend({ top: above, bottom: below, background: '#fff' });
  const { data: rgb, info } = await openPainting(await pixelsOf(screen))
    .blur(0.5)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return matOf(cv, lumaOf({ width: info.width, height: info.height, rgb }));
}
const pixelsOf = async (picture: ReturnType<typeof openPainting>) => {
  const { data: rgb, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb };
};

it('a few lights on black are found on a screen that they span', async () => {
  const [picture, screen] = [matOf(cv, lumaOf(night)), await shownOn(night, 390, [171, 250])];
  const found = findSpanning(cv, picture, screen);
  expect(found).toHaveLength(1);
  const [scaleX, , x, , scaleY, y] = found[0]?.homography ?? [];
  expect([scaleX, scaleY]).toEqual([390 / 640, 390 / 640]);
  // Centres of pixels lie on centres of pixels.
  expect(x).toBeCloseTo(0.5 * (390 / 640) - 0.5, 5);
  expect(y).toBeCloseTo(171 + 0.5 * (390 / 640) - 0.5, 0);
  for (const mat of [picture, screen]) mat.delete();
});

it('another picture is not, nor one that is smaller than the screen', async () => {
  const screens = [await shownOn(night, 390, [171, 250]), await shownOn(drawn, 390, [171, 250])];
  const picture = matOf(cv, lumaOf(drawn));
  expect(findSpanning(cv, picture, screens[0] as never)).toEqual([]);
  expect(findSpanning(cv, picture, screens[1] as never)).toHaveLength(1);
  for (const mat of [picture, ...screens]) mat.delete();
});
