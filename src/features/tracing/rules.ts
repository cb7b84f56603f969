/** How sure a name must be: the chance of a wrong one, over everything that was tried and everybody who stood to choice. */
const [tracedBelow, probableBelow] = [1e-6, 1e-3];
/** Smaller chances are real, but nobody needs to read them, and every digit is a step to climb on. */
const leastPower = -12;

export type CertaintyWord = 'traced' | 'probable';

/** What a chance is called; nothing where nobody may be named. */
export function wordOf(chance: number): CertaintyWord | undefined {
  if (chance < tracedBelow) return 'traced';
  return chance < probableBelow ? 'probable' : undefined;
}

/** The chance as people read it: "less than 1 in 10^n", in whole powers, −3 to −12. */
export function shownPower(chance: number): number {
  return Math.max(leastPower, Math.floor(Math.log10(chance)) + 1);
}

/** The largest ln of a bound at which a name may be told at all, among so many codewords and tries. */
export const lnProbable = (issued: number, hypotheses: number): number => Math.log(probableBelow / issued / hypotheses);

/** Renditions of a photo, and a photo and its mirror image: both are looked for in every candidate. */
const [renditions, views] = [2, 2];
/** Evidence is weighed with two caps. */
export const capsTried = 2;
/** A link is asked by its half and with each of its grants, a grant with its link and by its half: twice as often as there are codewords. */
const asked = 2;

/**
 * Returns how many ways chance had: every candidate in each rendition and mirrored, all of it once more when several items are weighed
 * together, with each cap, for every codeword twice. Every earlier trace of the same items raises the bar, so that however often
 * somebody tries, all tries together stay below the bound: the sum of 1 / 2(k + 1)² over all k is 0.82.
 */
export function countHypotheses(tries: { candidates: number; items: number; earlierTraces: number }): number {
  const readings = renditions * views * Math.max(tries.candidates, tries.items);
  return asked * capsTried * (readings + (tries.items > 1 ? 1 : 0)) * 2 * (1 + tries.earlierTraces) ** 2;
}

/** Powers of ten that an answer may tell: −3 to −12. */
const powersShown = 10;

/**
 * What the bar of a link and its grants is raised by, once it was named. Until then no answer depended on their codewords, so the
 * copies that came were as good as fixed; a name told one of ten powers, a second one or none for a grant, at one of k traces,
 * and whoever makes the next copy may have learnt from it. Every way in which it could have been told counts, four times over, so
 * that the sum over all of them stays below the bound.
 */
export function countClimbs({ earlierTraces, timesNamed }: { earlierTraces: number; timesNamed: number }): number {
  return (4 * powersShown * (powersShown + 1) * (1 + earlierTraces)) ** timesNamed;
}

/** Clean tiles that an accusation needs: each halves the chance of an innocent codeword. */
export function cleanTilesNeeded(issued: number, hypotheses: number): number {
  return Math.ceil(Math.log2(issued * hypotheses) + Math.log2(1 / tracedBelow));
}

/** Returns which tiles people are told were read. Whether a tile agrees with anybody is never told. */
export function tilesShown(visible: ArrayLike<number>): boolean[] {
  return Array.from(visible, (share) => share >= 0.5);
}

/** Which seconds of a video people are told were read: also those of which a clip shows a part only. */
export function secondsShown(visible: ArrayLike<number>): boolean[] {
  return Array.from(visible, (share) => share > 0);
}

/** Blockhashes of the same picture, saved again or cut a little at the edges, differ in no more bits than this. */
export const nearBits = 48;

/** Bits in which two blockhashes of equal length differ. */
export function bitsApart(one: string, other: string): number {
  let bits = 0;
  for (let i = 0; i < one.length; i++) {
    let differing = Number.parseInt(one.charAt(i), 16) ^ Number.parseInt(other.charAt(i), 16);
    for (; differing > 0; differing &= differing - 1) bits++;
  }
  return bits;
}

/** What is said of a code that can be none. */
export const codeWords = 'A code is eight characters: digits and the letters A to F.';

/** The code out of what somebody read off a picture, also with the name before it: "Anna · 4F2A 91C0". Undefined when it is none. */
export function readCode(typed: string): string | undefined {
  const letters = (typed.split('·').at(-1) ?? '').toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
  const code = letters.replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return /^[0-9A-F]{8}$/.test(code) ? code : undefined;
}
