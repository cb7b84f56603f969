/** Draws the pictures of the signed-out home and of /demo from the same scenes as the demo album: `node scripts/draw-landing.ts`. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { pictures } from '#db/scenes/pictures.ts';

const folder = path.join(import.meta.dirname, '../src/features/marketing/pictures');
const shown = ['evening', 'shutters', 'petals', 'fronds', 'lamp', 'sea', 'dunes', 'linen', 'city'];

/** Behind a whole screen. */
const wholeScreens = ['evening', 'lamp'];

async function draw(name: string, file: string, [width, height]: readonly [number, number]): Promise<void> {
  const svg = pictures[name]?.();
  if (svg === undefined) throw new Error(`There is no picture "${name}".`);
  await sharp(Buffer.from(svg))
    .resize(width, height, { fit: 'cover' })
    .webp({ quality: 60, effort: 6 })
    .toFile(path.join(folder, `${file}.webp`));
}

mkdirSync(folder, { recursive: true });
for (const name of shown) await draw(name, name, [360, 360]);
for (const name of wholeScreens) await draw(name, `${name}-large`, [1080, 1350]);
