import { describe, expect, it } from 'vitest';
import { compose, cornersOf, fitUpright, isPlausible, mirror, project, scaleOf, zoom } from './homography.ts';

const turned = (degrees: number, scale = 1) => {
  const [c, s] = [Math.cos, Math.sin].map((of) => scale * of((degrees * Math.PI) / 180)) as [number, number];
  return [c, -s, 200, s, c, 100, 0, 0, 1];
};

describe('a homography', () => {
  it('after another does what both do', () => {
    const [x, y] = [37, 81];
    const between = project(turned(20), x, y);
    const both = project(compose(zoom(2, 3), turned(20)), x, y);
    expect(both).toMatchObject(project(zoom(2, 3), between.x, between.y));
  });

  it('that scales keeps centres of pixels on centres: the first of two becomes the middle of one', () => {
    expect(project(zoom(0.5), 0.5, 0.5)).toMatchObject({ x: 0, y: 0 });
    expect(project(zoom(2), 0, 0)).toMatchObject({ x: 0.5, y: 0.5 });
  });

  it('that mirrors exchanges left and right and is undone by itself', () => {
    expect(project(mirror(100), 0, 7)).toMatchObject({ x: 99, y: 7 });
    expect(compose(mirror(100), mirror(100))).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  });

  it('tells where corners lie, clockwise, and how large a pixel becomes', () => {
    expect(cornersOf(zoom(1), 3, 2).map(({ x, y }) => [x, y])).toEqual([
      [0, 0],
      [2, 0],
      [2, 1],
      [0, 1],
    ]);
    expect(scaleOf(turned(33, 0.4), 640, 480)).toBeCloseTo(0.4, 6);
  });

  it('is plausible when a photo was turned, scaled or seen askance', () => {
    for (const homography of [zoom(1), turned(5), turned(120, 0.2), [1, 0.1, 5, -0.1, 1, 9, 2e-4, 1e-4, 1]])
      expect(isPlausible(homography, 1024, 768)).toBe(true);
  });

  it('is not when it folds the photo, turns it inside out, or shrinks it to nothing', () => {
    const askance = [1, 0, 0, 0, 1, 0, -2e-3, 0, 1];
    for (const homography of [mirror(1024), turned(0, 0.001), askance, [1, 0, 0, 0, 1, 0, 0, 0, Number.NaN]])
      expect(isPlausible(homography, 1024, 768)).toBe(false);
  });
});

describe('an upright fit', () => {
  const from = [10, 10, 12, 11, 300, 20, 302, 22];
  it('is scale and place, and leaves out what errors of a pixel look like: turning and tilting', () => {
    const to = from.map((value, i) => 0.5 * value + (i % 2 ? 40 : -7) + ((i * 7) % 3) - 1);
    const [scaleX, skewX, x, skewY, scaleY, y] = fitUpright(from, to) ?? [];
    expect([skewX, skewY]).toEqual([0, 0]);
    expect(scaleX).toBe(scaleY);
    expect(scaleX).toBeCloseTo(0.5, 1);
    expect([x, y].map((place = 0) => Math.round(place / 2))).toEqual([-3, 20]);
  });
  it('is nothing where all features lie in one spot, or the other way round', () => {
    expect(fitUpright([5, 5, 5, 5], [1, 2, 3, 4])).toBeUndefined();
    expect(fitUpright([0, 0, 9, 9], [9, 9, 0, 0])).toBeUndefined();
  });
});
