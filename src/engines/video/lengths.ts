import { type Probe, VideoRefused } from './video.ts';

/** Where the tracks of a file end, in seconds from its beginning, as far as the file says so. */
export interface ReportedLengths {
  picture: number | undefined;
  /** Undefined as well where there is none. */
  sound: number | undefined;
  /** Of the longest track, whichever it is. */
  file: number | undefined;
}

/** A sound that outlasts its picture by less has not outlasted it: so far the clocks of containers round. */
const leastTailSeconds = 0.1;

/**
 * How long a video is. Its picture and its sound are looked at, and no other track; where one of them does not say when it ends, its
 * packets do.
 * @param measure where the last packet of a stream ends
 * @returns `tailSeconds`, how long its last picture stands until its sound has ended
 */
export async function settleLengths(
  { lengths, videoStream, audioStream }: Pick<Probe, 'videoStream' | 'audioStream'> & { lengths: ReportedLengths },
  measure: (stream: number) => Promise<number>,
): Promise<Pick<Probe, 'seconds' | 'tailSeconds'>> {
  const needsPicture = lengths.picture === undefined && (lengths.file === undefined || audioStream !== undefined);
  const picture = needsPicture ? await measure(videoStream) : lengths.picture;
  const sound = audioStream === undefined ? 0 : (lengths.sound ?? (await measure(audioStream)));
  // A file that says how long it is, and of its picture only that it is there, promises as much of that.
  const promised = lengths.picture ?? lengths.file ?? picture ?? 0;
  const tail = sound - (picture ?? promised);
  const tailSeconds = tail < leastTailSeconds ? 0 : tail;
  const seconds = tailSeconds > 0 ? Math.max(promised, sound) : promised;
  if (seconds <= 0) throw new VideoRefused('CORRUPT', 'a video without a length');
  return { seconds, tailSeconds };
}
