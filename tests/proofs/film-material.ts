import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findCameraMaterial } from '#tests/support/camera-material.ts';
import { drawFilm, recode } from '#tests/support/leaked-clips.ts';
import { isFull } from './counts.ts';
import { loadPhotos } from './marked-photos.ts';

/** A film that is leaked, and where its pictures come from. */
export interface FilmSource {
  name: string;
  make(): Promise<Buffer>;
}

/** A film of a camera is worth a drill from this length on. */
const leastSeconds = 30;
/** Frames whose levels lie nearer together than this show nothing: there are test files of one colour. */
const leastSpread = 8;

/** Nothing where ffprobe cannot tell. */
function secondsOf(path: string): number {
  const args = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path];
  const { stdout } = spawnSync('ffprobe', args, { encoding: 'utf8' });
  return Number(stdout) || 0;
}

/** Whether each of its first frames, one in ten seconds, shows something. */
function showsSomething(path: string): boolean {
  const [width, height] = [64, 36];
  const args = ['-v', 'error', '-t', '60', '-i', path, '-vf', `fps=1/10,scale=${width}:${height},format=gray`];
  const bytes = execFileSync('ffmpeg', [...args, '-f', 'rawvideo', '-'], { stdio: ['ignore', 'pipe', 'ignore'] });
  for (let from = 0; from < bytes.length; from += width * height) {
    const frame = bytes.subarray(from, from + width * height);
    const mean = frame.reduce((sum, level) => sum + level, 0) / frame.length;
    const variance = frame.reduce((sum, level) => sum + (level - mean) ** 2, 0) / frame.length;
    if (Math.sqrt(variance) < leastSpread) return false;
  }
  return bytes.length > 0;
}

/** The longest film of a camera that is long enough and shows something. */
function findCameraFilm(): { name: string; path: string } | undefined {
  const films = (findCameraMaterial() ?? [])
    .filter(({ sniffed, reference }) => sniffed?.startsWith('video/') && reference.startsWith('ok'))
    .map(({ name, path }) => ({ name, path, seconds: secondsOf(path) }));
  return films
    .filter(({ seconds }) => seconds >= leastSeconds)
    .toSorted((a, b) => b.seconds - a.seconds)
    .find(({ path }) => showsSomething(path));
}

/** The films of the drill: a drawn one; in its full form also one of panned photos of cameras and one that a camera made. */
export async function findFilms(wish: { seconds: number; width: number; height: number }): Promise<FilmSource[]> {
  const drawn = { name: 'drawn', make: () => drawFilm(wish) };
  if (!isFull) return [drawn];
  if (!findCameraMaterial()) {
    process.stdout.write('Only a drawn film is leaked: there are no files of cameras, set PF_MEDIA.\n');
    return [drawn];
  }
  const panned = {
    name: 'camera photos, panned',
    make: async () => drawFilm({ ...wish, pictures: (await loadPhotos(8, 2048)).map(({ frame }) => frame) }),
  };
  const camera = findCameraFilm();
  if (camera === undefined)
    process.stdout.write(
      `No film of a camera that lasts ${leastSeconds} s and shows something: its rows are skipped.\n`,
    );
  const cut = ({ path }: { path: string }) => recode(readFileSync(path), ['-t', String(wish.seconds), '-c', 'copy']);
  return [drawn, panned, ...(camera ? [{ name: camera.name, make: () => cut(camera) }] : [])];
}
