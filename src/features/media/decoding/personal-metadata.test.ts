import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { paintJpeg } from '#tests/support/media/paint.ts';
import { findPersonalMetadata } from './personal-metadata.ts';

type Tag = [tag: number, count: number, value: number];

/** An Exif block of the given folders; each folder's tags, and where the next begins. */
function exifOf(...folders: Tag[][]): Buffer {
  const starts = folders.map((_, n) => 8 + folders.slice(0, n).reduce((sum, tags) => sum + 6 + 12 * tags.length, 0));
  const tiff = Buffer.alloc(1000);
  tiff.write('MM\0*', 'latin1');
  tiff.writeUInt32BE(8, 4);
  for (const [n, tags] of folders.entries()) {
    const at = starts[n] ?? 8;
    tiff.writeUInt16BE(tags.length, at);
    for (const [i, [tag, count, value]] of tags.entries()) {
      tiff.writeUInt16BE(tag, at + 2 + 12 * i);
      tiff.writeUInt16BE(4, at + 4 + 12 * i);
      tiff.writeUInt32BE(count, at + 6 + 12 * i);
      tiff.writeUInt32BE(value, at + 10 + 12 * i);
    }
  }
  return Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
}

describe('the receipt of what was removed', () => {
  it('names what a camera wrote', async () => {
    const { exif } = await sharp(await paintJpeg(1, 64, 48)).metadata();
    expect(findPersonalMetadata({ exif })).toEqual(['device', 'location', 'text', 'time']);
  });

  it('is empty for a picture that says nothing, or nothing but its orientation', () => {
    expect(findPersonalMetadata({})).toEqual([]);
    expect(findPersonalMetadata({ exif: exifOf([[0x0112, 1, 6]]) })).toEqual([]);
  });

  it('says thumbnail when a second folder holds one', () => {
    const exif = exifOf([[0x0112, 1, 1]], [[0x0201, 1, 500]]);
    exif.writeUInt32BE(26, 6 + 8 + 2 + 12);
    expect(findPersonalMetadata({ exif })).toEqual(['thumbnail']);
  });

  it('finds a position in the folder of its own', () => {
    expect(findPersonalMetadata({ exif: exifOf([[0x8825, 1, 26]], [[0x0002, 3, 0]]) })).toEqual(['location']);
  });

  it('does not call an empty position folder a location', () => {
    expect(findPersonalMetadata({ exif: exifOf([[0x8825, 1, 26]], [[0x0000, 4, 0]]) })).toEqual([]);
  });

  it('reads XMP and IPTC, and knows a moving photo', () => {
    const xmp = Buffer.from(
      '<rdf:Description GCamera:MotionPhoto="1" exif:GPSLatitude="48,51N" xmp:CreateDate="2024"/>',
    );
    expect(findPersonalMetadata({ xmp })).toEqual(['location', 'time', 'video']);
    expect(findPersonalMetadata({ xmp: Buffer.from('<x GCamera:MotionPhoto="0"/>') })).toEqual([]);
    expect(findPersonalMetadata({ iptc: Buffer.from([1]) })).toEqual(['text']);
  });

  it('ends on folders that lead in a circle', () => {
    expect(
      findPersonalMetadata({
        exif: exifOf([
          [0x8769, 1, 8],
          [0x010f, 1, 0],
        ]),
      }),
    ).toEqual(['device']);
  });

  it('survives whatever bytes a stranger writes', () => {
    const starts = fc.constantFrom('II*\0', 'MM\0*', 'Exif\0\0II*\0', '');
    fc.assert(
      fc.property(starts, fc.uint8Array({ maxLength: 400 }), (start, bytes) => {
        findPersonalMetadata({ exif: Buffer.concat([Buffer.from(start, 'latin1'), bytes]), xmp: Buffer.from(bytes) });
      }),
      { numRuns: 2000 },
    );
  });
});
