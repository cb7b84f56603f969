import type { Engines } from '#engines/engines.ts';
import type { SignedIn } from './seeding.ts';

/** What a week is made with. */
export interface Making {
  engines: Engines;
  /** The project's. */
  root: string;
  /** For files on their way. */
  folder: string;
  creator: SignedIn;
  /** The week's end: when the demo was made. */
  endMs: number;
  signal: AbortSignal | undefined;
}
