/** Draws the pictures of the signed-out home from the same scenes as the demo album: `node scripts/draw-landing.ts`. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { pictures } from '#db/scenes/pictures.ts';

const folder = path.join(import.meta.dirname, '../src/features/marketing/pictures');
const shown = ['evening', 'shutters', 'petals', 'fronds', 'lamp', 'sea', 'dunes', 'linen', 'city'];

mkdirSync(folder, { recursive: true });
for (const name of shown) {
  const svg = pictures[name]?.();
  if (svg === undefined) throw new Error(`There is no picture "${name}".`);
  await sharp(Buffer.from(svg))
    .resize(360, 360, { fit: 'cover' })
    .webp({ quality: 60, effort: 6 })
    .toFile(path.join(folder, `${name}.webp`));
}
