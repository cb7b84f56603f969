import { randomUUID } from 'node:crypto';
import { grantSeed, linkSeed, tileCodeword } from '#features/media/codeword.ts';
import type { Reading, Suspect } from '#features/tracing/evidence.ts';
import { type Judgement, judge } from '#features/tracing/judge.ts';

/** All that an attacker learns from one upload: how near it came to accusing anybody, or less. Answers remember each other. */
export type Answers = (readings: readonly Reading[]) => Heard;
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

/** The answers that the product gives to one creator about one item, heard as well as they can be. */
export function honestAnswers(suspects: readonly Suspect[]): Answers {
  const timesNamed = new Map<string, number>();
  let earlierTraces = 0;
  return (readings) => {
    const judgement = judge(readings, suspects, { candidates: 1, earlierTraces, timesNamed });
    earlierTraces++;
    for (const { linkId } of judgement.links) timesNamed.set(linkId, (timesNamed.get(linkId) ?? 0) + 1);
    return hearJudgement(judgement);
  };
}

/** Everything in a judgement that could lead a climber: it is all that is ever shown. */
export function hearJudgement({ outcome, links, ownLooks }: Judgement): Heard {
  const powers = [...links, ...ownLooks].map(({ chancePower }) => -chancePower);
  return { isAccusation: outcome === 'traced', nearness: powers.length > 0 ? Math.max(...powers) : undefined };
}

/**
 * A creator who wants to see somebody accused. With cookies of her own she has both variants of every tile, so she can make any
 * mixture and upload it as a leak; she keeps every change that the answer does not call worse.
 * @param start a mixture that she was lucky with already
 * @returns whether anybody was accused within so many uploads, and the uploads that it took
 */
export function climb(
  ask: Answers,
  uploads: number,
  random: () => number,
  start?: Float64Array,
): { isAccused: boolean; uploads: number } {
  let best = start ?? mixture(random);
  let height = start && ask([readingOf(start)]).nearness;
  for (let n = 0; n < uploads; n++) {
    const tried = height === undefined ? mixture(random) : changed(best, random);
    const { isAccusation, nearness } = ask([readingOf(tried)]);
    if (isAccusation) return { isAccused: true, uploads: n + 1 };
    if (nearness !== undefined && nearness >= (height ?? 0)) [best, height] = [tried, nearness];
  }
  return { isAccused: false, uploads };
}

/** A mixture that happens to be just near enough to somebody's codeword to be called probable, as hardly any is. */
export function luckyMixture(suspects: readonly Suspect[], random: () => number): Float64Array {
  const [target] = suspects;
  if (target?.link === undefined) throw new Error('Nobody to frame.');
  const { grantSeed: own, link } = target;
  const bits = tileCodeword({ grantSeed: own, linkSeed: link.linkSeed }, mediaId, 'p2048', { columns, rows });
  const mix = mixture(random);
  for (const t of mix.keys()) {
    if (hearJudgement(judge([readingOf(mix)], suspects, { candidates: 1, earlierTraces: 0 })).nearness !== undefined)
      return mix;
    if (random() < 0.5) mix[t] = bits[t] ? 9 : -9;
  }
  return mix;
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
