import * as z from 'zod';
import { formatCount } from '#kit/text.ts';
import { countSeconds, describeStretches, Stretches } from '../verdict/time-ranges.ts';

/** Of a video, the seconds whose keys were lent to somebody: the installation's own note, unlike what was played. */
export const LeasedRanges = z.object({
  mediaId: z.uuid(),
  /** Null where some were lent before they were noted. */
  stretches: Stretches.nullable(),
});
export type LeasedRanges = z.infer<typeof LeasedRanges>;

/** The same seconds as few stretches in order. */
export function joinStretches(stretches: Stretches): Stretches {
  const joined: Stretches = [];
  for (const [from, to] of stretches.toSorted(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** Returns which seconds of a video were read. */
export const stretchesRead = (isRead: readonly boolean[]): Stretches =>
  joinStretches(isRead.flatMap((is, second): Stretches => (is ? [[second, second + 1]] : [])));

/** A video that was read second by second. */
export interface ReadVideo {
  mediaId: string;
  videoSeconds: number;
  /** In this copy and in those that it was weighed with. */
  read: Stretches;
}

/** What an evidence file tells of something that was found. */
interface FoundThing {
  mediaId: string;
  isMoving?: boolean | undefined;
  columns: number;
  secondsRead?: Stretches | undefined;
}

/** Each video once. */
export function videosOf(items: readonly FoundThing[]): ReadVideo[] {
  const moving = items.filter(({ isMoving }) => isMoving);
  return [...new Set(moving.map(({ mediaId }) => mediaId))].map((mediaId) => {
    const same = moving.filter((item) => item.mediaId === mediaId);
    const videoSeconds = Math.max(...same.map(({ columns }) => columns));
    return { mediaId, videoSeconds, read: joinStretches(same.flatMap(({ secondsRead }) => secondsRead ?? [])) };
  });
}

/** Returns how many of the seconds that were read are missing in others that are in order, and how many were read. */
export function compareSeconds(read: Stretches, known: Stretches): { missing: number; of: number } {
  const of = countSeconds(read);
  let missing = of;
  for (const [from, to] of read)
    for (const one of known) missing -= Math.max(0, Math.min(to, one[1]) - Math.max(from, one[0]));
  return { missing, of };
}

/** "0:00–1:10 of the video, and with it all 41 seconds that were read". */
export function describeLeased({ stretches }: LeasedRanges, read: Stretches): string {
  if (stretches === null) return 'which seconds of the video was not recorded at the time';
  const what = stretches.length === 0 ? 'nothing' : describeStretches(stretches);
  const { missing, of } = compareSeconds(read, stretches);
  const all = `${formatCount(of, 'second')} that were read`;
  return missing === 0
    ? `${what} of the video, including all ${all}`
    : `${what} of the video, but not ${missing} of the ${all}`;
}
