import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { resultsFolder } from './figures.ts';
import { say } from './options.ts';

const run = promisify(execFile);

/** Videos are drawn by the ffmpeg program. */
export const canDrawVideos = (): boolean => spawnSync('ffmpeg', ['-version']).status === 0;

/** A video of 1080p as a phone makes it: a lens that wanders over a photograph, a sensor's noise, 16 Mbit/s, and a tone. Kept for the next run. */
export async function drawVideo(photo: string, seconds: number): Promise<string> {
  const file = path.join(resultsFolder, `video-${path.basename(photo, path.extname(photo))}-${seconds}.mp4`);
  if (existsSync(file)) return file;
  say(`drawing a video of ${seconds} s …`);
  mkdirSync(resultsFolder, { recursive: true });
  const still = 'scale=2560:1920:force_original_aspect_ratio=increase,format=yuv420p,loop=-1:1,setpts=N/30/TB,fps=30';
  const wander = `${still},crop=1920:1080:(iw-1920)/2*(1+sin(t/3)):(ih-1080)/2*(1+cos(t/4)),noise=alls=6:allf=t`;
  const picture = ['-i', photo];
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`];
  const codecs = ['-c:v', 'libx264', '-preset', 'veryfast', '-b:v', '16M', '-c:a', 'aac', '-t', String(seconds)];
  await run('ffmpeg', ['-v', 'error', '-y', ...picture, ...sound, '-vf', wander, ...codecs, file]);
  return file;
}
