import type { ClipParams } from './clips.ts';

/** A video as some device or program writes it. */
export interface VideoKind {
  kind: string;
  wish: ClipParams;
  /** Of the video that it becomes. */
  size: [width: number, height: number];
  /** Its pixels, its clock or its container differ from others, not only its codec. */
  isOdd?: true;
}

/** As fast as its encoder is. */
const av1 = ['-c:v', 'libsvtav1', '-preset', '12'];
const small: VideoKind['size'] = [320, 180];

/** Videos of one second of every kind that is taken. */
export const videoKinds: readonly VideoKind[] = (
  [
    { kind: 'of pixels twice as wide as high', wish: { also: ['-vf', 'setsar=2/1'] }, size: [640, 180], isOdd: true },
    {
      kind: 'of odd sides',
      wish: { width: 640, height: 360, also: ['-vf', 'format=yuv444p,crop=321:181'] },
      size: [322, 182],
    },
    { kind: 'of Matroska', wish: { ending: 'mkv' }, size: small },
    {
      kind: 'of VP9 in WebM',
      wish: { ending: 'webm', also: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime'] },
      size: small,
    },
    { kind: 'of AV1', wish: { also: av1 }, size: small },
    {
      kind: 'of AV1 of 10 bits in WebM',
      wish: { ending: 'webm', also: [...av1, '-pix_fmt', 'yuv420p10le'] },
      size: small,
      isOdd: true,
    },
    {
      kind: 'of HEVC',
      wish: { ending: 'mov', also: ['-c:v', 'libx265', '-x265-params', 'log-level=error'] },
      size: small,
    },
    { kind: 'of 3GP', wish: { ending: '3gp', also: ['-c:v', 'libx264', '-c:a', 'aac'] }, size: small },
    {
      kind: 'of frames that come unevenly',
      wish: { also: ['-vf', 'select=mod(n\\,7)', '-fps_mode', 'vfr'] },
      size: small,
      isOdd: true,
    },
    { kind: 'of a transport stream', wish: { ending: 'ts' }, size: small, isOdd: true },
    { kind: 'of 60 frames a second', wish: { fps: 60 }, size: small },
    { kind: 'of 120 frames a second', wish: { fps: 120 }, size: small },
    { kind: 'of 10 bits', wish: { also: ['-pix_fmt', 'yuv420p10le'] }, size: small },
    { kind: 'of full range', wish: { also: ['-pix_fmt', 'yuvj420p'] }, size: small },
  ] as VideoKind[]
).map(({ wish, ...video }) => ({ ...video, wish: { seconds: 1, ...wish } }));
