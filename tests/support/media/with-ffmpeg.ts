import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs ffmpeg on files of a folder that goes afterwards; `{in}` and `{out}` stand for their names. */
export async function withFfmpeg(
  files: Record<string, Buffer>,
  args: readonly string[],
  output: string,
): Promise<Buffer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-leak-'));
  try {
    for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(folder, name), bytes);
    const line = ['-v', 'error', '-y', '-threads', '1', ...args, output];
    await run('ffmpeg', line, { cwd: folder });
    return readFileSync(path.join(folder, output));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * A recording of a phone's screen on which somebody leafs through photos, each for a while.
 * @param isUneven it has frames only where something moves, as many recorders write them
 */
export async function recordScreen(
  photos: readonly Buffer[],
  { seconds = 3, width = 720, height = 1280, crf = 28, isUneven = false } = {},
): Promise<Buffer> {
  const inputs = photos.flatMap((_, n) => ['-loop', '1', '-framerate', '30', '-t', String(seconds), '-i', `${n}.png`]);
  const fit = `scale=${width}:${height}:force_original_aspect_ratio=decrease,pad=${width}:${height}:-1:-1:0x17141f`;
  const steps = photos.map((_, n) => `[${n}:v]${fit},setsar=1,fade=in:0:9,format=yuv420p[s${n}]`);
  const joined = `${photos.map((_, n) => `[s${n}]`).join('')}concat=n=${photos.length}${isUneven ? ',mpdecimate' : ''}[v]`;
  const filter = ['-filter_complex', [...steps, joined].join(';'), '-map', '[v]'];
  const files = Object.fromEntries(photos.map((photo, n) => [`${n}.png`, photo]));
  return withFfmpeg(
    files,
    [...inputs, ...filter, '-fps_mode', 'vfr', '-c:v', 'libx264', '-crf', String(crf)],
    'screen.mp4',
  );
}
