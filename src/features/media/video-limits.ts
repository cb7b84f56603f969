import { DolbyVisionOnly, type Probe, VideoRefused } from '#engines/video/video.ts';
import { formatDuration } from '#kit/text.ts';
import type { VideoUnmarked } from './watermark/video-marks.ts';

/** What a video may be, and how much processor time it may take. */
export interface VideoLimits {
  fileBytes: number;
  minutes: number;
  sidePx: number;
  fps: number;
  jobSeconds: number;
  /** And for each second of video. */
  jobSecondsPerSecond: number;
}

/** Containers round: a video of exactly an hour may say that it is a moment longer. */
const graceSeconds = 1;
/** A camera's average of 120 frames is sometimes 120.05. */
const graceFps = 0.5;

/** A video is cut off here: far enough to be seen to be too long, however short it said it was. */
export const mostSecondsOf = ({ minutes }: VideoLimits): number => 60 * minutes + 2 * graceSeconds;

/** The sound of a video ends a few hundredths after its picture. */
const roundedSeconds = 0.1;

/** What a video takes of its creator's time: of one as long as a video may be no more than that, though its container has rounded up. */
export const takenSecondsOf = (
  { seconds }: Pick<Probe, 'seconds'>,
  { minutes }: Pick<VideoLimits, 'minutes'>,
): number => Math.min(Math.max(1, Math.ceil(seconds - roundedSeconds)), 60 * minutes);

/** A video that is larger than videos may be. */
export class VideoTooBig extends VideoRefused {
  /** How large one may be, as it stands in a sentence. */
  readonly most: string;
  constructor(most: string, words: string) {
    super('TOO_BIG', words);
    this.most = most;
  }
}

/** Refuses a video by the size of its file. @throws VideoTooBig */
export function refuseFile(sizeBytes: number, { fileBytes }: VideoLimits): void {
  if (sizeBytes > fileBytes) throw new VideoTooBig(`${fileBytes / 1e9} GB`, 'the file');
}

const describeSide = ({ sidePx }: VideoLimits) => `${sidePx.toLocaleString('en')} pixels per side`;

/** Refuses a video by what its file says. @throws VideoRefused */
export function refuseVideo({ seconds, sidePx, fps }: Probe, limits: VideoLimits): void {
  if (seconds > 60 * limits.minutes + graceSeconds) throw new VideoRefused('TOO_LONG', `${seconds} s`);
  if (sidePx > limits.sidePx) throw new VideoTooBig(describeSide(limits), `${sidePx} px`);
  if (fps > limits.fps + graceFps) throw new VideoTooBig(`${limits.fps} frames per second`, `${fps} frames per second`);
}

/** Nothing here can read videos: no fault of this one. */
export class NoVideoEngine extends VideoRefused {
  constructor() {
    super('UNSUPPORTED', 'no engine');
  }
}

/** A video that is longer than the time its creator has left. */
export class NoVideoTime extends Error {
  readonly code = 'NO_VIDEO_TIME';
  /** Undefined when it was longer than it said, and nobody waited for its end. */
  readonly seconds: number | undefined;
  readonly leftSeconds: number;
  constructor(seconds: number | undefined, leftSeconds: number) {
    super(`${seconds ?? 'more'} s of ${leftSeconds}`);
    this.name = 'NoVideoTime';
    this.seconds = seconds;
    this.leftSeconds = leftSeconds;
  }
}

const describeSeconds = (seconds: number) => formatDuration(1000 * seconds);

function describeNoTime({ seconds, leftSeconds }: NoVideoTime): string {
  const left = leftSeconds === 0 ? 'no video time' : `${describeSeconds(leftSeconds)} of video time`;
  const lasts = seconds === undefined ? 'longer than its file says' : describeSeconds(seconds);
  return `This video lasts ${lasts}, and you have ${left} left. Add an hour under Credits, or try again next month.`;
}

/** Why a video isn't made. */
export type VideoRefusal = VideoRefused | VideoUnmarked | NoVideoTime;

/** What its creator reads, with the limits in force; undefined where the code's own text says it. */
export function describeVideoFailure(refused: VideoRefusal, limits: VideoLimits): string | undefined {
  const { code } = refused;
  if (refused instanceof NoVideoTime) return describeNoTime(refused);
  if (refused instanceof NoVideoEngine)
    return "This server can't process videos yet. Its operator needs to install ffmpeg.";
  if (refused instanceof DolbyVisionOnly)
    return 'This video has Dolby Vision colors only, which would come out wrong. Export it as HDR10, HLG or SDR.';
  if (code === 'TOO_LONG')
    return `Videos can be up to ${limits.minutes} ${limits.minutes === 1 ? 'minute' : 'minutes'}.`;
  // What an engine itself finds too big, for its memory or its files, is over no limit that has a name.
  return refused instanceof VideoTooBig ? `Videos can be up to ${refused.most}.` : undefined;
}
