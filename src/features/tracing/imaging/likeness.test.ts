import { expect, it } from 'vitest';
import { paint } from '#tests/support/media/paint.ts';
import { shareAlike } from './likeness.ts';
import { bytesOf, lumaOf } from './luma.ts';

const [width, height] = [640, 480];
const bytes = (seed: number) => Uint8Array.from(bytesOf(lumaOf(paint(seed, width, height))));
const [one, other] = [bytes(1), bytes(2)];
const mask = new Uint8Array(width * height).fill(255);
const share = (a: Uint8Array, b: Uint8Array, where = mask) =>
  shareAlike({ one: a, other: b, mask: where, width, height });

it('finds a picture alike to itself, darkened as well, and unlike another', () => {
  expect(share(one, one)).toBe(1);
  expect(
    share(
      one,
      one.map((level) => 30 + level / 2),
    ),
  ).toBe(1);
  expect(share(one, other)).toBeLessThan(0.5); // all paintings have the same hills
});

it('asks only where the second picture reaches, and of places that can tell', () => {
  const left = mask.map((_, i) => (i % width < 320 ? 255 : 0));
  expect(
    share(
      one,
      one.map((level, i) => (i % width < 320 ? level : 0)),
      left,
    ),
  ).toBe(1);
  expect(share(one, one, new Uint8Array(width * height))).toBeUndefined();
  expect(share(new Uint8Array(width * height).fill(100), one)).toBeUndefined();
});
