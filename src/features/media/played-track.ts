import type { FilmTrack } from './contract.ts';

/** One rendition of a film, as a player has to know it. */
export interface PlayedTrack {
  packId: string;
  track: FilmTrack;
  width: number | null;
  height: number | null;
  durationsUs: readonly number[];
  /** By slot: ciphertext bytes of each segment. */
  lengths: readonly { slot: number; lengths: readonly number[] }[];
}
