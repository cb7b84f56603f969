import { spawnSync } from 'node:child_process';
import { drawClip } from '#tests/support/media/clips.ts';
import type { HostileFile } from '../hostile/hostile-files.ts';

/** 8K as cameras have it, and the largest picture that a level of H.264 knows. */
const [ofCameras, largest] = [
  [7680, 4320],
  [8192, 4352],
] as const;
const quick = ['-c:v', 'libx264', '-preset', 'ultrafast'];
/** As many frames to look back at as H.264 allows: a player has to hold them all. */
const mostReferences = ['-refs', '16', '-bf', '3'];
const hevc = (more: string) => ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', `log-level=error${more}`];

/** Valid videos of a few frames that are as large as videos may be. */
const videos: readonly {
  what: string;
  size: readonly [number, number];
  also: readonly string[];
  ending?: string;
  code?: string;
}[] = [
  { what: 'H.264', size: ofCameras, also: [...quick, '-tune', 'zerolatency', '-pix_fmt', 'yuv420p'] },
  { what: 'H.264 of the largest size', size: largest, also: [...quick, '-pix_fmt', 'yuv420p'] },
  { what: 'H.264 of sixteen references', size: largest, also: [...quick, ...mostReferences, '-pix_fmt', 'yuv420p'] },
  { what: 'HEVC', size: ofCameras, also: [...hevc(''), '-pix_fmt', 'yuv420p'] },
  {
    what: 'HEVC of ten bits',
    size: ofCameras,
    also: [...hevc(':bframes=8:ref=5:rc-lookahead=20'), '-pix_fmt', 'yuv420p10le'],
  },
  { what: 'AV1 of ten bits', size: ofCameras, also: ['-c:v', 'libsvtav1', '-preset', '10', '-pix_fmt', 'yuv420p10le'] },
  {
    what: 'VP9',
    size: ofCameras,
    also: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-pix_fmt', 'yuv420p'],
    ending: 'webm',
  },
  // A frame of it is 214 MB, and it wants seventeen.
  {
    what: 'H.264 of sixteen references without a smaller chroma, of ten bits',
    size: largest,
    also: [...quick, ...mostReferences, '-pix_fmt', 'yuv444p10le'],
    code: 'TOO_BIG',
  },
];

/** Videos that really are large, for which this machine has an encoder; drawing them takes gigabytes. @param most how many */
export function* drawLargeVideos(most: number): Generator<HostileFile> {
  const encoders = spawnSync('ffmpeg', ['-v', 'error', '-encoders'], { encoding: 'utf8' }).stdout.split(/\s+/);
  for (const { what, size, also, ending = 'mp4', code } of videos.slice(0, most)) {
    if (!encoders.includes(also[1] ?? '')) {
      process.stdout.write(`No large video in ${what}: no encoder here.\n`);
      continue;
    }
    const [width, height] = size;
    const bytes = drawClip({ seconds: most === 1 ? 0.2 : 0.7, width, height, hasSound: false, ending, also });
    yield { what, name: `large.${ending}`, bytes, code: code ?? null };
  }
}
export const largeVideoCount = videos.length;
