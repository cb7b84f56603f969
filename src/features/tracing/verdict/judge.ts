import { isLinkTile, packedFairBits, type Seed } from '#features/media/formats/codeword.ts';
import type { Reading, Suspect, Tries } from '../findings.ts';
import { type CertaintyWord, countClimbs, countHypotheses, lnProbable, shownPower, wordOf } from '../rules.ts';
import { cap, lnInnocent, lowCap, openScore, steadyCap } from './score.ts';

/** How sure a name is. */
export interface Certainty {
  word: CertaintyWord;
  /** The chance of naming a wrong one is less than 10 to this power: whole numbers, −3 to −12. */
  chancePower: number;
}

export type NamedGrant = Certainty & { grantId: string };
/** A look that belongs to no link, and in how many earlier traces of the same items it was named. */
export type NamedLook = NamedGrant & { timesNamed: number };

/** A link that the leak points at, with those of its grants of which the same can be said by their own half. */
export interface NamedLink extends Certainty {
  linkId: string;
  /** In how many earlier traces of the same items it was named. */
  timesNamed: number;
  grants: NamedGrant[];
}

/**
 * All of a judgement that may leave the server. Below *probable* it holds no number and no name, so that nobody can climb from
 * answer to answer towards a chosen viewer.
 */
export interface Judgement {
  outcome: CertaintyWord | 'inconclusive';
  /** Codewords that stood to choice: links and grants. */
  issued: number;
  /** What was tried, counted. */
  hypotheses: number;
  /** Empty when the outcome is *inconclusive*; several where several made the copy together. */
  links: NamedLink[];
  /** The creator's own looks and an admin's. */
  ownLooks: NamedLook[];
}

/** Returns how many codewords stand to choice: one of each link, and one of each grant. */
export const countIssued = (suspects: readonly Suspect[]): number =>
  new Set(suspects.flatMap(({ link }) => link?.linkId ?? [])).size + suspects.length;

/** Says whom the readings of one leak point at, and how surely. */
export function judge(readings: readonly Reading[], suspects: readonly Suspect[], tries: Tries): Judgement {
  const items = new Set(readings.map(({ mediaId }) => mediaId)).size;
  const hypotheses = countHypotheses({ ...tries, items });
  const issued = countIssued(suspects);
  const { links, grants, ownLooks } = weighSuspects(readings, suspects, lnProbable(issued, hypotheses));
  const certaintyOf = (lnChance: number | undefined, timesNamed: number): Certainty | undefined => {
    const climbs = countClimbs({ ...tries, timesNamed });
    const chance = issued * hypotheses * climbs * Math.exp(lnChance ?? 0);
    const word = wordOf(chance);
    return word && { word, chancePower: shownPower(chance) };
  };
  const timesOf = (id: string) => tries.timesNamed?.get(id) ?? 0;
  const grantsOf = (linkId: string): NamedGrant[] =>
    suspects.flatMap(({ grantId, link }) => {
      // A link that was named told something of its grants as well.
      const certainty = link?.linkId === linkId && certaintyOf(grants.get(grantId), timesOf(linkId));
      return certainty ? [{ grantId, ...certainty }] : [];
    });
  const answer = {
    links: [...links].flatMap(([linkId, lnChance]): NamedLink[] => {
      const timesNamed = timesOf(linkId);
      const certainty = certaintyOf(lnChance, timesNamed);
      return certainty ? [{ linkId, ...certainty, timesNamed, grants: grantsOf(linkId) }] : [];
    }),
    ownLooks: [...ownLooks].flatMap(([grantId, lnChance]): NamedLook[] => {
      const timesNamed = timesOf(grantId);
      const certainty = certaintyOf(lnChance, timesNamed);
      return certainty ? [{ grantId, ...certainty, timesNamed }] : [];
    }),
  };
  const words = [...answer.links, ...answer.ownLooks].map(({ word }) => word);
  const outcome = words.includes('traced') ? 'traced' : (words[0] ?? 'inconclusive');
  return { outcome, issued, hypotheses, ...answer };
}

/** The smallest ln of a bound for each that came near enough to be named. */
type Bounds = Map<string, number>;

/** Every link, grant and look of the creator's own that may be named. */
interface Weighed {
  links: Bounds;
  grants: Bounds;
  ownLooks: Bounds;
}

/** One way to look at what was read: over all its items as one long row of tiles. */
type Evidence = { reading: number; says: Float64Array }[];

/** One seed's packed bits for every reading. */
type Codeword = readonly Uint8Array[];

/**
 * Weighs every link by its half alone, every grant by all tiles, which names its link, and which grant it was by the grant's half
 * alone. Everything here is chosen before the first codeword is looked at.
 * @param least bounds above this are not worth telling
 */
export function weighSuspects(readings: readonly Reading[], suspects: readonly Suspect[], least: number): Weighed {
  const [links, grants, ownLooks]: [Bounds, Bounds, Bounds] = [new Map(), new Map(), new Map()];
  const codewordOf = (seed: Seed): Codeword =>
    readings.map(({ mediaId, track, z }) => packedFairBits(seed, mediaId, track, z.length));
  const linkSeeds = new Map(suspects.flatMap(({ link }) => (link ? [[link.linkId, link.linkSeed]] : [])));
  const linkCodewords = Array.from(linkSeeds, ([linkId, seed]) => [linkId, codewordOf(seed)] as const);
  const grantCodewords = suspects.map((suspect) => [suspect, codewordOf(suspect.grantSeed)] as const);
  for (const evidence of waysToLook(readings)) {
    const { onLinks, onGrants } = splitHalves(readings, evidence);
    const linkScores = new Map(linkCodewords.map(([linkId, codeword]) => [linkId, onLinks.score(codeword)]));
    const [wholes, halves, own]: [Score[], Score[], Score[]] = [[], [], []];
    for (const [{ grantId, link }, codeword] of grantCodewords) {
      const score = onGrants.score(codeword);
      if (link) halves.push([grantId, score]);
      if (link) wholes.push([link.linkId, score + (linkScores.get(link.linkId) ?? 0)]);
      else own.push([grantId, score + onLinks.score(codeword)]);
    }
    const all = [...onLinks.says, ...onGrants.says];
    keepBest(links, [...linkScores], onLinks.says, least);
    keepBest(links, wholes, all, least);
    keepBest(grants, halves, onGrants.says, least);
    keepBest(ownLooks, own, all, least);
  }
  return { links, grants, ownLooks };
}

type Score = readonly [id: string, score: number];

/** Takes note of those whose score an innocent would hardly reach; bounds cost more than scores, so the best come first. */
function keepBest(bounds: Bounds, scores: Score[], says: readonly number[], least: number): void {
  for (const [id, score] of scores.toSorted(([, a], [, b]) => b - a)) {
    const bound = lnInnocent(says, score);
    if (bound > least) return;
    bounds.set(id, Math.min(bound, bounds.get(id) ?? 0));
  }
}

/** Every reading alone and, of several items, the clearest of each together: under one codeword tiles may be counted once only. */
export function waysToLook(readings: readonly Reading[]): Evidence[] {
  const clearest = new Map<string, { at: number; clearness: number }>();
  for (const [at, { mediaId, z }] of readings.entries()) {
    const clearness = clearnessOf(z);
    if (clearness > (clearest.get(mediaId)?.clearness ?? Number.NEGATIVE_INFINITY))
      clearest.set(mediaId, { at, clearness });
  }
  const together = Array.from(clearest.values(), ({ at }) => at);
  const ways = [...readings.map((_, at) => [at]), ...(together.length > 1 ? [together] : [])];
  return ways.flatMap((way) =>
    [() => steadyCap, lowCap].map((capOf) =>
      way.map((at) => {
        const { z } = readings[at] as Reading;
        return { reading: at, says: cap(z, capOf(z)) };
      }),
    ),
  );
}

/** Returns how far a reading stands out of what no mark would give: noise has squares of mean 1. */
function clearnessOf(z: Float64Array): number {
  const excess = cap(z, steadyCap).reduce((sum, value) => sum + value * value - 1, 0);
  return excess / Math.sqrt(z.length);
}

interface Half {
  says: number[];
  score(codeword: Codeword): number;
}

/** The link's tiles and the grant's, like the fields of a chessboard. */
export function splitHalves(readings: readonly Reading[], evidence: Evidence): { onLinks: Half; onGrants: Half } {
  const halfOf = (isLinks: boolean): Half => {
    const parts = evidence.map(({ reading, says }) => {
      const { columns } = readings[reading] as Reading;
      return { reading, says: says.map((value, t) => (isLinkTile(t, columns) === isLinks ? value : 0)) };
    });
    const scores = parts.map(({ reading, says }) => ({ reading, score: openScore(says) }));
    return {
      says: parts.flatMap(({ says }) => [...says].filter((value) => value !== 0)),
      score: (codeword) => scores.reduce((sum, { reading, score }) => sum + score(codeword[reading] as Uint8Array), 0),
    };
  };
  return { onLinks: halfOf(true), onGrants: halfOf(false) };
}
