import * as z from 'zod';
import { formatClock, formatCount } from '#kit/text.ts';

/** So many stretches of one look are told at most; who jumps about in a video makes hundreds. */
export const mostStretches = 50;

/** Seconds of a video, in order: each from one of them until before another. */
export const Stretches = z.array(z.tuple([z.int(), z.int()]));
export type Stretches = z.infer<typeof Stretches>;

/** What of a video was played while it was looked at, as the viewer's browser told. */
export const PlayedRanges = z.object({
  stretches: Stretches,
  /** How many stretches there are beside these. */
  more: z.int(),
  /** How many seconds were played, those of further stretches included. */
  seconds: z.int(),
  /** How long the video is. */
  filmSeconds: z.int(),
});
export type PlayedRanges = z.infer<typeof PlayedRanges>;

/** Returns how many seconds stretches have. */
export const countSeconds = (stretches: Stretches): number => stretches.reduce((sum, [from, to]) => sum + to - from, 0);

/** Whether stretches lie in order within their video, with something between each and the next. */
export const areInOrder = (stretches: Stretches, videoSeconds: number): boolean =>
  stretches.every(([from, to], n) => {
    const before = stretches[n - 1]?.[1] ?? -1;
    return before < from && 0 <= from && from < to && to <= videoSeconds;
  });

/** Returns whether stretches lie in order within their video, and make as many seconds as are told. */
export function addsUp({ stretches, more, seconds, filmSeconds: videoSeconds }: PlayedRanges): boolean {
  const text = countSeconds(stretches);
  // A further stretch has a second at least.
  const isWhole = more === 0 ? text === seconds : text + more <= seconds;
  return areInOrder(stretches, videoSeconds) && more >= 0 && seconds <= videoSeconds && isWhole;
}

/** A page has room for so many. */
const mostOnPage = 5;
const clock = (second: number) => formatClock(1000 * second);

/** "0:00–0:41 and 1:10–1:12"; of very many the first, and how much it is in all. */
export function describeStretches(stretches: Stretches, { more = 0, seconds = countSeconds(stretches) } = {}): string {
  const ranges = stretches.slice(0, mostOnPage).map(([from, to]) => `${clock(from)}–${clock(to)}`);
  const hidden = stretches.length - ranges.length + more;
  if (hidden > 0) return `${ranges.join(', ')} and ${formatCount(hidden, 'more part')}, ${clock(seconds)} in all`;
  const last = ranges.pop() ?? '';
  return ranges.length > 0 ? `${ranges.join(', ')} and ${last}` : last;
}

/** "played 0:00–0:41 and 1:10–1:12". */
export const describePlayed = ({ stretches, ...all }: PlayedRanges): string =>
  stretches.length === 0 ? 'not played' : `played ${describeStretches(stretches, all)}`;
