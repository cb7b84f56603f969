import { describe, expect, it } from 'vitest';
import { gridOf, tilesFor, tilesOf } from '#features/media/formats/grid.ts';
import { openMarker } from '#features/media/watermark/mark.ts';
import { paint } from '#tests/support/media/paint.ts';
import { blur, type Luma, lumaOf } from './luma.ts';
import { type ReadTiles, readTiles } from './read-tiles.ts';
import type { Reference } from './reference.ts';

const [width, height] = [960, 720];
const photo = paint(5, width, height);
const grid = gridOf(width, height, tilesFor(width, height));
const tiles = tilesOf(grid);
const bits = tiles.map(({ index }) => (index * 7 + (index >> 3)) % 2);
const mark = drawMark();
const picture = lumaOf(photo);
const reference: Reference = { grid, picture, mark };
const everywhere = new Uint8Array(width * height).fill(255);

/** The mark of variant A, as it is before the codec. */
function drawMark(): Luma {
  const values = new Float32Array(width * height);
  const paintTile = openMarker(photo, grid.xs, grid.ys);
  for (const tile of tiles) {
    const { a, b } = paintTile(tile);
    for (let y = 0, from = 0; y < tile.height; y++)
      for (let x = 0; x < tile.width; x++, from += 4)
        values[(tile.top + y) * width + tile.left + x] = ((a[from] ?? 0) - (b[from] ?? 0)) / 2;
  }
  return { width, height, values };
}

/** Returns what somebody with these bits saw, changed pixel by pixel. */
function leakOf(change: (level: number, i: number) => number = (level) => level, strength = 1): Luma {
  const values = Float32Array.from(picture.values);
  for (const tile of tiles)
    for (let y = tile.top; y < tile.top + tile.height; y++)
      for (let i = y * width + tile.left; i < y * width + tile.left + tile.width; i++)
        values[i] = (values[i] ?? 0) + (bits[tile.index] ? strength : -strength) * (mark.values[i] ?? 0);
  return { width, height, values: values.map(change) };
}

/** Noise that is the same in every run (mulberry32). */
function noise(i: number): number {
  let state = (i * 0x6d2b79f5) >>> 0;
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return (((state ^ (state >>> 14)) >>> 0) / 2 ** 32 - 0.5) * 3.46;
}

/** As a video codec or a strong JPEG leaves it. */
function coarseNoise(): (i: number) => number {
  const { values } = blur(
    { width, height, values: Float32Array.from({ length: width * height }, (_, i) => noise(i)) },
    2,
  );
  return (i) => 20 * (values[i] ?? 0);
}

const read = (luma: Luma, mask = everywhere) => readTiles(reference, { luma, mask, scale: 1 });
const rightShare = ({ z }: ReadTiles, of = tiles) =>
  of.filter(({ index }) => (z[index] ?? 0) > 0 === (bits[index] === 1)).length / of.length;

describe('what tiles say', () => {
  it('is their variant, clearly', () => {
    const { z, visible } = read(leakOf((level, i) => level + 3 * noise(i)));
    expect(rightShare({ z, visible })).toBe(1);
    expect(z.filter((value) => Math.abs(value) > 3).length).toBeGreaterThan(0.6 * tiles.length);
    expect(Math.min(...visible)).toBeGreaterThan(0.9);
  });

  it.each([
    ['a filter', leakOf((level, i) => 200 * (Math.max(0, level) / 255) ** 0.7 + 30 + 3 * noise(i))],
    ['a light from one side', leakOf((level, i) => level * (0.8 + (0.4 * (i % width)) / width) + 3 * noise(i))],
    ['blur', blur(leakOf(), 1)],
    ['specks', leakOf((level, i) => (noise(i * 7 + 1) > 1.6 ? 255 : level + 3 * noise(i)))],
    ['text over it', leakOf((level, i) => ((i % width) % 97 < 6 ? 255 : level + 3 * noise(i)))],
  ])('survives %s', (_, leak) => {
    expect(rightShare(read(leak))).toBeGreaterThan(0.97);
  });

  it.each([
    ['fine', (i: number) => 4 * noise(i)],
    ['coarse', coarseNoise()],
  ])("has variance one when there is no mark but %s noise, so that no copy of another's shouts", (_, noiseAt) => {
    const { z } = read(leakOf((level, i) => level + noiseAt(i), 0));
    const mean = z.reduce((sum, value) => sum + value, 0) / z.length;
    const variance = z.reduce((sum, value) => sum + (value - mean) ** 2, 0) / z.length;
    expect(Math.abs(mean)).toBeLessThan(0.25);
    expect(variance).toBeGreaterThan(0.6);
    expect(variance).toBeLessThan(1.6);
  });

  it('is nothing where the leak does not reach', () => {
    const half = everywhere.map((_, i) => (i % width < width / 2 ? 255 : 0));
    const { z, visible } = read(
      leakOf((level, i) => level + 3 * noise(i)),
      half,
    );
    const right = tiles.filter(({ left }) => left >= width / 2);
    expect(right.filter(({ index }) => z[index] !== 0 || visible[index] !== 0)).toEqual([]);
    expect(
      rightShare(
        { z, visible },
        tiles.filter(({ left, width: wide }) => left + wide <= width / 2),
      ),
    ).toBe(1);
  });

  it('is nothing under a sticker, where the picture itself would be busy', () => {
    const low = (i: number) => i > (width * height * 3) / 4;
    const { visible } = read(leakOf((level, i) => (low(i) ? 90 + 9 * noise(i) : level + 3 * noise(i))));
    const below = tiles.filter(({ top }) => top > (height * 3) / 4);
    const open = below.filter(({ index }) => (visible[index] ?? 0) > 0.3); // a plain disc cannot tell
    expect(open.length).toBeLessThan(below.length / 10);
  });
});
