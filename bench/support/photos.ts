import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { resultsFolder } from './figures.ts';
import { say } from './options.ts';

const run = promisify(execFile);
const [fewestPixels, mostPixels] = [3e6, 20e6];

/**
 * Photos to work with: the sound camera JPEGs of a folder, else drawn ones, which are kept for the next run.
 * @param count how many at most
 */
export async function findPhotos(folder: string | undefined, count: number): Promise<string[]> {
  if (folder !== undefined) return (await findCameraPhotos(folder)).slice(0, count);
  const drawn = path.join(resultsFolder, 'photos');
  const files = Array.from({ length: count }, (_, n) =>
    path.join(drawn, `photo-${String(n + 1).padStart(2, '0')}.jpg`),
  );
  if (!files.every((file) => existsSync(file))) {
    say(`drawing ${count} photos of 12 megapixels …`);
    await run(process.execPath, [path.resolve(import.meta.dirname, '../draw-child.ts'), drawn, String(count)]);
  }
  return files;
}

/** JPEGs of a camera's size that decode without an error. @throws when the folder has none */
async function findCameraPhotos(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of readdirSync(folder).toSorted()) {
    if (!/\.jpe?g$/i.test(name)) continue;
    const file = path.join(folder, name);
    if (await isSound(file)) found.push(file);
  }
  if (found.length === 0) throw new Error(`There is no photo of 3 to 20 megapixels in ${folder}.`);
  return found;
}

async function isSound(file: string): Promise<boolean> {
  try {
    const { width, height } = await sharp(file).metadata();
    if (width * height < fewestPixels || width * height > mostPixels) return false;
    await sharp(file, { failOn: 'warning' }).resize(64).toBuffer();
    return true;
  } catch {
    return false; // a damaged file is no photo to measure with
  }
}
