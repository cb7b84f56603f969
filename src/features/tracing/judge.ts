import type { Reading, Suspect, Tries } from './evidence.ts';

/** How sure a name is: whole powers of ten, never below 10^-12, and no name at all above 10^-3. */
export interface Certainty {
  word: 'traced' | 'probable';
  /** The chance of naming a wrong one is less than 10 to this power: −3 to −12. */
  chancePower: number;
}

/** A link that the leak points at, with those of its grants of which the same can be said; own looks have no link. */
export interface NamedLink extends Certainty {
  linkId: string | undefined;
  grants: (Certainty & { grantId: string })[];
}

/**
 * All of a judgement that may leave the server. Below *probable* it holds no number and no name, so that nobody can climb from
 * answer to answer towards a chosen viewer (media: "the tracer must not be an oracle").
 */
export interface Judgement {
  outcome: 'traced' | 'probable' | 'inconclusive';
  /** Codewords that stood to choice: links and grants. */
  issued: number;
  /** What was tried, counted. */
  hypotheses: number;
  /** Empty when the outcome is *inconclusive*. */
  named: NamedLink[];
}

/** Says whom the readings of one leak point at, and how surely. */
export declare function judge(readings: readonly Reading[], suspects: readonly Suspect[], tries: Tries): Judgement;
