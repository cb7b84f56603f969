import { existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { cameraExif, openPainting, paint } from '#tests/support/media/paint.ts';

/**
 * Draws 12-megapixel JPEGs with a camera's EXIF and position: `node bench/draw-child.ts <folder> <number>`. Painted at a quarter
 * of the pixels, enlarged, and grained again, so that they weigh about what a phone's photos weigh.
 */
const [folder = '', count = '24'] = process.argv.slice(2);
const [width, height] = [4032, 3024];
mkdirSync(folder, { recursive: true });
const grain = await sharp({
  create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 9 } },
})
  .raw()
  .toBuffer();
for (let n = 1; n <= Number(count); n++) {
  const file = path.join(folder, `photo-${String(n).padStart(2, '0')}.jpg`);
  if (existsSync(file)) continue;
  await openPainting(paint(n, width / 4, height / 4))
    .resize(width, height, { kernel: 'cubic' })
    .composite([{ input: grain, raw: { width, height, channels: 3 }, blend: 'soft-light' }])
    .jpeg({ quality: 88 })
    .withExif(cameraExif)
    .toFile(`${file}.part`);
  renameSync(`${file}.part`, file);
}
