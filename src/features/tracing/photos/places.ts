import type { FoundItem } from '../findings.ts';

/** A copy is looked at in so many cells a side. */
const side = 64;

/** The cells of a copy that an item covers. */
export type Place = Uint8Array;

/** Returns where an item lies in its copy; what lies outside is cut off. @param corners of a convex shape, whichever way round */
export function placeOf({ corners }: Pick<FoundItem, 'corners'>): Place {
  const edges = corners.map((from, n) => ({ from, to: corners[(n + 1) % corners.length] ?? from }));
  return Uint8Array.from({ length: side * side }, (_, cell) => {
    const [x, y] = [((cell % side) + 0.5) / side, (Math.floor(cell / side) + 0.5) / side];
    const turns = edges.map(({ from, to }) => (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]));
    return turns.every((turn) => turn >= 0) || turns.every((turn) => turn <= 0) ? 1 : 0;
  });
}

/** Returns which share of a copy these places cover together. */
export function shareCovered(places: readonly Place[]): number {
  return countCells((cell) => places.some((place) => place[cell] === 1)) / (side * side);
}

/** A place that lies under another one by more than this share of itself shows the same part of the copy. */
const mostUnder = 0.2;

/** Returns whether two items cannot both be what a copy shows there. */
export function isUnder(place: Place, other: Place): boolean {
  const shared = countCells((cell) => place[cell] === 1 && other[cell] === 1);
  return shared >= mostUnder * countCells((cell) => place[cell] === 1);
}

function countCells(isCounted: (cell: number) => boolean): number {
  let count = 0;
  for (let cell = 0; cell < side * side; cell++) if (isCounted(cell)) count++;
  return count;
}
