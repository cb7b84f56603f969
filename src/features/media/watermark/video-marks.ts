import { closeSync, read } from 'node:fs';
import { promisify } from 'node:util';
import type { Workbench } from '#engines/children/workbench.ts';
import type { VideoEngine, VideoFiles } from '#engines/video/video.ts';
import { levelUnit, middle, type PatternSize } from './video-pattern.ts';

/** A video in which the mark of a second is missing: that second would tell nobody who leaked it. */
export class VideoUnmarked extends Error {
  readonly code = 'UNMARKED';
  constructor(words: string) {
    super(words);
    this.name = 'VideoUnmarked';
  }
}

/**
 * So much of its pattern must be found in what the variants of a second differ by. Of clips of every kind a fifth is left at least, where
 * all is beyond white and either variant can go one way only, and mostly three quarters; where a mark is missing, a hundredth is found.
 */
const leastShare = 0.1;
/** So many places tell whether a pattern is there. */
const mostPlaces = 2048;
/** Averaging a pattern down to half its size leaves it, and takes most of what two encodings differ in by themselves. */
const shrunkBy = 2;
/** Shorter sides than this are left as they are. */
const shrunkFrom = 64;

/** Patterns on their way into a video, and what was noted of them. */
export interface NotedPatterns {
  patterns: AsyncGenerator<Uint8Array, void>;
  /** Of the pictures in which they are looked for. */
  size: PatternSize;
  /** Of each second's pattern what it does to the places, in units of `levelUnit`. */
  notes: readonly Int8Array[];
}

/** Notes patterns as they pass: two kB of each, which nobody keeps for longer than the video is made. */
export function notePatterns(source: AsyncIterable<Uint8Array>, { width, height }: PatternSize): NotedPatterns {
  const by = Math.min(width, height) < shrunkFrom ? 1 : shrunkBy;
  const size = { width: Math.floor(width / by), height: Math.floor(height / by) };
  const places = placesOf(size);
  const notes: Int8Array[] = [];
  const note = (levels: Uint16Array, place: number) => {
    const first = by * (Math.floor(place / size.width) * width + (place % size.width));
    let sum = 0;
    for (let y = 0; y < by; y++) for (let x = 0; x < by; x++) sum += levels[first + y * width + x] as number;
    return Math.round(sum / by ** 2) - middle;
  };
  async function* noted() {
    for await (const frame of source) {
      const levels = new Uint16Array(frame.buffer, frame.byteOffset, frame.byteLength / 2);
      notes.push(Int8Array.from(places, (place) => note(levels, place)));
      yield frame;
    }
  }
  return { patterns: noted(), size, notes };
}

/** Numbers of pixels, spread evenly over a picture. */
function placesOf({ width, height }: PatternSize): number[] {
  const count = Math.min(mostPlaces, width * height);
  return Array.from({ length: count }, (_, n) => Math.floor((n * width * height) / count));
}

/**
 * Looks for every second's pattern in what its variants really differ by, on every rung, so that it does not matter why one is missing.
 * @throws VideoUnmarked, or what reading the variants threw
 */
export async function refuseUnmarked(
  bench: Workbench,
  engine: VideoEngine,
  { rungs }: Pick<VideoFiles, 'rungs'>,
  noted: NotedPatterns,
  signal?: AbortSignal,
): Promise<void> {
  const names = await engine.drawDifferences(bench, rungs, noted.size, signal);
  for (const [n, { track, a }] of rungs.entries()) {
    const shares = await readShares(bench, names[n] ?? '', a.segments.length, noted);
    for (const [second, share] of shares.entries())
      if (share < leastShare) throw new VideoUnmarked(`${track}, second ${second}: ${share.toFixed(3)} of its mark`);
  }
}

const readAt = promisify(read);

/** The share of each second's pattern that one rung has; none of it in a second that could not be read. */
async function readShares(
  bench: Workbench,
  name: string,
  seconds: number,
  { size, notes }: NotedPatterns,
): Promise<number[]> {
  const shares = new Array<number>(seconds).fill(0);
  const picture = new Uint8Array(size.width * size.height);
  const file = bench.open(name, picture.length * (seconds + 1));
  if (file === undefined) return shares;
  const places = placesOf(size);
  try {
    for (const [second, note] of notes.slice(0, seconds).entries()) {
      const { bytesRead } = await readAt(file.descriptor, picture, 0, picture.length, second * picture.length);
      if (bytesRead === picture.length) shares[second] = shareOf(note, places, picture);
    }
  } finally {
    closeSync(file.descriptor);
    await bench.discard(name);
  }
  return shares;
}

/** By least squares. A has the pattern and B its mirror image, so all of it is the pattern twice. */
function shareOf(note: Int8Array, places: readonly number[], picture: Uint8Array): number {
  let [shared, energy] = [0, 0];
  for (const [n, place] of places.entries()) {
    const whole = (2 * (note[n] as number)) / levelUnit;
    shared += whole * ((picture[place] as number) - 128);
    energy += whole ** 2;
  }
  return energy > 0 ? shared / energy : 0;
}
