import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { distance, drawUnmarked } from '#tests/support/media/open-pack.ts';
import { openPainting, paint } from '#tests/support/media/paint.ts';
import { newMediaKey } from '../formats/keys.ts';
import { type MadePhoto, openPhotoDecoder } from './photo-decoder.ts';

const decoder = openPhotoDecoder(await openWalls({ hidden: [] }));
afterAll(() => decoder.close());

const mediaKey = newMediaKey();
const ingest = (bytes: Buffer) =>
  decoder.ingest({ mediaKey, sizeBytes: bytes.length, openOriginal: () => Readable.from([bytes]) });
const make = async (bytes: Buffer): Promise<MadePhoto> => {
  const made = await ingest(bytes);
  if (made.outcome === 'failed') throw new Error(`${made.code}: ${made.words}`);
  return made.photo;
};
const largeOf = ({ packs }: MadePhoto) => {
  const pack = packs.find(({ track }) => track === 'p2048');
  if (pack === undefined) throw new Error('There is no large picture.');
  return pack;
};
const painting = paint(7, 320, 240);
const open = () => openPainting(painting);

describe('a photo whose end is missing', () => {
  it.each([
    ['JPEG', () => open().jpeg({ quality: 95 }), 2],
    ['progressive JPEG', () => open().jpeg({ quality: 95, progressive: true }), 2],
    ['JPEG, by half of its mark,', () => open().jpeg({ quality: 95 }), 1],
    ['PNG', () => open().png(), 12],
    ['GIF', () => open().gif({ dither: 0 }), 1],
  ] as const)('is whole as %s when every pixel is there', async (_, write, missing) => {
    const photo = await make((await write().toBuffer()).subarray(0, -missing));
    expect(distance(await drawUnmarked(largeOf(photo), mediaKey), painting.rgb)).toBeLessThan(14);
  });

  it('is damaged when pixels are missing as well, be it the last few of them', async () => {
    for (const progressive of [false, true]) {
      const jpeg = await open().jpeg({ quality: 95, progressive }).toBuffer();
      for (const missing of [12, 200, jpeg.length >> 1])
        expect(await ingest(jpeg.subarray(0, -missing)), `${missing} bytes`).toMatchObject({ code: 'CORRUPT' });
    }
  });
});

describe('a picture that moves', () => {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };

  it('is a photo of its first picture as PNG', async () => {
    const png = await open().png().toBuffer();
    const [afterHead, size] = [33, Buffer.alloc(26)];
    size.writeUInt32BE(320, 4);
    size.writeUInt32BE(240, 8);
    const moves = [chunk('acTL', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0])), chunk('fcTL', size)];
    const photo = await make(Buffer.concat([png.subarray(0, afterHead), ...moves, png.subarray(afterHead)]));
    expect(photo).toMatchObject({ mime: 'image/apng', width: 320, height: 240 });
    expect(distance(await drawUnmarked(largeOf(photo), mediaKey), painting.rgb)).toBeLessThan(9);
  });

  it('is a photo of the picture that stands beside its track as AVIF', async () => {
    const avif = await open().avif({ quality: 80, effort: 0 }).toBuffer();
    avif.write('avis', 8, 'latin1');
    const photo = await make(avif);
    expect(photo).toMatchObject({ mime: 'image/avif', width: 320, height: 240 });
    expect(distance(await drawUnmarked(largeOf(photo), mediaKey), painting.rgb)).toBeLessThan(9);
  });
});

it('a panorama stays sharp: it covers as much as other photos do, and its thumbnail too', async () => {
  const wide = await sharp({ create: { width: 5000, height: 250, channels: 3, background: '#a05' } })
    .png()
    .toBuffer();
  const photo = await make(wide);
  expect(photo.packs.map(({ track, header }) => [track, header.width, header.height])).toEqual([
    ['p2048', 5000, 250],
    ['thumb512', 2048, 102],
  ]);
});
