/** An answer of the server takes a while: the end that it tells of seems that much later than it is. */
const longestAnswerMs = 2000;

/**
 * Returns when a visit ends, on `performance.now()`, after the server told again how long it has left; undefined for one without an
 * end. Of two moments that lie so close that only the line stands between them the earlier one is true: a clock never goes back.
 */
export function endsAtOf(leftMs: number | undefined, now: number, known: number | undefined): number | undefined {
  if (leftMs === undefined) return undefined;
  const toldMs = now + leftMs;
  return known !== undefined && Math.abs(toldMs - known) < longestAnswerMs ? Math.min(toldMs, known) : toldMs;
}
