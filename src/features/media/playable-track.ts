import type { VideoTrack } from './contract.ts';

/** One rendition of a video, as a player has to know it. */
export interface PlayableTrack {
  packId: string;
  track: VideoTrack;
  width: number | null;
  height: number | null;
  durationsUs: readonly number[];
  /** By slot: ciphertext bytes of each segment. */
  lengths: readonly { slot: number; lengths: readonly number[] }[];
}
