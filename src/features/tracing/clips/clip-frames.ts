import { Readable } from 'node:stream';
import type { Walls } from '#engines/children/walls.ts';
import { openWorkbench, type Workbench } from '#engines/children/workbench.ts';
import { type FramesRequest, type Probe, type VideoEngine, VideoRefused } from '#engines/video/video.ts';
import { mostSeconds, type Size } from './clip-job.ts';
import { clockFps, type ShownSecond } from './find-video.ts';
import { smallHeight, smallWidth } from './small-frames.ts';
import type { Still } from './stills.ts';
import type { VideoRung } from './video-candidates.ts';

/** Where frames are read out of clips and videos: everything behind the wall. */
export interface Darkroom {
  walls: Walls;
  engine: VideoEngine;
  signal?: AbortSignal | undefined;
}

/** A clip that lies on its bench. */
export interface LaidClip extends Darkroom {
  bench: Workbench;
  probe: Probe;
  /** Of its frames as they are read. */
  size: Size;
}

const small = { width: smallWidth, height: smallHeight };
/** More pixels of a frame tell nothing more. */
const mostPixels = 2e6;

/** In what size frames of a clip are read: as they are, or smaller. */
export function readingSize({ width, height }: Size): Size {
  const scale = Math.min(1, Math.sqrt(mostPixels / (width * height)));
  return { width: Math.max(16, Math.round(scale * width)), height: Math.max(16, Math.round(scale * height)) };
}

/** All frames of a clip, small, as far as one is read. */
export const readSmallFrames = ({ engine, bench, probe, signal }: LaidClip): Promise<Buffer> =>
  engine.readFrames(bench, probe, { ...small, firstSecond: 0, frames: clockFps * mostSeconds }, signal);

/** Moments of a clip in colour, as far as there are frames of them; `second` is where in the clip. */
export async function readStills(
  clip: LaidClip,
  stills: readonly Still[],
): Promise<{ picture: Buffer; second: number }[]> {
  const read = [];
  for (const still of stills) {
    const picture = await readStill(clip, still);
    if (picture) read.push({ picture, second: Math.round((10 * still.at) / clockFps) / 10 });
  }
  return read;
}

/** Begins where the picture came: what stands since then has no frame of its own. */
async function readStill(
  { engine, bench, probe, size, signal }: LaidClip,
  { at, cameAfter }: Still,
): Promise<Buffer | undefined> {
  const firstSecond = Math.floor(cameAfter / clockFps);
  const moments = { firstSecond, frames: Math.floor(at / clockFps) - firstSecond + 1, ofEach: [at % clockFps] };
  try {
    const frames = await engine.readFrames(bench, probe, { ...size, ...moments, isInColour: true }, signal);
    return frames.subarray(-3 * size.width * size.height);
  } catch (error) {
    if (error instanceof VideoRefused) return undefined;
    throw error;
  }
}

/** Seconds of a video that are opened at once. */
const usualStretch = 300;

/** The key frame of every second of a video, small. */
export async function readKeyFrames(room: Darkroom, rung: VideoRung, stretch = usualStretch): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let from = 0; from < rung.segments; from += stretch) {
    const count = Math.min(stretch, rung.segments - from);
    const wanted = { ...small, firstSecond: 0, frames: count, isKeyFramesOnly: true };
    parts.push(await readStored(room, await rung.open(1, from, count), wanted));
  }
  return Buffer.concat(parts);
}

/** What we stored ourselves has one picture and nothing else. */
const stored = { videoStream: 0 };

async function readStored({ walls, engine, signal }: Darkroom, video: Buffer, wanted: FramesRequest): Promise<Buffer> {
  const bench = await openWorkbench(walls, Readable.from([video]), signal);
  try {
    return await engine.readFrames(bench, stored, wanted, signal);
  } catch (error) {
    // Whatever is wrong with it, the copy is not to blame.
    throw error instanceof VideoRefused ? new Error('a stored video could not be read', { cause: error }) : error;
  } finally {
    await bench.close();
  }
}

/**
 * Frames of each second that are read, away from where one pattern ends and the next begins. Coded small, one alone is read wrong in
 * one second of six, five together in one of thirty.
 */
export const framesRead: readonly number[] = [5, 10, 15, 20, 25];
/** A clip's frame may be the one before or after. */
const neighbours = [-1, 0, 1];
/** Clip frames that may show one frame of the video. */
export const choices = neighbours.length;

/** Seconds that follow each other in the video and in the clip, so that all of them are read at once. */
export interface Run {
  /** In the video. */
  from: number;
  /** Frame of the clip on which the first one begins. */
  at: number;
  count: number;
}

/** Cuts what a clip shows into runs of at most so many seconds. */
export function runsOf(seconds: readonly ShownSecond[], most: number): Run[] {
  const runs: Run[] = [];
  for (const { second, at } of seconds) {
    const last = runs.at(-1);
    const isNext =
      last !== undefined &&
      last.count < most &&
      second === last.from + last.count &&
      at === last.at + clockFps * last.count;
    if (isNext) last.count++;
    else runs.push({ from: second, at, count: 1 });
  }
  return runs;
}

/** So many bytes of frames are handed over at once. */
const mostBytes = 80e6;

/** Returns how many seconds are read at once. */
export const secondsAtOnce = (video: Size, clip: Size): number => {
  const each = framesRead.length * (2 * video.width * video.height + choices * clip.width * clip.height);
  return Math.max(1, Math.min(12, Math.floor(mostBytes / each)));
};

/** Frames of a run: for each second and frame A, B, and the clip's frames that may show it. */
export async function readRun(clip: LaidClip, rung: VideoRung, run: Run, frames = framesRead): Promise<Buffer[]> {
  const { width, height } = rung;
  const wanted = { width, height, firstSecond: 0, frames: frames.length * run.count, ofEach: frames };
  const variantOf = async (slot: 0 | 1) => readStored(clip, await rung.open(slot, run.from, run.count), wanted);
  const [a, b] = [await variantOf(1), await variantOf(0)];
  const shown = await readShown(clip, run, frames);
  const videoFrame = (all: Buffer, n: number) => frameAt(all, n, width * height);
  return Array.from({ length: run.count }, (_second, s) =>
    frames.flatMap((frame, f) => {
      const n = s * frames.length + f;
      const own = neighbours.map((near) => shown(run.at + clockFps * s + frame + near));
      return [videoFrame(a, n), videoFrame(b, n), ...own];
    }),
  ).flat();
}

/** One moment of a video and the clip's frame that shows it, in colour: A, B and the clip's. */
export async function readMoment(clip: LaidClip, rung: VideoRung, { second, at }: ShownSecond): Promise<Buffer[]> {
  const { engine, bench, probe, size, signal } = clip;
  const { width, height } = rung;
  const middle = clockFps / 2;
  const one = { frames: 1, isInColour: true };
  const wanted = { ...one, width, height, firstSecond: 0, ofEach: [middle] };
  const variantOf = async (slot: 0 | 1) => readStored(clip, await rung.open(slot, second, 1), wanted);
  const [firstSecond, frame] = [Math.floor((at + middle) / clockFps), (at + middle) % clockFps];
  const shown = { ...one, ...size, firstSecond, ofEach: [frame] };
  return [await variantOf(1), await variantOf(0), await engine.readFrames(bench, probe, shown, signal)];
}

/** The clip's frames that a run needs, by their number on the clock. */
async function readShown({ engine, bench, probe, size, signal }: LaidClip, run: Run, frames: readonly number[]) {
  const wanted = frames.flatMap((frame) => neighbours.map((near) => run.at + frame + near));
  const inSecond = (n: number) => ((n % clockFps) + clockFps) % clockFps;
  const ofEach = [...new Set(wanted.map(inSecond))].toSorted((x, y) => x - y);
  const first = Math.max(0, Math.floor((run.at + Math.min(...frames) - 1) / clockFps));
  const seconds = Math.ceil((run.at + clockFps * run.count) / clockFps) - first + 1;
  const request = { ...size, firstSecond: first, frames: seconds * ofEach.length, ofEach };
  const all = await engine.readFrames(bench, probe, request, signal);
  return (n: number) => {
    const at = (Math.floor(n / clockFps) - first) * ofEach.length + ofEach.indexOf(inSecond(n));
    return frameAt(all, at, size.width * size.height);
  };
}

/** One of many frames; the last where a video ends sooner than its clock. */
function frameAt(all: Buffer, n: number, sizeBytes: number): Buffer {
  const at = Math.max(0, Math.min(n, Math.floor(all.length / sizeBytes) - 1)) * sizeBytes;
  return all.subarray(at, at + sizeBytes);
}
