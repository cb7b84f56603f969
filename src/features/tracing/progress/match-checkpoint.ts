import * as z from 'zod';

/** How far a leak was compared with the candidates, in the order of their ids. */
export const MatchCheckpoint = z.object({
  /** Those that look alike as a whole and were read in vain. */
  tried: z.array(z.string()),
  /** The last one that was compared; empty before the first. */
  after: z.string(),
  /** The best of those that are in the leak so far. */
  hits: z.array(z.object({ mediaId: z.string(), inliers: z.int() })),
  /** Of a clip whose stills are compared now: the videos that were found in it. */
  films: z.array(z.string()).optional(), // its stored name
});
export type MatchCheckpoint = z.infer<typeof MatchCheckpoint>;

/** For large libraries: where to go on, and who hears how far it is; throwing there stops the work. */
export interface CheckpointOptions {
  place?: MatchCheckpoint | undefined;
  onPlace?(place: MatchCheckpoint): Promise<void>;
}
