import type { TraceProgress } from '../findings.ts';

/** A stretch of a trace's whole way, as shares of it. */
export interface Stretch {
  from: number;
  to: number;
}

/** A picture has one stretch. A clip has two: its videos first, then the pictures that stand in it. */
export const stretches = {
  picture: { from: 0.05, to: 0.97 },
  videos: { from: 0.05, to: 0.5 },
  stills: { from: 0.5, to: 0.97 },
} as const satisfies Record<string, Stretch>;

/** What a stretch consists of: those that look alike as a whole, then all the others, then what was found. */
const parts = {
  firstLook: { from: 0, to: 0.1 },
  matching: { from: 0.1, to: 0.7 },
  reading: { from: 0.7, to: 1 },
} as const satisfies Record<string, Stretch>;

const within = ({ from, to }: Stretch, share: number) => from + (to - from) * share;

/** Returns how far the whole trace is, 0 to 1: each step goes on where the one before it ended. */
export function shareOf(stretch: Stretch, { step, done, of, isFirstLook }: TraceProgress): number {
  const part = parts[isFirstLook ? 'firstLook' : step];
  return within(stretch, within(part, of > 0 ? Math.min(1, done / of) : 0));
}
