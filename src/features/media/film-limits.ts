import { type Probe, VideoRefused } from '#engines/video/video.ts';

/** What a film may be, and how long it may be worked on. */
export interface FilmLimits {
  fileBytes: number;
  minutes: number;
  sidePx: number;
  fps: number;
  jobSeconds: number;
  /** And for each second of film. */
  jobSecondsPerSecond: number;
}

/** Containers round: a film of exactly an hour may say that it is a moment longer. */
const graceSeconds = 1;
/** A camera's average of 120 frames is sometimes 120.05. */
const graceFps = 0.5;

/** A film is cut off here: far enough to be seen to be too long, however short it said it was. */
export const mostSecondsOf = ({ minutes }: FilmLimits): number => 60 * minutes + 2 * graceSeconds;

/** Refuses a film by what its file says. @throws VideoRefused */
export function refuseFilm({ seconds, sidePx, fps }: Probe, limits: FilmLimits): void {
  if (seconds > 60 * limits.minutes + graceSeconds) throw new VideoRefused('TOO_LONG', `${seconds} s`);
  if (sidePx > limits.sidePx) throw new VideoRefused('TOO_BIG', `${sidePx} px`);
  if (fps > limits.fps + graceFps) throw new VideoRefused('TOO_BIG', `${fps} frames a second`);
}

/** Nothing here can read films: no fault of this one. */
export class NoVideoEngine extends VideoRefused {
  constructor() {
    super('UNSUPPORTED', 'no engine');
  }
}

/** What its creator reads, with the limits in force; undefined where the code's own text says it. */
export function tellFilmFailure(refused: VideoRefused, limits: FilmLimits): string | undefined {
  const { code } = refused;
  if (refused instanceof NoVideoEngine)
    return 'This server cannot read videos yet: its operator has to install ffmpeg.';
  if (code === 'TOO_LONG')
    return `Videos can be up to ${limits.minutes} ${limits.minutes === 1 ? 'minute' : 'minutes'}.`;
  if (code === 'TOO_BIG')
    return `Videos can be up to ${limits.fileBytes / 1e9} GB, ${limits.sidePx} pixels a side and ${limits.fps} frames a second.`;
  return undefined;
}
