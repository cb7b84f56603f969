import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { blur, type Luma } from '#features/tracing/imaging/luma.ts';

/** A clip whose every second was treated by somebody who has nothing but this one copy. */
export interface Attacked {
  clip: Buffer;
  /** Of the treatment itself, before anything is coded again; endless where nothing was treated. */
  psnr: number;
}

const fps = 30;

/** One program beside us; `done` is refused where it fails. */
function run(args: readonly string[], cwd: string) {
  const child = spawn('ffmpeg', ['-v', 'error', '-threads', '1', ...args], { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  // Whoever writes into an end that is closed hears of it by `done`.
  child.stdin.on('error', () => undefined);
  const done = once(child, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
  });
  return { child, done };
}

/** A video in grey, as a player shows it, second by second. */
async function* secondsOf(raw: Readable, frameBytes: number): AsyncGenerator<Uint8Array> {
  let second = new Uint8Array(fps * frameBytes);
  let filled = 0;
  for await (const chunk of raw as AsyncIterable<Buffer>)
    for (let from = 0; from < chunk.length; ) {
      const part = chunk.subarray(from, from + second.length - filled);
      second.set(part, filled);
      filled += part.length;
      from += part.length;
      if (filled < second.length) continue;
      yield second;
      second = new Uint8Array(second.length);
      filled = 0;
    }
  if (filled > 0) yield second.subarray(0, filled);
}

/** Ends when the bytes are gone, so that their memory may be used again. */
const write = (into: Writable, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => into.write(bytes, (error) => (error ? reject(error) : resolve())));

/** A second of a video, and what stands still in it. */
interface Second {
  frames: Uint8Array;
  mean: Luma;
}

/** Every second between the one before and the one after it, where there are such. */
async function* withNeighbours(seconds: AsyncIterable<Uint8Array>, size: Size): AsyncGenerator<InContext> {
  let [before, here]: (Second | undefined)[] = [];
  for await (const frames of seconds) {
    const after = { frames, mean: meanOf(frames, size) };
    if (here) yield { here, beside: [before, after].flatMap((second) => second?.mean ?? []) };
    [before, here] = [here, after];
  }
  if (here) yield { here, beside: before ? [before.mean] : [] };
}

interface Size {
  width: number;
  height: number;
}
interface InContext {
  here: Second;
  beside: Luma[];
}

function meanOf(frames: Uint8Array, { width, height }: Size): Luma {
  const values = new Float32Array(width * height);
  for (let from = 0; from < frames.length; from += values.length)
    for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) + (frames[from + i] as number);
  const share = values.length / frames.length;
  return { width, height, values: values.map((sum) => sum * share) };
}

/** Returns what of a picture lies in the band of the mark, between fine grain and shapes, and moves it by `furthest` levels at most. */
function inBand(picture: Luma, furthest: number): Float32Array {
  const [fine, coarse] = [blur(picture, 1).values, blur(picture, 5).values];
  return fine.map((value, i) => Math.max(-furthest, Math.min(furthest, value - (coarse[i] as number))));
}

/** How somebody guesses at the pattern of each second who has nothing but one copy. */
export const guesses = {
  /** What stands still over a second while the picture moves. */
  mean: ({ here }: InContext) => inBand(here.mean, 6),
  /** What stands still over a second and is not there in the seconds beside it: of a picture that does not move itself, the pattern. */
  neighbours: ({ here: { mean }, beside }: InContext) =>
    mean.values.map((value, i) => {
      const others = beside.reduce((sum, { values }) => sum + (values[i] as number), 0);
      return beside.length === 0 ? 0 : Math.max(-3, Math.min(3, value - others / beside.length));
    }),
} as const satisfies Record<string, (context: InContext) => Float32Array>;

export type Guess = keyof typeof guesses;

/** Takes a guess out of every frame of a second. @returns the sum of what was moved, squared */
function takeOut(second: Uint8Array, guess: Float32Array, gain: number): number {
  let moved = 0;
  for (let from = 0; from < second.length; from += guess.length)
    for (let i = 0; i < guess.length; i++) {
      const was = second[from + i] as number;
      const is = Math.max(0, Math.min(255, Math.round(was - gain * (guess[i] as number))));
      second[from + i] = is;
      moved += (is - was) ** 2;
    }
  return moved;
}

/**
 * The averaging attack on one copy: the guess at each second's pattern is taken out `gain` times. Once removes it, twice turns it
 * round, and never leaves everything as it was. A few seconds at a time are held, however long the video.
 */
export async function attackVideo(video: Buffer, size: Size, guess: Guess, gain: number): Promise<Attacked> {
  const { width, height } = size;
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-attack-'));
  try {
    writeFileSync(path.join(folder, 'in.mp4'), video);
    const grey = ['-vf', `fps=${fps},scale=${width}:${height},format=gray`, '-f', 'rawvideo', '-'];
    const opened = run(['-i', 'in.mp4', ...grey], folder);
    const raw = ['-f', 'rawvideo', '-pixel_format', 'gray', '-video_size', `${width}x${height}`];
    const coding = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p', 'out.mp4'];
    const coded = run([...raw, '-framerate', String(fps), '-i', '-', ...coding], folder);
    const treat = async () => {
      let [moved, pixels] = [0, 0];
      for await (const context of withNeighbours(secondsOf(opened.child.stdout, width * height), size)) {
        const { frames } = context.here;
        moved += takeOut(frames, guesses[guess](context), gain);
        pixels += frames.length;
        await write(coded.child.stdin, frames);
      }
      coded.child.stdin.end();
      return 10 * Math.log10(255 ** 2 / (moved / pixels));
    };
    const [psnr] = await Promise.all([treat(), opened.done, coded.done]);
    return { clip: readFileSync(path.join(folder, 'out.mp4')), psnr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
