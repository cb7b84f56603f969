import { execFileSync, spawnSync } from 'node:child_process';
import { findCameraMaterial } from '#tests/support/media/camera-material.ts';
import { drawVideo, joinClips } from '#tests/support/tracing/leaked-clips.ts';
import { isFull } from '../counts.ts';
import { loadPhotos } from './marked-photos.ts';

/** A video that is leaked, and where its pictures come from. */
export interface VideoSource {
  name: string;
  /** How much longer than wanted a clip of it may have to be. */
  longer: number;
  /** Nothing moves in it. */
  isStill?: boolean;
  make(): Promise<Buffer>;
}

/** A clip of a camera has its part in the proof from this length on; and so many pixels on its shorter side. */
const [leastSeconds, leastPixels] = [2, 240];
/** Frames whose levels lie nearer together than this show nothing: there are test files of one colour. */
const leastSpread = 8;

/** Nothing where ffprobe cannot tell. */
function measure(path: string): { seconds: number; pixels: number } {
  const args = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'stream=width,height:format=duration'];
  const { stdout } = spawnSync('ffprobe', [...args, '-of', 'json', path], { encoding: 'utf8' });
  const { streams = [], format = {} } = JSON.parse(stdout || '{}');
  const { width = 0, height = 0 } = streams[0] ?? {};
  return { seconds: Number(format.duration) || 0, pixels: Math.min(width, height) };
}

/** Returns whether each of its frames, one a second, shows something. */
function showsSomething(path: string): boolean {
  const [width, height] = [64, 36];
  const args = ['-v', 'error', '-t', '60', '-i', path, '-vf', `fps=1,scale=${width}:${height},format=gray`];
  const bytes = execFileSync('ffmpeg', [...args, '-f', 'rawvideo', '-'], { stdio: ['ignore', 'pipe', 'ignore'] });
  for (let from = 0; from < bytes.length; from += width * height) {
    const frame = bytes.subarray(from, from + width * height);
    const mean = frame.reduce((sum, level) => sum + level, 0) / frame.length;
    const variance = frame.reduce((sum, level) => sum + (level - mean) ** 2, 0) / frame.length;
    if (Math.sqrt(variance) < leastSpread) return false;
  }
  return bytes.length > 0;
}

/** Clips that a camera made and that show something; what was made for tests is none. */
const findCameraClips = () =>
  (findCameraMaterial() ?? [])
    .filter(
      ({ name, sniffed, reference }) =>
        sniffed?.startsWith('video/') && reference.startsWith('ok') && !name.startsWith('made__'),
    )
    .map(({ path }) => ({ path, ...measure(path) }))
    .filter(({ seconds, pixels }) => seconds >= leastSeconds && pixels >= leastPixels)
    .filter(({ path }) => showsSomething(path));

/** The videos of the proof: a drawn one; in its full form another that stands still, also one of panned photos of cameras and one of the clips of cameras. */
export async function findVideos(params: { seconds: number; width: number; height: number }): Promise<VideoSource[]> {
  const drawn = { name: 'drawn', longer: 1, make: () => drawVideo(params) };
  const still = {
    name: 'drawn, standing still',
    // A coder leaves out some of what changes there; how much differs with the secret pattern, by a third from run to run.
    longer: 4 / 3,
    isStill: true,
    make: () => drawVideo({ ...params, isStill: true }),
  };
  if (!isFull) return [drawn];
  if (!findCameraMaterial()) {
    process.stdout.write('Only a drawn video is leaked: there are no files of cameras, set PF_MEDIA.\n');
    return [drawn, still];
  }
  const panned = {
    name: 'camera photos, panned',
    // Photographs hold less of a mark in each of their pieces, and here each is looked at for eight seconds.
    longer: 4 / 3,
    make: async () => drawVideo({ ...params, pictures: (await loadPhotos(8, 2048)).map(({ frame }) => frame) }),
  };
  const clips = findCameraClips();
  if (clips.length === 0) process.stdout.write('No clip of a camera shows something: its rows are skipped.\n');
  const joined = { name: `${clips.length} camera clips, joined`, longer: 1, make: () => joinClips(clips, params) };
  return [drawn, still, panned, ...(clips.length > 0 ? [joined] : [])];
}
