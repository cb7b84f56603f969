import { mkdirSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { pictures } from './pictures.ts';

/**
 * Draws the pictures as JPEG files into a folder: `node db/scenes/draw-child.ts <folder> [name …]`.
 * A process of its own, so that the image library never enters the server.
 */
const [folder, ...names] = process.argv.slice(2);
if (folder === undefined) throw new Error('Say into which folder.');
mkdirSync(folder, { recursive: true });
for (const name of names.length > 0 ? names : Object.keys(pictures)) {
  const svg = pictures[name]?.();
  if (svg === undefined) throw new Error(`There is no picture "${name}".`);
  await sharp(Buffer.from(svg))
    .jpeg({ quality: 90 })
    .toFile(path.join(folder, `${name}.jpg`));
}
