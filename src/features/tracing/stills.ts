import { clockFps } from './find-film.ts';
import { cells, insideBars, likenessOf, smallBytes, vectorsOf } from './small-frames.ts';

/** How many pictures of a clip are looked at: more of them on one sheet would be too small to be read. */
export const mostStills = 4;
/** Frames between two looks. */
const step = clockFps / 3;
/** From this likeness on two moments show the same picture; two photos of one scene are nearly as like. */
const samePicture = 0.97;

/** A stretch of a clip that shows one picture; looks, first and behind the last. */
interface Shot {
  from: number;
  to: number;
}

/**
 * Chooses the moments at which a clip shows what it shows longest, each picture once: somebody who records a screen with photos
 * stays with each of them for a while.
 * @param frames all of its small frames, on the clock
 * @returns frames of the clock, in order
 */
export function chooseStills(frames: Uint8Array): number[] {
  const count = Math.ceil(frames.length / smallBytes / step);
  const looks = new Uint8Array(count * smallBytes);
  for (let n = 0; n < count; n++)
    looks.set(frames.subarray(n * step * smallBytes, (n * step + 1) * smallBytes), n * smallBytes);
  const vectors = vectorsOf(looks, insideBars(looks));
  const isSame = (one: number, other: number) => likenessOf(vectors, one, vectors, other) >= samePicture;
  const chosen: number[] = [];
  const shots = shotsOf(vectors.length / cells, isSame).toSorted(byLength);
  // What is seen at one look only is on its way to something else, unless the whole clip is.
  const standing = shots.filter((shot) => lengthOf(shot) > 1);
  for (const shot of standing.length > 0 ? standing : shots) {
    const look = surestLook(shot);
    if (chosen.length < mostStills && !chosen.some((other) => isSame(look, other))) chosen.push(look);
  }
  return chosen.toSorted((a, b) => a - b).map((look) => look * step);
}

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

/** A picture that stands still is coded better the longer it stands; its very last look may already be the next one's beginning. */
const surestLook = ({ from, to }: Shot): number => Math.max(from, to - 2);
