import { randomUUID } from 'node:crypto';
import { grantSeed, linkSeed } from '#features/media/codeword.ts';
import type { Reading, Suspect } from '#features/tracing/evidence.ts';
import { type Judgement, judge } from '#features/tracing/judge.ts';

/** All that an attacker learns from one upload: how near it came to accusing anybody, or less. */
export type Answers = (readings: readonly Reading[], earlierTraces: number) => Heard;
export interface Heard {
  isAccusation: boolean;
  /** Larger is nearer; undefined when the answer says nothing. */
  nearness: number | undefined;
}

const [columns, rows] = [18, 14];
const mediaId = randomUUID();

/** Viewers of one item, each with a link of their own. */
export function inviteViewers(count: number, traceKey: Buffer): Suspect[] {
  return Array.from({ length: count }, (_, n) => {
    const [grantId, linkId] = [`grant ${n}`, `link ${n}`];
    return { grantId, grantSeed: grantSeed(traceKey, grantId), link: { linkId, linkSeed: linkSeed(traceKey, linkId) } };
  });
}

/** The answers that the product gives, heard as well as they can be. */
export const honestAnswers =
  (suspects: readonly Suspect[]): Answers =>
  (readings, earlierTraces) =>
    hearJudgement(judge(readings, suspects, { candidates: 1, earlierTraces }));

/** Everything in a judgement that could lead a climber: it is all that is ever shown. */
export function hearJudgement({ outcome, links, ownLooks }: Judgement): Heard {
  const powers = [...links, ...ownLooks].map(({ chancePower }) => -chancePower);
  return { isAccusation: outcome === 'traced', nearness: powers.length > 0 ? Math.max(...powers) : undefined };
}

/**
 * A creator who wants to see somebody accused. With cookies of her own she has both variants of every tile, so she can make any
 * mixture and upload it as a leak; she keeps every change that the answer does not call worse.
 * @returns whether anybody was accused within so many uploads, and the uploads that it took
 */
export function climb(ask: Answers, uploads: number, random: () => number): { isAccused: boolean; uploads: number } {
  let best = mixture(random);
  let height: number | undefined;
  for (let n = 0; n < uploads; n++) {
    const tried = height === undefined ? mixture(random) : changed(best, random);
    const { isAccusation, nearness } = ask([readingOf(tried)], n);
    if (isAccusation) return { isAccused: true, uploads: n + 1 };
    if (nearness !== undefined && nearness >= (height ?? 0)) [best, height] = [tried, nearness];
  }
  return { isAccused: false, uploads };
}

/** A or B at will, tile by tile, as clear as can be. */
const mixture = (random: () => number) =>
  Float64Array.from({ length: columns * rows }, () => (random() < 0.5 ? 9 : -9));

const changed = (mix: Float64Array, random: () => number) => mix.map((z) => (random() < 0.04 ? -z : z));

const readingOf = (z: Float64Array): Reading => ({
  mediaId,
  track: 'p2048',
  columns,
  rows,
  z,
  visible: new Float64Array(z.length).fill(1),
});
