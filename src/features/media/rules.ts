import { hourMs } from '#kit/time.ts';

/** Hours in which a deleted album or picture can be brought back; people are told so when they agree to the terms. */
export const undoHours = 72;
export const undoMs = undoHours * hourMs;

/** Photos and videos. */
export type MediumKind = 'photo' | 'video';

const [minuteSeconds, hourSeconds] = [60, 3600];
/** Pauses before what ran out of time is tried again by itself: the machine may have been busy for a while, or all day. */
const retryPausesSeconds = [minuteSeconds, 10 * minuteSeconds, hourSeconds, 6 * hourSeconds];

/** @param timeouts how often it has run out of time before @returns undefined when it is given up */
export const retryPauseOf = (timeouts: number): number | undefined => retryPausesSeconds[timeouts];

/** The rendition that a medium has in a list: of a video a small poster. */
export const smallRenditionOf = (kind: MediumKind) => (kind === 'video' ? 'posterthumb' : 'thumb512');

/** Returns whether a rendition is as large as we have it: of these nobody is given many at once. */
export const isFullRendition = (rendition: string) => rendition === 'p2048' || rendition === 'poster';

/** What of a month's free time for videos a creator has used, and what they have beyond it. */
export interface VideoTime {
  freeSeconds: number;
  usedSeconds: number;
  extraSeconds: number;
}

/** Returns how much free time is left in a month. */
export const freeTimeLeft = ({ freeSeconds, usedSeconds }: Pick<VideoTime, 'freeSeconds' | 'usedSeconds'>): number =>
  Math.max(0, freeSeconds - usedSeconds);

/**
 * Where a video's time comes from: what is free goes first.
 * @returns undefined when both together are too little
 */
export function splitVideoTime(time: VideoTime, seconds: number): { free: number; extra: number } | undefined {
  const free = Math.min(seconds, freeTimeLeft(time));
  const extra = seconds - free;
  return extra > time.extraSeconds ? undefined : { free, extra };
}
