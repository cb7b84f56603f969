import { describe, expect, it } from 'vitest';
import { openPainting, type Painting } from '#tests/support/media/paint.ts';
import { drawLineArt, drawNight } from '#tests/support/media/plain-pictures.ts';
import { matOf } from './features.ts';
import { lumaOf } from './luma.ts';
import { openOpenCv } from './open-cv.ts';
import { findSpanning } from './spanning.ts';

const { cv } = await openOpenCv();
const [night, drawn] = [drawNight(1280, 960), drawLineArt(1280, 960)];

type Bars = Partial<Record<'top' | 'right' | 'bottom' | 'left', number>>;

async function pixelsOf(picture: ReturnType<typeof openPainting>): Promise<Painting> {
  const { data: rgb, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb };
}

/** A picture on a white screen, so wide, between these bars; drawn at twice the size, so that bars may be of half a pixel. */
async function shownOn(picture: Painting, width: number, bars: Bars): Promise<Painting> {
  const doubled = Object.fromEntries(Object.entries(bars).map(([side, px]) => [side, 2 * px]));
  const screen = await pixelsOf(
    openPainting(picture)
      .resize(2 * width)
      .extend({ ...doubled, background: '#fff' }),
  );
  return pixelsOf(
    openPainting(screen)
      .resize(screen.width / 2)
      .blur(0.5),
  );
}

function lookFor(picture: Painting, screen: Painting) {
  const mats = [picture, screen].map((each) => matOf(cv, lumaOf(each)));
  const found = findSpanning(cv, mats[0] as never, mats[1] as never);
  for (const mat of mats) mat.delete();
  return found.map(({ homography, box }) => ({ homography: [...homography], box }));
}

describe('a few lights on black are found', () => {
  const scale = 400 / 1280;
  // Centres of pixels lie on centres of pixels.
  const centre = 0.5 * scale - 0.5;
  it.each([
    ['as wide as a screen', { top: 171, bottom: 250 }, [0, 171]],
    ['as wide as a screen, half a pixel off', { top: 170.5, bottom: 250.5 }, [0, 170.5]],
    ['as high as a screen', { left: 120, right: 60 }, [120, 0]],
  ])('%s', async (_, bars, [left = 0, top = 0]) => {
    const found = lookFor(night, await shownOn(night, 400, bars));
    expect(found).toHaveLength(1);
    const [scaleX, , x = 0, , scaleY, y = 0] = found[0]?.homography ?? [];
    expect([scaleX, scaleY]).toEqual([scale, scale]);
    expect(Math.abs(x - left - centre)).toBeLessThan(0.2);
    expect(Math.abs(y - top - centre)).toBeLessThan(0.2);
  });
});

describe('nothing is found', () => {
  const bars = { top: 171, bottom: 250 };
  it('where another picture spans the screen', async () => {
    expect(lookFor(drawn, await shownOn(night, 400, bars))).toEqual([]);
    expect(lookFor(drawn, await shownOn(drawn, 400, bars))).toHaveLength(1);
  });
  it('where a picture is smaller than the screen', async () => {
    expect(lookFor(drawn, await shownOn(drawn, 300, { ...bars, left: 50, right: 50 }))).toEqual([]);
  });
  it('in a part of the picture', async () => {
    const part = openPainting(night).extract({ left: 120, top: 0, width: 800, height: 960 });
    expect(lookFor(night, await pixelsOf(part))).toEqual([]);
  });
});

it('a copy of the whole is found once, though it is as wide as its screen and as high', async () => {
  expect(lookFor(night, await pixelsOf(openPainting(night).resize(640)))).toHaveLength(1);
});
