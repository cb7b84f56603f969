import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { openWalls } from '#engines/children/walls.ts';
import { openPainting, paint } from '#tests/support/media/paint.ts';
import { openPhotoDecoder } from './decoding/photo-decoder.ts';
import { newMediaKey } from './formats/keys.ts';
import type { PhotoLimits } from './formats/photo-shapes.ts';
import { photoLimits } from './photo-limits.ts';
import { describeFailure } from './to-api.ts';

const decoder = openPhotoDecoder(await openWalls({ hidden: [] }));
afterAll(() => decoder.close());

describe('a photo', () => {
  it('is over the limit of its own kind: AVIF has one, as its decoder holds twice what others do', async () => {
    const avif = await openPainting(paint(7, 600, 400))
      .avif({ quality: 60, effort: 0 })
      .toBuffer();
    const orderOf = (changes: Partial<PhotoLimits>) => ({
      mediaKey: newMediaKey(),
      sizeBytes: avif.length,
      openOriginal: () => Readable.from([avif]),
      limits: { ...photoLimits, ...changes },
    });
    expect(photoLimits).toMatchObject({ pixels: 200e6, heicPixels: 50e6, avifPixels: 25e6 });
    expect(await decoder.ingest(orderOf({ avifPixels: 1e5 }))).toMatchObject({ code: 'TOO_BIG', limit: 'avifPixels' });
    expect(await decoder.ingest(orderOf({ heicPixels: 1e5 }))).toMatchObject({ outcome: 'made' });
    expect(describeFailure(photoLimits, 'avifPixels')).toBe('Photos can be up to 25 megapixels as AVIF.');
  });
});
