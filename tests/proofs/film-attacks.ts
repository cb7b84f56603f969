import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { blur, type Luma } from '#features/tracing/luma.ts';

/** A clip whose every second was treated by somebody who has nothing but this one copy. */
export interface Attacked {
  clip: Buffer;
  /** Of the treatment itself, before anything is coded again. */
  psnr: number;
}

const fps = 30;

/** Frames in grey, as a player shows them. */
function open(film: Buffer, width: number, height: number): Uint8Array[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-attack-'));
  try {
    writeFileSync(path.join(folder, 'in.mp4'), film);
    const args = ['-v', 'error', '-i', 'in.mp4', '-vf', `fps=${fps},scale=${width}:${height},format=gray`];
    execFileSync('ffmpeg', [...args, '-f', 'rawvideo', 'out.raw'], { cwd: folder });
    const bytes = readFileSync(path.join(folder, 'out.raw'));
    const size = width * height;
    return Array.from({ length: bytes.length / size }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function close(frames: readonly Uint8Array[], width: number, height: number): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-attack-'));
  try {
    writeFileSync(path.join(folder, 'in.raw'), Buffer.concat(frames));
    const input = ['-f', 'rawvideo', '-pixel_format', 'gray', '-video_size', `${width}x${height}`, '-framerate', '30'];
    const coding = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p', 'out.mp4'];
    execFileSync('ffmpeg', ['-v', 'error', ...input, '-i', 'in.raw', ...coding], { cwd: folder });
    return readFileSync(path.join(folder, 'out.mp4'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What of a frame lies in the band of the mark: between fine grain and shapes. */
function bandOf(frame: Luma): Float32Array {
  const [fine, coarse] = [blur(frame, 1), blur(frame, 5)];
  return fine.values.map((value, i) => value - (coarse.values[i] as number));
}

/** A pattern moves by so many levels at most. */
const furthest = 6;

/** What stands still in the mark's band over a second, while the picture moves: a guess at the pattern. */
function guessPattern(second: readonly Uint8Array[], width: number, height: number): Float32Array {
  const guess = new Float32Array(width * height);
  for (const frame of second)
    for (const [i, value] of bandOf({ width, height, values: Float32Array.from(frame) }).entries())
      guess[i] = (guess[i] as number) + value / second.length;
  return guess.map((value) => Math.max(-furthest, Math.min(furthest, value)));
}

/**
 * The averaging attack on one copy: the guess at each second's pattern is taken out `gain` times. Once removes it, twice inverts it.
 */
export function openAveraging(film: Buffer, width: number, height: number): (gain: number) => Attacked {
  const frames = open(film, width, height);
  const guesses = Array.from({ length: Math.ceil(frames.length / fps) }, (_, n) =>
    guessPattern(frames.slice(n * fps, (n + 1) * fps), width, height),
  );
  return (gain) => {
    let error = 0;
    const treated = frames.map((frame, n) => {
      const guess = guesses[Math.floor(n / fps)] as Float32Array;
      const own = frame.map((value, i) => Math.max(0, Math.min(255, Math.round(value - gain * (guess[i] as number)))));
      for (let i = 0; i < own.length; i++) error += ((own[i] as number) - (frame[i] as number)) ** 2;
      return own;
    });
    const mean = error / (frames.length * width * height);
    return { clip: close(treated, width, height), psnr: 10 * Math.log10(255 ** 2 / (mean || 1e-9)) };
  };
}
