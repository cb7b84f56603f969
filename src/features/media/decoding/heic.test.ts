import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { afterAll, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { makeGridHeic } from '#tests/support/media/heic.ts';
import { drawUnmarked } from '#tests/support/media/open-pack.ts';
import { newMediaKey } from '../formats/keys.ts';
import { openPhotoDecoder } from './photo-decoder.ts';

const decoder = openPhotoDecoder(await openWalls({ hidden: [] }));
afterAll(() => decoder.close());

/** A tile of a large picture, 512 px square. */
const tile = readFileSync('tests/support/media/tile.heic');
/** Four quarters – red, green, blue, yellow – encoded by x265. */
const heic = readFileSync('tests/support/media/quarters.heic');
const painted = [
  { at: [80, 60], colour: [0xc0, 0x30, 0x20] },
  { at: [240, 60], colour: [0x20, 0xa0, 0x40] },
  { at: [80, 180], colour: [0x30, 0x50, 0xc0] },
  { at: [240, 180], colour: [0xe0, 0xd0, 0x40] },
] as const;

it('a photo may be HEIC, as a telephone makes it', async () => {
  const mediaKey = newMediaKey();
  const made = await decoder.ingest({ mediaKey, sizeBytes: heic.length, openOriginal: () => Readable.from([heic]) });
  if (made.outcome === 'failed') throw new Error(`${made.code}: ${made.words}`);
  expect(made.photo).toMatchObject({ mime: 'image/heic', width: 320, height: 240 });
  const [pack] = made.photo.packs.filter(({ track }) => track === 'p2048');
  if (pack === undefined) throw new Error('There is no large picture.');
  const rgb = await drawUnmarked(pack, mediaKey);
  for (const { at, colour } of painted) {
    const from = 3 * (at[1] * 320 + at[0]);
    for (const [channel, level] of colour.entries())
      expect(Math.abs((rgb[from + channel] ?? 0) - level), `${at}, channel ${channel}`).toBeLessThan(10);
  }
});

it('48 megapixels, as telephones of today make them, stay below what a decoder may hold', async () => {
  const whole = { width: 8064, height: 6048 };
  const large = makeGridHeic(tile, { width: 512, height: 512 }, whole);
  const work = { mediaKey: newMediaKey(), sizeBytes: large.length, openOriginal: () => Readable.from([large]) };
  const made = await decoder.ingest(work);
  if (made.outcome === 'failed') throw new Error(`${made.code}: ${made.words}`);
  expect(made.photo).toMatchObject({ mime: 'image/heic', ...whole });
});
