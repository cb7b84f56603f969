import { clockFps } from './find-film.ts';
import { cells, insideBars, likenessOf, smallBytes, vectorsOf } from './small-frames.ts';

/** How many pictures of a clip are looked at: more of them on one sheet would be too small to be read. */
export const mostStills = 4;
/** Frames between two looks. */
const step = clockFps / 3;
/** A picture is coded well so many looks after it came. */
const settled = 9;
/** From this likeness on two moments show the same picture; two photos of one scene are nearly as like. */
const samePicture = 0.97;

/** A moment of a clip at which its picture stands, in frames of the clock. */
export interface Still {
  at: number;
  /** The picture came not long before: screen recorders write a frame only when something moves. */
  cameAfter: number;
}

/** A stretch of a clip that shows one picture; looks, first and behind the last. */
interface Shot {
  from: number;
  to: number;
}

/**
 * Chooses the moments at which a clip shows what it shows longest, each picture once: somebody who records a screen with photos
 * stays with each of them for a while.
 * @param frames all of its small frames, on the clock
 */
export function chooseStills(frames: Uint8Array): Still[] {
  const count = Math.ceil(frames.length / smallBytes / step);
  const looks = new Uint8Array(count * smallBytes);
  for (let n = 0; n < count; n++)
    looks.set(frames.subarray(n * step * smallBytes, (n * step + 1) * smallBytes), n * smallBytes);
  const vectors = vectorsOf(looks, insideBars(looks));
  const isSame = (one: number, other: number) => likenessOf(vectors, one, vectors, other) >= samePicture;
  const shots = shotsOf(vectors.length / cells, isSame);
  // What is seen at one look only is on its way to something else, unless the whole clip is.
  const standing = shots.filter((shot) => lengthOf(shot) > 1);
  const chosen: Shot[] = [];
  for (const shot of standing.length > 0 ? standing.toSorted(byLength) : spread(shots)) {
    const isNew = !chosen.some((other) => isSame(surestLook(shot), surestLook(other)));
    if (chosen.length < mostStills && isNew) chosen.push(shot);
  }
  const inOrder = chosen.toSorted((a, b) => a.from - b.from);
  return inOrder.map((shot) => ({ at: surestLook(shot) * step, cameAfter: Math.max(0, (shot.from - 1) * step - 1) }));
}

/** Some of them, evenly over the clip. */
const spread = (shots: readonly Shot[]): Shot[] => [
  ...new Set(
    Array.from(
      { length: mostStills },
      (_, n) => shots[Math.floor(((n + 0.5) * shots.length) / mostStills)] ?? [],
    ).flat(),
  ),
];

const lengthOf = ({ from, to }: Shot) => to - from;
const byLength = (a: Shot, b: Shot) => lengthOf(b) - lengthOf(a);

function shotsOf(count: number, isSame: (one: number, other: number) => boolean): Shot[] {
  const shots: Shot[] = [];
  for (let look = 0; look < count; look++) {
    const last = shots.at(-1);
    if (last && isSame(last.from, look)) last.to = look + 1;
    else shots.push({ from: look, to: look + 1 });
  }
  return shots;
}

/** A picture that stands still is coded better after a while; its very last look may already be the next one's beginning. */
const surestLook = ({ from, to }: Shot): number => Math.max(from, Math.min(to - 2, from + settled));
