import sharp from 'sharp';
import { expect, it } from 'vitest';
import { hardenSharp } from '../decode-photo.ts';

const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
);
const wide = { width: 300, height: 300, channels: 3, background: '#fff' } as const;
const jpeg = await sharp({ create: wide }).jpeg().toBuffer();
const formatOf = (bytes: Buffer) =>
  sharp(bytes)
    .metadata()
    .then(({ format }) => format);

// Whatever a file is taken for, this wall stands behind it; the order of these two matters.
it('libvips reads documents that load others, as it comes', async () => {
  expect([await formatOf(svg), await formatOf(jpeg)]).toEqual(['svg', 'jpeg']);
});

it('libvips knows no reader but those of photos, once it is hardened', async () => {
  hardenSharp();
  await expect(formatOf(svg)).rejects.toThrow('unsupported image format');
  expect(await formatOf(jpeg)).toBe('jpeg');
});
