import type { Seed } from '#features/media/codeword.ts';
import type { Track } from '#features/media/keys.ts';

/** What was read out of one rendition of one item: it was made without looking at any codeword, and must stay so. */
export interface Reading {
  mediaId: string;
  track: Track;
  columns: number;
  rows: number;
  /** Per tile how clearly variant A (above 0) or B (below) was seen, in standard deviations of what no mark would give. */
  z: Float64Array;
  /** Per tile the share of it that lies in the leak, 0 to 1. */
  visible: Float64Array;
}

/** Somebody who was shown an item: a row of `deliveries`. The creator's own looks and an admin's have no link. */
export interface Suspect {
  grantId: string;
  grantSeed: Seed;
  link?: { linkId: string; linkSeed: Seed } | undefined;
}

/** What was tried for one leak; every try makes it likelier that chance alone names somebody. */
export interface Tries {
  /** Items that the leak was compared with, found in it or not. */
  candidates: number;
  /** Traces that were made of the found items before this one; they count as tries of this one. */
  earlierTraces: number;
}
