import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openTiles } from '#tests/support/media/open-pack.ts';
import { paint } from '#tests/support/media/paint.ts';
import { drawContract, drawLineArt, drawNight } from '#tests/support/media/plain-pictures.ts';
import { type Tile, tilesOf } from '../formats/grid.ts';
import { newMediaKey, type PictureTrack } from '../formats/keys.ts';
import { readPackHeader } from '../formats/pack.ts';
import type { Frame } from '../watermark/mask.ts';
import { markLeft } from '../watermark/tile-marks.ts';
import { openWebpDecoder } from '../webp-decoder.ts';
import { makeMarkedPack } from './marked-pack.ts';
import { openWebpEncoder } from './webp.ts';

const codec = { encode: await openWebpEncoder(), decode: await openWebpDecoder() };
const mediaKey = newMediaKey();

/** What sharp, which had no part in it, finds of the mark in every tile of a finished pack. */
async function lookAt(frame: Frame, track: PictureTrack) {
  const laps = new Set<string>();
  const { bytes, markedTiles } = makeMarkedPack(frame, track, mediaKey, codec, (lap) => laps.add(lap));
  const pack = { track, packId: '', bytes: Buffer.from(bytes), header: readPackHeader(bytes) };
  const [a, b] = [openTiles(pack, mediaKey, 1), openTiles(pack, mediaKey, 0)];
  const pixelsOf = async (webp: Buffer) => new Uint8ClampedArray(await sharp(webp).ensureAlpha().raw().toBuffer());
  const left = tilesOf(pack.header).map(async (tile) =>
    markLeft(tile, await pixelsOf(a[tile.index] as Buffer), await pixelsOf(b[tile.index] as Buffer)),
  );
  return { left: await Promise.all(left), markedTiles, tiles: pack.header.tiles, laps };
}

describe.each([
  ['p2048', 512],
  ['thumb512', 384],
  ['poster', 512],
  ['posterthumb', 256],
  ['storyboard', 256],
] as const)('a pack of plain pictures as %s', (track, side) => {
  it.each([
    ['a night', drawNight(side, side)],
    ['line art', drawLineArt(side, side)],
    ['a page of a contract', drawContract(side, side)],
    ['plain black', { width: side, height: 128, rgb: Buffer.alloc(3 * side * 128) }],
    ['plain white', { width: side, height: 128, rgb: Buffer.alloc(3 * side * 128, 255) }],
    ['plain grey', { width: side, height: 128, rgb: Buffer.alloc(3 * side * 128, 119) }],
  ])('keeps the mark in every tile of %s', async (_, frame) => {
    const { left, markedTiles, tiles } = await lookAt(frame, track);
    // Who was given many bytes is not decoded, and may have a little less than the rest.
    expect(Math.min(...left)).toBeGreaterThan(0.2);
    expect(markedTiles).toBe(tiles);
  });
});

it('a pack of a busy picture is encoded once, and not even decoded to be looked at', async () => {
  const painting = paint(3, 512, 384);
  const busy = { ...painting, rgb: Buffer.from(painting.rgb.map((level, i) => (i % 5 ? level : 255 - level))) };
  const { left, laps, markedTiles, tiles } = await lookAt(busy, 'p2048');
  expect(laps).not.toContain('strengthen');
  expect(markedTiles).toBe(tiles);
  expect(Math.min(...left)).toBeGreaterThan(0.5);
});

describe('what is left of a mark', () => {
  const tile: Tile = { index: 0, left: 0, top: 0, width: 16, height: 10 };
  const plain = (level: (x: number, y: number) => number) => {
    const pixels = new Uint8ClampedArray(4 * 16 * 10);
    for (let y = 0; y < 10; y++)
      for (let x = 0; x < 16; x++) pixels.fill(level(x, y), 4 * (16 * y + x), 4 * (16 * y + x) + 4);
    return pixels;
  };
  it('is how far both variants lie from their mean', () => {
    const stripes = plain((x) => (x < 8 ? 101 : 99));
    expect(
      markLeft(
        tile,
        stripes,
        plain((x) => (x < 8 ? 99 : 101)),
      ),
    ).toBeCloseTo(1);
    expect(markLeft(tile, stripes, stripes)).toBe(0);
  });
  it('is nothing where it is finer than any copy keeps it', () => {
    const [one, other] = [plain((x, y) => 100 + ((x + y) % 2)), plain((x, y) => 101 - ((x + y) % 2))];
    expect(markLeft(tile, one, other)).toBe(0);
  });
});
