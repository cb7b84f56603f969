import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawArea, drawLine, pickScale, placePoints, stackBars } from '#ui/figures/chart-path.ts';

describe('a line chart', () => {
  it.each([
    [[], 1],
    [[0, 0], 1],
    [[3, 1], 4],
    [[34, 12], 40],
    [[41], 50],
    [[100], 100],
    [[101], 200],
  ])('scales %j to %i', (values, scale) => {
    expect(pickScale(values)).toBe(scale);
  });

  it('starts at the left, ends at the right and grows upwards', () => {
    expect(placePoints([0, 5, 10], 10)).toEqual([
      { x: 0, y: 100 },
      { x: 50, y: 50 },
      { x: 100, y: 0 },
    ]);
    expect(drawLine(placePoints([0, 10], 10))).toBe('M0 100L100 0');
    expect(drawArea(placePoints([0, 10], 10))).toBe('M0 100L100 0L100 100L0 100Z');
  });

  it('draws a single day in the middle, and nothing of nothing', () => {
    expect(placePoints([4], 4)).toEqual([{ x: 50, y: 0 }]);
    expect(drawArea([])).toBe('');
  });

  it('never leaves its frame', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 90 }), (values) =>
        placePoints(values, pickScale(values)).every(({ x, y }) => x >= 0 && x <= 100 && y >= 0 && y <= 100),
      ),
    );
  });
});

describe('a stacked chart', () => {
  it('stands parts upon each other from zero up, and what went away from zero down', () => {
    expect(
      stackBars([
        [10, 20, -10],
        [0, 0, 0],
        [5, 0, -5],
      ]),
    ).toEqual({
      parts: [
        [
          { at: 0, y: 60, height: 20 },
          { at: 2, y: 70, height: 10 },
        ],
        [{ at: 0, y: 20, height: 40 }],
        [
          { at: 0, y: 80, height: 20 },
          { at: 2, y: 80, height: 10 },
        ],
      ],
      zero: 80,
      scale: 40,
    });
  });
});
