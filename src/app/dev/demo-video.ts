import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { openWalls } from '#engines/children/walls.ts';
import { openVideoEngine } from '#engines/video/open-engine.ts';
import { dayMs } from '#kit/time.ts';
import type { Making } from './demo-making.ts';
import { seedAlbum } from './seeding.ts';

const run = promisify(execFile);

/**
 * Puts a video that is drawn here into an album of its own.
 * @returns the album's id; nothing where this machine makes no videos
 */
export async function makeVideo({
  engines,
  root,
  folder,
  creator,
  endMs,
  signal,
}: Making): Promise<string | undefined> {
  const walls = await openWalls({ hidden: [engines.installation.dataDir] });
  if ((await openVideoEngine(walls)) === undefined) return undefined;
  const file = path.join(folder, 'after-dark.avi');
  await run(process.execPath, [path.join(root, 'db/scenes/video-child.ts'), file], { signal });
  const at = new Date(endMs - 5 * dayMs);
  const albumId = await seedAlbum(engines, creator, { name: 'After dark', files: [file], at, signal });
  const { album } = await creator.caller.albums.one({ albumId });
  return album.state === 'ready' ? albumId : undefined;
}
