import { expect, it } from 'vitest';
import { openTexture } from '#features/media/watermark/texture.ts';
import { openPainting, type Painting, paint } from '#tests/support/media/paint.ts';
import { drawLineArt, drawNight } from '#tests/support/media/plain-pictures.ts';
import { lumaOf } from './luma.ts';
import { openOpenCv } from './open-cv.ts';
import { countAgreeing, openLeakPicture, openWanted, register } from './register.ts';

const { cv } = await openOpenCv();

it('does not take a picture for another of its kind, of which few features lie alike', () => {
  const [one, other] = [1, 3].map((seed) => lumaOf(paint(seed, 512, 288))) as [never, never];
  const wanted = openWanted(cv, one);
  const copies = [other, one].map((copy) => openLeakPicture(cv, copy));
  expect(copies.map((copy) => register(cv, wanted, copy)?.homography.map((value) => Math.round(value) + 0))).toEqual([
    undefined,
    [1, 0, 0, 0, 1, 0, 0, 0, 1],
  ]);
  for (const each of [wanted, ...copies]) each.delete();
});

/** A picture with the texture of a mark, half as large: hardly any of its features are found again. */
async function halved(picture: Painting): Promise<Painting> {
  const { width, height } = picture;
  const pixels = await openPainting(picture).ensureAlpha().raw().toBuffer();
  const [a, b] = [new Uint8ClampedArray(pixels), new Uint8ClampedArray(pixels)];
  const noise = (signs: Int8Array) => signs.map((_, i) => (i * i * 31 + 17 * i) % 256);
  const fillNoise = (signs: Int8Array) => signs.set(noise(signs));
  openTexture(picture, fillNoise as never)({ index: 0, left: 0, top: 0, width, height }, { a, b }, 1);
  const half = openPainting({ width, height, rgb: Buffer.from(a.filter((_, i) => i % 4 !== 3)) }).resize(width / 2);
  const { data: rgb, info } = await half.raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb };
}

it('finds a plain picture whole where no feature is found again, and not in another of its shape', async () => {
  const copy = openLeakPicture(cv, lumaOf(await halved(drawNight())));
  const [night, drawn] = [drawNight(), drawLineArt()].map((picture) => openWanted(cv, lumaOf(picture)));
  if (!night || !drawn) throw new Error('two pictures are missing');
  expect([night, drawn].map((wanted) => countAgreeing(cv, wanted, copy))).toEqual([1, 0]);
  const [scaleX = 0, , x = 0, , scaleY = 0, y = 0] = register(cv, night, copy)?.homography ?? [];
  for (const scale of [scaleX, scaleY]) expect(scale).toBeCloseTo(0.5, 2);
  for (const place of [x, y]) expect(Math.abs(place + 0.25)).toBeLessThan(0.2);
  for (const each of [copy, night, drawn]) each.delete();
});
