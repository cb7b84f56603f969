import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gridOf, maxTiles, tilesFor, tilesOf } from './grid.ts';

const sides = fc.oneof(fc.integer({ min: 1, max: 2048 }), fc.integer({ min: 1, max: 40 }));

describe('the tile grid', () => {
  it('cuts a 4:3 photo of 2048 px into 252 tiles and its thumbnail into 48', () => {
    expect(gridOf(2048, 1536, tilesFor(2048, 1536))).toMatchObject({ columns: 18, rows: 14, tiles: 252 });
    expect(gridOf(512, 384, tilesFor(512, 384))).toMatchObject({ columns: 8, rows: 6, tiles: 48 });
  });

  it('follows the aspect ratio of a portrait', () => {
    expect(gridOf(1536, 2048, tilesFor(1536, 2048))).toMatchObject({ columns: 14, rows: 18 });
  });

  it('gives a one-pixel picture one tile', () => {
    expect(gridOf(1, 1, tilesFor(1, 1))).toEqual({ columns: 1, rows: 1, tiles: 1, xs: [0, 1], ys: [0, 1] });
  });

  it('cuts a strip that is flatter than a tile into pieces of at least a block', () => {
    expect(gridOf(20, 1, tilesFor(20, 1))).toMatchObject({ tiles: 1, xs: [0, 20] });
  });

  it('covers every pixel exactly once, with no empty tile, for any size', () => {
    fc.assert(
      fc.property(sides, sides, (width, height) => {
        const grid = gridOf(width, height, tilesFor(width, height));
        const tiles = tilesOf(grid);
        expect(tiles.length).toBe(grid.tiles);
        expect(tiles.every((tile, i) => tile.index === i && tile.width > 0 && tile.height > 0)).toBe(true);
        expect(tiles.reduce((area, tile) => area + tile.width * tile.height, 0)).toBe(width * height);
      }),
    );
  });

  it('never has more tiles than a pack can count', () => {
    fc.assert(
      fc.property(sides, sides, (width, height) => gridOf(width, height, tilesFor(width, height)).tiles <= maxTiles),
    );
  });

  it('puts every inner cut on a multiple of 16 px', () => {
    fc.assert(
      fc.property(sides, sides, (width, height) => {
        const { xs, ys } = gridOf(width, height, tilesFor(width, height));
        return [xs, ys].every((list) => list.slice(0, -1).every((cut) => cut % 16 === 0));
      }),
    );
  });
});
