import { randomInt, randomUUID } from 'node:crypto';
import { segmentCodeword } from '#features/media/formats/codeword.ts';
import type { Reading } from '#features/tracing/findings.ts';
import { countHypotheses, wordOf } from '#features/tracing/rules.ts';
import { weighSuspects } from '#features/tracing/verdict/judge.ts';
import { countOf } from '../counts.ts';
import { newPerson, type Person, seedsOf } from './suspects.ts';

/** Codewords that stand to choice for one clip, and what is tried for it. */
export const issued = 10_000;
export const hypotheses = countHypotheses({ candidates: 1, items: 1, earlierTraces: 0 });

/** Of each second that was read: its clearness, above 0 where it was read right. */
export const rightOf = (reading: Reading, bits: Uint8Array): number[] =>
  [...reading.z].flatMap((z, n) => ((reading.visible[n] ?? 0) > 0 ? [bits[n] === 1 ? z : -z] : []));

/**
 * A clip of so many seconds by a new leaker, from anywhere in a video that was read: second by second as clear, or as wrong, as
 * there, so that dull stretches stay together. A clip that is longer than the video goes on at its beginning.
 */
export function drawClipOf(right: readonly number[], seconds: number): { reading: Reading; leaker: Person } {
  const leaker = newPerson();
  const mediaId = randomUUID();
  const bits = segmentCodeword(seedsOf(leaker), mediaId, 'v720', seconds);
  const from = Math.floor(Math.random() * right.length);
  const z = Float64Array.from(bits, (bit, n) => {
    const clearness = right[(from + n) % right.length] ?? 0;
    return bit === 1 ? clearness : -clearness;
  });
  const visible = new Float64Array(seconds).fill(1);
  return { reading: { mediaId, track: 'v720', columns: seconds, rows: 1, z, visible }, leaker };
}

/** The same, made by viewers of two links who took each second from either of their copies. */
function drawMixOf(right: readonly number[], seconds: number): { reading: Reading; leakers: Person[] } {
  const [one, two] = [drawClipOf(right, seconds), drawClipOf(right, seconds)];
  const other = segmentCodeword(seedsOf(two.leaker), one.reading.mediaId, 'v720', seconds);
  const own = segmentCodeword(seedsOf(one.leaker), one.reading.mediaId, 'v720', seconds);
  // Where both have the same variant, and where the first one's was taken, it reads as the first one's does.
  const z = one.reading.z.map((value, n) => (own[n] === other[n] || randomInt(2) === 0 ? value : -value));
  return { reading: { ...one.reading, z }, leakers: [one.leaker, two.leaker] };
}

/** The shortest clip of which 95 in 100 name one of two links that were mixed; endless where five minutes are not enough. */
export function secondsNeededOfTwo(right: readonly number[]): number {
  const draws = 100;
  const isNamed = (seconds: number) => {
    const { reading, leakers } = drawMixOf(right, seconds);
    const { links } = weighSuspects([reading], leakers, 0);
    return leakers.some(({ link }) => isTraced(links.get(link.linkId)));
  };
  for (let seconds = 30; seconds <= 300; seconds += 10)
    if (Array.from({ length: draws }, () => isNamed(seconds)).filter(Boolean).length >= 0.95 * draws) return seconds;
  return Number.POSITIVE_INFINITY;
}

/** Returns whether a chance of e^ln among all codewords of a clip is an accusation. */
export const isTraced = (ln = 0): boolean => wordOf(issued * hypotheses * Math.exp(ln)) === 'traced';

/** Shares of clips of a length that name their link, and that name their viewer by the own half. */
function verdictsAt(right: readonly number[], seconds: number, draws: number): { link: number; grant: number } {
  let [link, grant] = [0, 0];
  for (let draw = 0; draw < draws; draw++) {
    const { reading, leaker } = drawClipOf(right, seconds);
    const weighed = weighSuspects([reading], [leaker], 0);
    if (isTraced(weighed.links.get(leaker.link.linkId))) link++;
    if (isTraced(weighed.grants.get(leaker.grantId))) grant++;
  }
  return { link: link / draws, grant: grant / draws };
}

/** The shortest clip of which 95 in 100 end in a verdict. */
export function secondsNeeded(right: readonly number[], of: 'link' | 'grant'): number {
  for (let seconds = 15; seconds <= 300; seconds += of === 'link' ? 3 : 6)
    if (verdictsAt(right, seconds, countOf(60, 300))[of] >= 0.95) return seconds;
  return Number.POSITIVE_INFINITY;
}

/** Lengths of clips in the printed table, in seconds. */
const lengths = [15, 30, 45, 60, 90, 150, 300];

export const clipsHead: string[][] = [
  [
    'video',
    'leak',
    'read',
    'wrong',
    ...lengths.map((seconds) => `${seconds} s`),
    'link, 95 %',
    'viewer, 95 %',
    'one of two links mixed, 95 %',
  ],
  Array(lengths.length + 7).fill('---'),
];

/** One leak as people read it: how many clips of each length name their link. */
export function clipsRow(video: string, leak: string, right: readonly number[], needed: number): string[] {
  const wrong = right.filter((z) => z <= 0).length;
  const shares = lengths.map((seconds) => `${Math.round(100 * verdictsAt(right, seconds, 200).link)} %`);
  const last = [`${needed} s`, `${secondsNeeded(right, 'grant')} s`, `${secondsNeededOfTwo(right)} s`];
  return [video, leak, String(right.length), String(wrong), ...shares, ...last];
}

export const tableText = (rows: readonly string[][]): string => rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
