import type { ProgramOutcome } from '#engines/children/program.ts';
import type { Workbench } from '#engines/children/workbench.ts';
import { StorageAway } from '#engines/storage/storage.ts';
import { type FramesRequest, VideoRefused } from './video.ts';

/** How far programs stand back behind the server. */
export const niceness = 10;

/** What one program may take: ffmpeg on an 8K video of ten bits takes 1.4 GB, on a video of 4K half of that. */
export const limitsFor = (seconds: number) => ({
  dataBytes: 1.7e9,
  fileBytes: 8e9,
  cpuSeconds: Math.ceil(4 * seconds),
});
/** The same for one in Node, which reserves more than it ever touches. */
export const nodeLimitsFor = (seconds: number) => ({ ...limitsFor(seconds), dataBytes: 2.3e9 });

/** Quick looks at a file, whatever its length. */
export const lookSeconds = 120;
export const pictureBytes = 64e6;

/** Where a program puts frames. */
export const framesName = 'frames.raw';

/** Takes them from there: whole ones only. @throws VideoRefused when there is none */
export async function takeFrames(
  bench: Workbench,
  { width, height, frames, isInColour }: FramesRequest,
): Promise<Buffer> {
  const each = (isInColour ? 3 : 1) * width * height;
  const bytes = bench.read(framesName, each * frames) ?? Buffer.alloc(0);
  await bench.discard(framesName);
  const whole = bytes.length - (bytes.length % each);
  if (whole === 0) throw new VideoRefused('CORRUPT', 'no frame could be read');
  return bytes.subarray(0, whole);
}

/** The last time that ffmpeg's progress report names. */
export function secondsOf(progress: string): number {
  const last = [...progress.matchAll(/out_time_us=(\d+)/g)].at(-1);
  return last ? Number(last[1]) / 1e6 : 0;
}

/** Some decoders say only that they got none; to a damaged packet they say so too, and why. */
const lacksMemory = (words: string): boolean =>
  /Cannot allocate memory/i.test(words) || (/get_buffer\(\) failed/i.test(words) && !/parameters invalid/i.test(words));
// A thread wants memory as well, for its stack: FFmpeg says how there would be more, or that there is none for now.
const isTooMuch =
  /malloc of size \d+ failed|Resource temporarily unavailable|File too large|picture size \d+x\d+ is invalid/i;

/**
 * Returns what a program said when it ended well.
 * @throws VideoRefused with the file's fault, without words when the program died, StorageAway when it was the disk's, Error
 * when it was ours
 */
export function needWell(outcome: ProgramOutcome): ProgramOutcome {
  const { ended, words } = outcome;
  const last = words.split('\n').at(-1) ?? '';
  if (ended === 'well') {
    // It goes on without a frame for which it has no memory, and the video would stand still there.
    if (lacksMemory(words)) throw new VideoRefused('TOO_BIG', last);
    return outcome;
  }
  if (/No space left on device|Disk quota exceeded/.test(words)) throw new StorageAway(new Error(last));
  if (/^(nice|prlimit|bwrap|unshare|setpriv): /m.test(words)) throw new Error(`a program did not start: ${last}`);
  if (ended === 'overtime') throw new VideoRefused('TIMEOUT', last);
  if (ended === 'overlong_file') throw new VideoRefused('TOO_BIG', last || 'a file grew beyond its limit');
  if (lacksMemory(words) || isTooMuch.test(words)) throw new VideoRefused('TOO_BIG', last);
  // A newer FFmpeg takes no list for what it is when its name does not end like one.
  if (
    /not on whitelist|Not detecting m3u8|Decoder \(codec [^()]*\) not found|Could not find codec|unknown codec/i.test(
      words,
    )
  )
    throw new VideoRefused('UNSUPPORTED', last);
  throw new VideoRefused('CORRUPT', last);
}
