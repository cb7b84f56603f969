import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { World } from './world.ts';

const run = promisify(execFile);
const scenes = path.resolve(import.meta.dirname, '../../../db/scenes');

/** Runs a program beside this process, so that the image library never enters the server. */
const draw = async ({ signal }: World, program: string, ...args: readonly string[]): Promise<void> =>
  void (await run(process.execPath, [path.join(scenes, program), ...args], { signal }));

/** Draws a photo. */
export async function drawPhoto(world: World): Promise<Buffer> {
  await draw(world, 'draw-child.ts', world.folder, 'dunes');
  return readFileSync(path.join(world.folder, 'dunes.jpg'));
}

/** Draws a video of two seconds. */
export async function drawVideo(world: World): Promise<Buffer> {
  const file = path.join(world.folder, 'video.avi');
  await draw(world, 'video-child.ts', file, '2');
  return readFileSync(file);
}

/** Decrypts what was lent to a viewer, and saves it as a messenger does what is on a screen. @throws where a key does not fit */
export async function drawCopy(world: World, { pack, keys }: { pack: Buffer; keys: Buffer }): Promise<Buffer> {
  const [packFile, keysFile, copy] = ['pack', 'keys', 'copy.jpg'].map((name) => path.join(world.folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(packFile, pack);
  writeFileSync(keysFile, keys);
  await draw(world, 'screenshot-child.ts', packFile, keysFile, copy);
  return readFileSync(copy);
}
