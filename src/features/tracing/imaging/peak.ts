/** Returns where between its neighbours the top of the parabola through three scores lies; at the middle one where a neighbour is missing. */
export function topOf(before: number | undefined, here: number, after: number | undefined): number {
  if (before === undefined || after === undefined) return 0;
  const bend = before - 2 * here + after;
  return bend < 0 ? (before - after) / (2 * bend) : 0;
}
