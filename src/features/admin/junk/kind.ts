import type { Engines } from '#engines/engines.ts';

/** So much of a kind is listed by one look, and cleaned after it. */
export const mostListed = 10_000;

/** What a look has found. */
export interface Found {
  count: number;
  /** Null where nobody knows. */
  sizeBytes: number | null;
  /** The first `mostListed` of them, in an order that does not change by itself. */
  ids: string[];
}

/** One kind of rubbish. What is counted, listed and cleaned goes by the same condition, so nothing is cleaned that no look would list. */
export interface Rubbish {
  /** Counts without listing; left out where that costs as much as a look. */
  count?(engines: Engines): Promise<Omit<Found, 'ids'>>;
  look(engines: Engines): Promise<Found>;
  /** Cleans those of these that are rubbish still. Left out, it is only shown. @returns how many it has cleaned */
  clean?(engines: Engines, ids: readonly string[]): Promise<number>;
}
