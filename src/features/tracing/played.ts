import * as z from 'zod';
import { formatClock, formatCount } from '#kit/text.ts';

/** So many stretches of one look are told at most; who jumps about in a film makes hundreds. */
export const mostStretches = 50;

/** What of a film was played while it was looked at, as the viewer's browser told. */
export const Played = z.object({
  /** In order, each from a second of the film until before another. */
  stretches: z.array(z.tuple([z.int(), z.int()])),
  /** How many stretches there are beside these. */
  more: z.int(),
  /** How many seconds were played, those of further stretches included. */
  seconds: z.int(),
  /** How long the film is. */
  filmSeconds: z.int(),
});
export type Played = z.infer<typeof Played>;

/** Whether stretches lie in order within their film, and make as many seconds as are told. */
export function addsUp({ stretches, more, seconds, filmSeconds }: Played): boolean {
  const isInOrder = stretches.every(([from, to], n) => {
    const before = stretches[n - 1]?.[1] ?? -1;
    return before < from && 0 <= from && from < to && to <= filmSeconds;
  });
  const told = stretches.reduce((sum, [from, to]) => sum + to - from, 0);
  // A further stretch has a second at least.
  return isInOrder && more >= 0 && seconds <= filmSeconds && (more === 0 ? told === seconds : told + more <= seconds);
}

/** A page has room for so many. */
const mostOnPage = 5;
const clock = (second: number) => formatClock(1000 * second);

/** "played 0:00–0:41 and 1:10–1:12"; of very many the first, and how much it was in all. */
export function tellPlayed({ stretches, more, seconds }: Played): string {
  if (stretches.length === 0) return 'not played';
  const told = stretches.slice(0, mostOnPage).map(([from, to]) => `${clock(from)}–${clock(to)}`);
  const untold = stretches.length - told.length + more;
  if (untold > 0) return `played ${told.join(', ')} and ${formatCount(untold, 'more piece')}, ${clock(seconds)} in all`;
  const last = told.pop() ?? '';
  return `played ${told.length > 0 ? `${told.join(', ')} and ${last}` : last}`;
}
