import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { blur, type Luma } from '#features/tracing/luma.ts';

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

/** A film in grey, as a player shows it, second by second; each lies in the same memory as the one before. */
async function* secondsOf(raw: Readable, frameBytes: number): AsyncGenerator<Uint8Array> {
  const second = new Uint8Array(fps * frameBytes);
  let filled = 0;
  for await (const chunk of raw as AsyncIterable<Buffer>)
    for (let from = 0; from < chunk.length; ) {
      const part = chunk.subarray(from, from + second.length - filled);
      second.set(part, filled);
      filled += part.length;
      from += part.length;
      if (filled < second.length) continue;
      yield second;
      filled = 0;
    }
  if (filled > 0) yield second.subarray(0, filled);
}

/** Ends when the bytes are gone, so that their memory may be used again. */
const write = (into: Writable, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => into.write(bytes, (error) => (error ? reject(error) : resolve())));

/** A pattern moves by so many levels at most. */
const furthest = 6;

/**
 * What stands still over a second while the picture moves, in the band of the mark, between fine grain and shapes: a guess at the
 * pattern.
 */
function guessPattern(second: Uint8Array, width: number, height: number): Float32Array {
  const mean: Luma = { width, height, values: new Float32Array(width * height) };
  const { values } = mean;
  for (let from = 0; from < second.length; from += values.length)
    for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) + (second[from + i] as number);
  const share = values.length / second.length;
  for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) * share;
  const [fine, coarse] = [blur(mean, 1).values, blur(mean, 5).values];
  return fine.map((value, i) => Math.max(-furthest, Math.min(furthest, value - (coarse[i] as number))));
}

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
 * round, and never leaves everything as it was. One second at a time is held, however long the film.
 */
export async function attackByMean(film: Buffer, width: number, height: number, gain: number): Promise<Attacked> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-attack-'));
  try {
    writeFileSync(path.join(folder, 'in.mp4'), film);
    const grey = ['-vf', `fps=${fps},scale=${width}:${height},format=gray`, '-f', 'rawvideo', '-'];
    const opened = run(['-i', 'in.mp4', ...grey], folder);
    const raw = ['-f', 'rawvideo', '-pixel_format', 'gray', '-video_size', `${width}x${height}`];
    const coding = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p', 'out.mp4'];
    const coded = run([...raw, '-framerate', String(fps), '-i', '-', ...coding], folder);
    const treat = async () => {
      let [moved, pixels] = [0, 0];
      for await (const second of secondsOf(opened.child.stdout, width * height)) {
        moved += takeOut(second, guessPattern(second, width, height), gain);
        pixels += second.length;
        await write(coded.child.stdin, second);
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
