import { randomFillSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paint } from '#tests/support/media/paint.ts';
import { gridOf, tilesFor, tilesOf } from '../formats/grid.ts';
import { boxSum } from './box-sum.ts';
import { openMarker } from './mark.ts';
import { drawMask, type Frame, maskUnit } from './mask.ts';
import { drawPattern, type NoiseSource } from './pattern.ts';

const [photo, flat, dark] = [paint(1, 800, 600), plain(800, 600, 128), plain(800, 600, 0)];

describe('a running box sum', () => {
  it('is the sum over the square, edges repeated, for any size and radius', () => {
    fc.assert(
      fc.property(fc.nat(12), fc.nat(12), fc.integer({ min: 0, max: 6 }), fc.nat(), (w, h, radius, salt) => {
        const [width, height] = [w + 1, h + 1];
        const values = Int32Array.from({ length: width * height }, (_, i) => ((i * 7919 + salt) % 1021) - 500);
        const sums = new Int32Array(values.length);
        boxSum({ width, height, values }, radius, sums, new Int32Array(values.length));
        const at = (x: number, y: number) =>
          values[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))] ?? 0;
        const expected = values.map((_, i) => {
          let sum = 0;
          for (let dy = -radius; dy <= radius; dy++)
            for (let dx = -radius; dx <= radius; dx++) sum += at((i % width) + dx, Math.floor(i / width) + dy);
          return sum;
        });
        expect(sums).toEqual(expected);
      }),
    );
  });
});

describe('the pattern', () => {
  it('is other noise for every pack', () => {
    expect(drawPattern(200, 200).values).not.toEqual(drawPattern(200, 200).values);
  });

  it('has no mean and nothing coarser than the tiles, so brightness stays', () => {
    const { values, deviation, width, height } = drawPattern(1600, 1200, evenNoise);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length / deviation;
    expect(Math.abs(mean)).toBeLessThan(0.01);
    const coarse = new Int32Array(values.length);
    boxSum({ width, height, values }, 20, coarse, new Int32Array(values.length));
    const left = Math.sqrt(coarse.reduce((sum, value) => sum + (value / 41 ** 2) ** 2, 0) / coarse.length) / deviation;
    expect(left).toBeLessThan(0.05);
  });

  it('is smooth from sample to sample, so scaling and JPEG leave it alone', () => {
    const { values, deviation } = drawPattern(1600, 1200, evenNoise);
    const steps =
      values.subarray(1).reduce((sum, value, i) => sum + (value - (values[i] ?? 0)) ** 2, 0) / values.length;
    expect(Math.sqrt(steps) / deviation).toBeLessThan(0.85);
  });
});

describe('the mask', () => {
  const levels = (frame: Frame) => Array.from(drawMask(frame).values, (value) => value / maskUnit);

  it('allows one level on a plain surface and 60 % of it in black', () => {
    expect(Math.max(...levels(flat))).toBeCloseTo(1, 2);
    expect(Math.min(...levels(flat))).toBeCloseTo(1, 2);
    expect(Math.max(...levels(dark))).toBeCloseTo(0.6, 2);
  });

  it('allows more where it is busy, never more than five', () => {
    const allowed = levels(photo);
    expect(Math.max(...allowed)).toBeLessThanOrEqual(5);
    expect(allowed.reduce((sum, level) => sum + level, 0) / allowed.length).toBeGreaterThan(1.5);
  });

  it('keeps the flat side of a hard edge quiet', () => {
    const edge = plain(400, 400, 60);
    for (let i = 0; i < edge.rgb.length; i += 3) if ((i / 3) % 400 >= 200) edge.rgb.fill(220, i, i + 3);
    const { values, width } = drawMask(edge);
    expect((values[100 * width + 95] ?? 0) / maskUnit).toBeCloseTo(1, 1);
  });
});

describe('a marked picture', () => {
  it.each([
    ['a photo', photo],
    ['another', paint(2, 1024, 768)],
    ['a portrait', paint(3, 600, 800)],
  ])('%s differs from the original by 44 to 48 dB in both variants', (_, frame) => {
    const { a, b } = markAll(frame);
    for (const variant of [a, b]) {
      expect(psnr(variant, frame.rgb)).toBeGreaterThan(44);
      expect(psnr(variant, frame.rgb)).toBeLessThan(48);
    }
  });

  it('that is busy all over is moved no further than that either', () => {
    const busy = plain(1024, 768, 0);
    for (let i = 0; i < busy.rgb.length; i++) busy.rgb[i] = (i * 2_654_435_761) >>> 24;
    const { a, b } = markAll(busy);
    for (const variant of [a, b]) expect(psnr(variant, busy.rgb)).toBeGreaterThan(44);
  });

  it('has variants that lie on opposite sides of the original, the same way in red, green and blue', () => {
    const { a, b } = markAll(flat);
    const isOpposite = (value: number, i: number) => {
      const d = (a[i - (i % 3)] ?? 0) - 128;
      return value === 128 + d && b[i] === 128 - d;
    };
    expect(a.every(isOpposite)).toBe(true);
  });

  it('never moves a pixel further than 10 levels, and nothing out of range', () => {
    const { a } = markAll(photo);
    expect(a.every((value, i) => Math.abs(value - (photo.rgb[i] ?? 0)) <= 10)).toBe(true);
    const black = markAll(dark);
    expect(black.a.every((value) => value <= 10)).toBe(true);
  });

  it('fades out at the edges of its tiles, so no seam shows between A and B', () => {
    const { a, b, grid } = markAll(flat);
    const cuts = new Set(grid.xs);
    const move = (x: number) => {
      let sum = 0;
      for (let y = 0; y < 600; y++) sum += Math.abs((a[3 * (y * 800 + x)] ?? 0) - (b[3 * (y * 800 + x)] ?? 0));
      return sum / 600;
    };
    const columns = Array.from({ length: 800 }, (_, x) => x);
    const atCuts = columns.filter((x) => cuts.has(x) || cuts.has(x + 1)).map(move);
    const inside = columns.filter((x) => !grid.xs.some((cut) => Math.abs(cut - x) < 12)).map(move);
    expect(Math.max(...atCuts)).toBeLessThan(0.05);
    expect(inside.reduce((sum, value) => sum + value, 0) / inside.length).toBeGreaterThan(0.4);
  });

  it('is different noise in every pack of the same photo', () => {
    expect(markAll(photo, randomFillSync).a.equals(markAll(photo, randomFillSync).a)).toBe(false);
  });

  it('is marked down to one pixel', () => {
    for (const [width, height] of [
      [1, 1],
      [3, 2],
      [1, 700],
      [2048, 5],
    ] as const)
      expect(markAll(plain(width, height, 100)).a.length).toBe(3 * width * height);
  });
});

function plain(width: number, height: number, level: number) {
  return { width, height, rgb: Buffer.alloc(3 * width * height, level) };
}

/** Noise that is the same in every run. */
function evenNoise(bytes: Int8Array): void {
  let state = 1;
  for (let i = 0; i < bytes.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[i] = state >>> 24;
  }
}

/** Both variants of a whole picture, put together from their tiles. */
function markAll(frame: Frame, fillNoise: NoiseSource = evenNoise) {
  const { width, height } = frame;
  const grid = gridOf(width, height, tilesFor(width, height));
  const mark = openMarker(frame, grid.xs, grid.ys, fillNoise);
  const [a, b] = [Buffer.alloc(3 * width * height), Buffer.alloc(3 * width * height)];
  for (const tile of tilesOf(grid)) {
    const marked = mark(tile);
    for (let y = 0, i = 0; y < tile.height; y++)
      for (let x = 0, o = 3 * ((tile.top + y) * width + tile.left); x < tile.width; x++, i += 4, o += 3) {
        a.set(marked.a.subarray(i, i + 3), o);
        b.set(marked.b.subarray(i, i + 3), o);
      }
  }
  return { a, b, grid };
}

function psnr(one: Uint8Array, other: Uint8Array): number {
  const error = one.reduce((sum, value, i) => sum + (value - (other[i] ?? 0)) ** 2, 0) / one.length;
  return 10 * Math.log10(255 ** 2 / error);
}
