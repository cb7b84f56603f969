/** What a person says on the command line. */
export interface BenchOptions {
  rounds: number;
  /** A folder of photographs. */
  photos: string | undefined;
  photoCount: number;
  isProfiled: boolean;
  /** How many events the installation of `insights` has. */
  events?: number;
  /** A folder in which that installation is kept once it has grown, and from which it comes the next time. */
  kept?: string | undefined;
}

/** One line of what goes on, for the person who waits. */
export const say = (words: string): void => void process.stdout.write(`  ${words}\n`);
