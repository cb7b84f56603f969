import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { chunksOf, distance, drawTiles, drawUnmarked, openTiles } from '#tests/support/media/open-pack.ts';
import { openPainting, paint, paintJpeg } from '#tests/support/media/paint.ts';
import { mirrorBlockhash } from '../blockhash.ts';
import { newMediaKey } from '../formats/keys.ts';
import { type MadePhoto, openPhotoDecoder } from './photo-decoder.ts';

const walls = await openWalls({ hidden: [] });
const decoder = openPhotoDecoder(walls);
afterAll(() => decoder.close());

const mediaKey = newMediaKey();
const ingest = (bytes: Buffer, from = decoder) =>
  from.ingest({ mediaKey, sizeBytes: bytes.length, openOriginal: () => Readable.from([bytes]) });
const make = async (bytes: Buffer): Promise<MadePhoto> => {
  const made = await ingest(bytes);
  if (made.outcome === 'failed') throw new Error(`${made.code}: ${made.words}`);
  return made.photo;
};
const packOf = (photo: MadePhoto, track: 'p2048' | 'thumb512') => {
  const pack = photo.packs.find((each) => each.track === track);
  if (!pack) throw new Error(`no ${track}`);
  return pack;
};
const bitsApart = (one: string, other: string) =>
  Array.from(
    BigInt(`0x${one}`) ^ BigInt(`0x${other}`) ? (BigInt(`0x${one}`) ^ BigInt(`0x${other}`)).toString(2) : '',
  ).filter((bit) => bit === '1').length;

const painting = paint(7, 1200, 900);
const jpeg = await paintJpeg(7, 1200, 900);
/** What it becomes, for all who only look at it. */
const photo = await make(jpeg);

describe('a photo', () => {
  it('is given up after the time that its order allows', async () => {
    const order = { mediaKey, sizeBytes: jpeg.length, openOriginal: () => Readable.from([jpeg]), jobSeconds: 0.001 };
    expect(await decoder.ingest(order)).toMatchObject({ outcome: 'failed', code: 'TIMEOUT' });
  });

  it('becomes a pack of 2048 px at most, a thumbnail of 512 px and the small things, with their true sizes', async () => {
    expect(photo).toMatchObject({ mime: 'image/jpeg', width: 1200, height: 900 });
    expect(photo.packs.map(({ track, header }) => [track, header.width, header.height, header.tiles])).toEqual([
      ['p2048', 1200, 900, 252],
      ['thumb512', 512, 384, 48],
    ]);
    const teaser = await sharp(photo.teaser).metadata();
    expect([teaser.format, teaser.width, teaser.height]).toEqual(['webp', 32, 24]);
    expect(photo.teaser.length).toBeLessThan(1000);
    expect(photo.thumbhash.length).toBeLessThan(26);
  });

  it('looks like the original in both variants, and the variants differ', async () => {
    const pack = packOf(photo, 'p2048');
    const [a, b] = [await drawTiles(pack, mediaKey, 1), await drawTiles(pack, mediaKey, 0)];
    expect(distance(a, painting.rgb)).toBeLessThan(8);
    expect(distance(b, painting.rgb)).toBeLessThan(8);
    expect(distance(a, b)).toBeGreaterThan(0.5);
  });

  it('is encrypted: no tile can be read without the key, and none stands in the file in the clear', async () => {
    const pack = packOf(photo, 'p2048');
    expect(() => openTiles(pack, randomBytes(32), 1)).toThrow();
    expect(pack.bytes.includes('WEBP')).toBe(false);
  });

  it('never meets its old keys again when the work is repeated', async () => {
    const [first, second] = [photo, await make(jpeg)];
    const ids = [...first.packs, ...second.packs].map(({ packId }) => packId);
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('loses position, device and time, and the creator is told', async () => {
    expect(photo.removed).toEqual(['device', 'location', 'text', 'time']);
    const clear = [
      photo.teaser,
      ...photo.packs.flatMap((pack) => [...openTiles(pack, mediaKey, 0), ...openTiles(pack, mediaKey, 1)]),
    ];
    for (const bytes of clear) {
      expect(chunksOf(bytes)).toEqual(['VP8 ']);
      for (const word of ['Exif', 'Paintbox', 'SN-0815', 'http', 'ICC_PROFILE', 'Mara'])
        expect(bytes.includes(word)).toBe(false);
    }
  });

  it('that is smaller than a rendition is not enlarged, down to one pixel', async () => {
    const tiny = await make(
      await openPainting(paint(3, 1, 1))
        .png()
        .toBuffer(),
    );
    expect(tiny.packs.map(({ header }) => [header.width, header.height, header.tiles])).toEqual([
      [1, 1, 1],
      [1, 1, 1],
    ]);
    const strip = await make(
      await openPainting(paint(3, 3000, 4))
        .png()
        .toBuffer(),
    );
    expect(packOf(strip, 'p2048').header).toMatchObject({ width: 3000, height: 4 });
  });

  it('has a teaser of less than 1 kB even when it is nothing but noise', async () => {
    const noise = { width: 64, height: 64, rgb: randomBytes(3 * 64 * 64) };
    expect((await make(await openPainting(noise).png().toBuffer())).teaser.length).toBeLessThan(1000);
  });

  it('is known again by its blockhash after it was shrunk and saved badly, also mirrored, and differs from others', async () => {
    const copy = await make(await sharp(jpeg).resize(500).jpeg({ quality: 40 }).toBuffer());
    const mirrored = await make(await sharp(jpeg).flop().toBuffer());
    const other = await make(await paintJpeg(8, 600, 450));
    expect(bitsApart(photo.blockhash, copy.blockhash)).toBeLessThanOrEqual(32);
    expect(bitsApart(photo.mirroredBlockhash, mirrored.blockhash)).toBeLessThanOrEqual(12);
    expect(bitsApart(photo.blockhash, other.blockhash)).toBeGreaterThan(48);
    expect(mirrorBlockhash(photo.mirroredBlockhash)).toBe(photo.blockhash);
  });
});

describe('every way to write the same picture', () => {
  const small = paint(5, 320, 240);
  const pixels = async (bytes: Buffer) => drawUnmarked(packOf(await make(bytes), 'p2048'), mediaKey);
  const open = () => openPainting(small);

  it('comes out upright from all eight orientations', async () => {
    const upright = await pixels(await open().png().toBuffer());
    // What a camera held that way would have stored: the inverse of what its tag asks for.
    const turned: Record<number, (picture: Sharp) => Sharp> = {
      1: (p) => p,
      2: (p) => p.flop(),
      3: (p) => p.rotate(180),
      4: (p) => p.flip(),
      5: (p) => p.flop().rotate(270),
      6: (p) => p.rotate(270),
      7: (p) => p.flop().rotate(90),
      8: (p) => p.rotate(90),
    };
    for (const [orientation, turn] of Object.entries(turned)) {
      const stored = await turn(open()).png().toBuffer();
      const tagged = await sharp(stored)
        .jpeg({ quality: 95 })
        .withMetadata({ orientation: Number(orientation) })
        .toBuffer();
      expect(distance(await pixels(tagged), upright), `orientation ${orientation}`).toBeLessThan(6);
    }
  });

  it.each([
    ['PNG', () => open().png()],
    ['PNG of 16 bits', () => open().toColourspace('rgb16').png()],
    ['WebP', () => open().webp({ quality: 95 })],
    ['AVIF', () => open().avif({ quality: 80, effort: 0 })],
    ['TIFF', () => open().tiff({ compression: 'none' })],
    ['GIF', () => open().gif()],
    ['JPEG in CMYK', () => open().toColourspace('cmyk').jpeg({ quality: 95 })],
    ['JPEG in Display P3', () => open().withIccProfile('p3').jpeg({ quality: 95 })],
    ['progressive JPEG', () => open().jpeg({ quality: 95, progressive: true })],
  ] as const)('%s looks the same', async (kind, write) => {
    const apart = distance(await pixels(await write().toBuffer()), small.rgb);
    expect(apart).toBeLessThan(kind === 'JPEG in CMYK' ? 16 : kind === 'GIF' ? 14 : 9);
  });

  it('a grey picture stays grey', async () => {
    const grey = await pixels(await open().greyscale().png().toBuffer());
    expect(grey.every((level, i) => Math.abs(level - (grey[i - (i % 3)] ?? 0)) <= 6)).toBe(true);
  });

  it('a transparent picture lies on white', async () => {
    const clear = await sharp({ create: { width: 64, height: 64, channels: 4, background: '#f000' } })
      .png()
      .toBuffer();
    expect(distance(await pixels(clear), Buffer.alloc(3 * 64 * 64, 255))).toBeLessThan(1);
  });
});

describe('a file that is no photo of ours', () => {
  const refused = async (bytes: Buffer) => {
    const result = await ingest(bytes);
    return result.outcome === 'failed' ? result.code : result.outcome;
  };

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>'],
    ['HTML', '<!doctype html><img src=x onerror=alert(1)>'],
    ['a libvips file', '\u{b6}\u{a6}\u{f2}\u{08}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['a PDF', '%PDF-1.7\n1 0 obj\n'],
    ['a playlist', '#EXTM3U\nhttp://127.0.0.1/x.ts'],
    ['nothing', ''],
  ])('%s is not supported', async (_, text) => {
    expect(await refused(Buffer.from(text, 'latin1'))).toBe('UNSUPPORTED');
  });

  it('is damaged when it is cut anywhere after its beginning', async () => {
    const png = await openPainting(painting).png({ compressionLevel: 1 }).toBuffer();
    for (const share of [0.02, 0.3, 0.9]) {
      expect(await refused(jpeg.subarray(0, Math.floor(jpeg.length * share)))).toBe('CORRUPT');
      expect(await refused(png.subarray(0, Math.floor(png.length * share)))).toBe('CORRUPT');
    }
  });

  it('is damaged when its header lies about its type', async () => {
    expect(await refused(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(2000)]))).toBe('CORRUPT');
    expect(await refused(Buffer.concat([Buffer.from('GIF89a'), Buffer.from('*/=1;alert(1)')]))).toBe('CORRUPT');
  });

  it.each([
    ['30,000 x 30,000 px', 30_000, 30_000],
    ['20,001 x 5 px', 20_001, 5],
    ['2³¹−1 px', 2 ** 31 - 1, 2 ** 31 - 1],
    ['15,000 x 14,000 px', 15_000, 14_000],
  ])('is too big at %s, said from its header alone', async (_, width, height) => {
    expect(await refused(pngHeader(width, height))).toBe(width === 2 ** 31 - 1 ? 'CORRUPT' : 'TOO_BIG');
  });

  it('is too big by its bytes without being opened', async () => {
    let isOpened = false;
    const openOriginal = () => {
      isOpened = true;
      return Readable.from([jpeg]);
    };
    const result = await decoder.ingest({ mediaKey, sizeBytes: 50_000_001, openOriginal });
    expect([result, isOpened]).toMatchObject([{ outcome: 'failed', code: 'TOO_BIG' }, false]);
  });

  it.each(['heic', 'avif'])(
    'is %s by its first bytes: it waits until the other one has left its decoder',
    async (brand) => {
      const head = Buffer.from(`\0\0\0\u0018ftyp${brand}\0\0\0\0mif1${brand}`, 'latin1');
      const heic = Buffer.concat([head, randomBytes(2000)]);
      const happened: string[] = [];
      const pass = async (name: string) => {
        const openOriginal = () => {
          happened.push(`${name} opened`);
          return Readable.from([heic]);
        };
        const made = await decoder.ingest({ mediaKey, sizeBytes: heic.length, openOriginal });
        happened.push(`${name} done`);
        return made.outcome;
      };
      expect(await Promise.all([pass('a'), pass('b')])).toEqual(['failed', 'failed']);
      // Each is looked at, and opened once more for its child.
      expect(happened.slice(0, 2).sort()).toEqual(['a opened', 'b opened']);
      const [first, second] = happened[2] === 'a opened' ? ['a', 'b'] : ['b', 'a'];
      expect(happened.slice(2)).toEqual([`${first} opened`, `${first} done`, `${second} opened`, `${second} done`]);
    },
  );

  it('does not stop those that come after it', async () => {
    expect((await make(jpeg)).width).toBe(1200);
  });
});

describe('a photo that costs too much', () => {
  it('in time fails with TIMEOUT', async () => {
    const hasty = openPhotoDecoder(walls, { taskSeconds: 0.05 });
    expect(await ingest(jpeg, hasty)).toMatchObject({ outcome: 'failed', code: 'TIMEOUT' });
    await hasty.close();
  });

  it('in memory fails with TOO_BIG', async () => {
    const narrow = openPhotoDecoder(walls, { peakBytes: 30e6 });
    expect(await ingest(await paintJpeg(1, 3000, 2000), narrow)).toMatchObject({ outcome: 'failed', code: 'TOO_BIG' });
    await narrow.close();
  });
});

/** A PNG that promises a size and holds almost nothing. */
function pngHeader(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(99))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
