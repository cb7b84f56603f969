/** As many as are ever asked for in one call: more would be bytes that nobody looks at. */
const mostAhead = 8;

export interface Step {
  /** The item that is open now. */
  at: number;
  /** Which way the last step went. */
  direction: 1 | -1;
  /** How many steps went that way without turning. */
  streak: number;
  count: number;
}

/**
 * Which items to ask for now: the open one first, then its neighbours. Somebody who goes on and on in one direction is
 * expected to go on, so a call fetches more, and there are fewer of them.
 */
export function lookAhead({ at, direction, streak, count }: Step, isHere: (n: number) => boolean): number[] {
  const wanted = (list: number[]) => list.filter((n) => n >= 0 && n < count && !isHere(n));
  if (!isHere(at)) return wanted([at, at + direction, at - direction]);
  if (wanted([at + direction, at - direction]).length === 0) return [];
  const ahead = Array.from({ length: Math.min(mostAhead, 2 + 2 * streak) }, (_, i) => at + direction * (i + 1));
  return wanted([...ahead, at - direction]).slice(0, mostAhead);
}
