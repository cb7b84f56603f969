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

/**
 * How many ways chance had: every candidate in each rendition and mirrored, all of it once more when several items are weighed
 * together, with each cap; and every earlier trace of the same items, so that nobody can try until chance helps.
 */
export function countHypotheses(tries: { candidates: number; items: number; earlierTraces: number }): number {
  const readings = renditions * views * Math.max(tries.candidates, tries.items);
  return capsTried * (readings + (tries.items > 1 ? 1 : 0)) * (1 + tries.earlierTraces);
}

/** Clean tiles that an accusation needs: each halves the chance of an innocent codeword. */
export function cleanTilesNeeded(issued: number, hypotheses: number): number {
  return Math.ceil(Math.log2(issued * hypotheses) + Math.log2(1 / tracedBelow));
}

/** Which tiles people are told were read. Whether a tile agrees with anybody is never told. */
export function tilesShown(visible: ArrayLike<number>): boolean[] {
  return Array.from(visible, (share) => share >= 0.5);
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
