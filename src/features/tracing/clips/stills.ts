import { clockFps } from './find-video.ts';
import { cells, insideBars, levelsApart, levelsOf, likenessOf, smallBytes, vectorsOf } from './small-frames.ts';

/** How many pictures of a clip are looked at: more of them on one sheet would be too small to be read. */
export const mostStills = 4;
/** Frames between two looks. */
const step = clockFps / 3;
/** A picture is coded well so many looks after it came. */
const settled = 9;
/** From this likeness on two moments may show the same picture; two photos of one scene are nearly as like. */
const samePicture = 0.97;
/**
 * Of soft photos on a light page most of the likeness is the page. So two moments of one picture differ by few levels too, or by
 * not much more than any two that follow each other: a hand that videos a screen is never still.
 */
const [fewLevels, timesUsual] = [1.5, 3];

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
  const isSame = openComparison(looks);
  const shots = shotsOf(count, isSame);
  // What is seen at one look only is on its way to something else, unless the whole clip is.
  const still = shots.filter((shot) => lengthOf(shot) > 1);
  const chosen: Shot[] = [];
  for (const shot of still.length > 0 ? still.toSorted(byLength) : spread(shots)) {
    const isNew = !chosen.some((other) => isSame(surestLook(shot), surestLook(other)));
    if (chosen.length < mostStills && isNew) chosen.push(shot);
  }
  const inOrder = chosen.toSorted((a, b) => a.from - b.from);
  return inOrder.map((shot) => ({ at: surestLook(shot) * step, cameAfter: Math.max(0, (shot.from - 1) * step - 1) }));
}

/** Returns whether two looks show the same picture. */
function openComparison(looks: Uint8Array): (one: number, other: number) => boolean {
  const part = insideBars(looks);
  const [vectors, levels] = [vectorsOf(looks, part), levelsOf(looks, part)];
  const steps = Array.from({ length: Math.max(0, levels.length / cells - 1) }, (_, look) =>
    levelsApart(levels, look, levels, look + 1),
  );
  const usual = steps.toSorted((a, b) => a - b)[steps.length >> 1] ?? 0;
  const mostApart = Math.max(fewLevels, timesUsual * usual);
  return (one, other) =>
    likenessOf(vectors, one, vectors, other) >= samePicture && levelsApart(levels, one, levels, other) <= mostApart;
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
