import { expect, it } from 'vitest';
import { paint } from '#tests/support/media/paint.ts';
import { lumaOf } from './luma.ts';
import { openOpenCv } from './open-cv.ts';
import { openLeakPicture, openWanted, register } from './register.ts';

it('does not take a picture for another of its kind, of which few features lie alike', {
  timeout: 60_000,
}, async () => {
  const { cv } = await openOpenCv();
  const [one, other] = [1, 3].map((seed) => lumaOf(paint(seed, 512, 288))) as [never, never];
  const wanted = openWanted(cv, one);
  const copies = [other, one].map((copy) => openLeakPicture(cv, copy));
  expect(copies.map((copy) => register(cv, wanted, copy)?.homography.map((value) => Math.round(value) + 0))).toEqual([
    undefined,
    [1, 0, 0, 0, 1, 0, 0, 0, 1],
  ]);
  for (const each of [wanted, ...copies]) each.delete();
});
