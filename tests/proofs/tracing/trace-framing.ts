import { randomUUID } from 'node:crypto';
import { grantSeed, linkSeed, tileCodeword } from '#features/media/formats/codeword.ts';
import type { Reading, Suspect } from '#features/tracing/findings.ts';
import { countHypotheses, wordOf } from '#features/tracing/rules.ts';
import { type Judgement, judge, weighSuspects } from '#features/tracing/verdict/judge.ts';

/** Which of both variants each tile of a mixture holds. */
export type Mix = Uint8Array;

/** What an attacker learns from one upload: whether it accuses, and how near it came if that can be heard. */
export interface Heard {
  isAccusation: boolean;
  /** Larger is nearer; undefined when the answer says nothing. */
  nearness: number | undefined;
}

/** Hands a mixture in. Answers remember each other. */
export type Ask = (mix: Mix) => Heard | Promise<Heard>;

/** What somebody tries, and from where on. */
export interface Climb {
  tiles: number;
  uploads: number;
  random: () => number;
  /** A mixture that they were lucky with already. */
  start?: Mix;
  /** Some tiles at once, and whatever is not called worse is kept; or one, and only what is called better. */
  pace?: 'some tiles' | 'one tile';
}

/**
 * A creator who wants to see somebody accused. With cookies of her own she has both variants of every tile, so she can make any
 * mixture and upload it as a leak; she keeps the changes that the answer does not call worse.
 * @returns whether anybody was accused within so many uploads, and the uploads that it took
 */
export async function climb(
  ask: Ask,
  { tiles, uploads, random, start, pace = 'some tiles' }: Climb,
): Promise<{ isAccused: boolean; uploads: number }> {
  let best = start ?? mixture(tiles, random);
  let height: number | undefined;
  for (let n = 0; n < uploads; n++) {
    const tried =
      start && n === 0 ? start : height === undefined ? mixture(tiles, random) : paces[pace].change(best, random);
    const { isAccusation, nearness } = await ask(tried);
    if (isAccusation) return { isAccused: true, uploads: n + 1 };
    if (nearness !== undefined && paces[pace].isKept(nearness, height ?? 0)) [best, height] = [tried, nearness];
  }
  return { isAccused: false, uploads };
}

const mixture = (tiles: number, random: () => number): Mix =>
  Uint8Array.from({ length: tiles }, () => (random() < 0.5 ? 1 : 0));

const paces: Record<
  NonNullable<Climb['pace']>,
  { change(mix: Mix, random: () => number): Mix; isKept(nearness: number, height: number): boolean }
> = {
  'some tiles': {
    change(mix, random) {
      const share = 0.01 + 0.03 * random();
      return mix.map((bit) => (random() < share ? 1 - bit : bit));
    },
    isKept: (nearness, height) => nearness >= height,
  },
  'one tile': {
    change(mix, random) {
      const one = Math.floor(random() * mix.length);
      return mix.map((bit, t) => (t === one ? 1 - bit : bit));
    },
    isKept: (nearness, height) => nearness > height,
  },
};

/**
 * A mixture that happens to agree with somebody so often that it is just near enough.
 * @param target what they were shown
 */
export function luckyMixture(target: Mix, random: () => number, isNearEnough: (mix: Mix) => boolean): Mix {
  const mix = mixture(target.length, random);
  const order = Array.from(target.keys(), (t) => [random(), t] as const).toSorted(([a], [b]) => a - b);
  for (const [, t] of order) {
    if (isNearEnough(mix)) break;
    mix[t] = target[t] as number;
  }
  return mix;
}

/** Everything in a judgement that could lead a climber: it is all that is ever shown. */
export function hearJudgement({ outcome, links, ownLooks }: Judgement): Heard {
  const powers = [...links, ...ownLooks].map(({ chancePower }) => -chancePower);
  return { isAccusation: outcome === 'traced', nearness: powers.length > 0 ? Math.max(...powers) : undefined };
}

/** A tracer that leaks: it judges each copy as if none had come before. */
export const hearForgetful = (readings: readonly Reading[], suspects: readonly Suspect[]): Heard =>
  hearJudgement(judge(readings, suspects, { candidates: 1, earlierTraces: 0 }));

/** A tracer that leaks more: it tells how near the copy came to the nearest of them, whatever that is. */
export function hearOracle(readings: readonly Reading[], suspects: readonly Suspect[]): Heard {
  const least = Math.min(0, ...weighSuspects(readings, suspects, 0).links.values());
  const hypotheses = countHypotheses({ candidates: 1, items: 1, earlierTraces: 0 });
  return { isAccusation: wordOf(2 * suspects.length * hypotheses * Math.exp(least)) === 'traced', nearness: -least };
}

/** An item as it would be read were every tile as clear as can be. */
export interface DrawnItem {
  mediaId: string;
  columns: number;
  rows: number;
}
export const drawnItem: DrawnItem = { mediaId: randomUUID(), columns: 18, rows: 14 };

export const readingOf = ({ mediaId, columns, rows }: DrawnItem, mix: Mix): Reading => ({
  mediaId,
  track: 'p2048',
  columns,
  rows,
  z: Float64Array.from(mix, (bit) => (bit === 1 ? 9 : -9)),
  visible: new Float64Array(mix.length).fill(1),
});

/** Viewers of one item, each with a link of their own. */
export function inviteViewers(count: number, traceKey: Buffer): Suspect[] {
  return Array.from({ length: count }, (_, n) => {
    const [grantId, linkId] = [`grant ${n}`, `link ${n}`];
    return { grantId, grantSeed: grantSeed(traceKey, grantId), link: { linkId, linkSeed: linkSeed(traceKey, linkId) } };
  });
}

/** What one viewer was shown of an item. */
export function bitsOfSuspect({ grantSeed: own, link }: Suspect, item: DrawnItem): Mix {
  if (link === undefined) throw new Error('Nobody to frame.');
  return tileCodeword({ grantSeed: own, linkSeed: link.linkSeed }, item.mediaId, 'p2048', item);
}

/** The answers that the product gives to one creator about one item, heard as well as they can be. */
export function honestAnswers(suspects: readonly Suspect[]): Ask {
  const timesNamed = new Map<string, number>();
  let earlierTraces = 0;
  return (mix) => {
    const judgement = judge([readingOf(drawnItem, mix)], suspects, { candidates: 1, earlierTraces, timesNamed });
    earlierTraces++;
    for (const { linkId } of judgement.links) timesNamed.set(linkId, (timesNamed.get(linkId) ?? 0) + 1);
    return hearJudgement(judgement);
  };
}
