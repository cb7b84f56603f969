import { randomBytes, randomFillSync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fairBits, segmentCodeword } from '#features/media/codeword.ts';
import type { Reading } from '#features/tracing/evidence.ts';
import { judge, weighSuspects } from '#features/tracing/judge.ts';
import { countHypotheses, wordOf } from '#features/tracing/rules.ts';
import { cap, lnInnocent, openScore } from '#features/tracing/score.ts';
import { canDrawClips, tellNoClips } from '#tests/support/clips.ts';
import { drawFilm, recode } from '#tests/support/leaked-clips.ts';
import { countOf, isFull, tellProof } from './counts.ts';
import { type Attacked, openAveraging } from './film-attacks.ts';
import { openTracedFilm, type TracedFilm } from './film-world.ts';
import { bestInnocent, drawCrowd, scalesOf } from './trace-crowd.ts';
import { newPerson, type Person, seedsOf } from './trace-world.ts';

/**
 * Who leaked the clip? A film goes through the real ladder, is seen as a viewer sees it, coded again, found, read second by second
 * and judged among 10,000 codewords. `npm run prove -- trace-video` is the whole of it; TRACE_FILM_SECONDS makes its film shorter.
 */
if (!canDrawClips) tellNoClips();
vi.setConfig({ testTimeout: countOf(300_000, 7_200_000), hookTimeout: countOf(300_000, 7_200_000) });
const issued = 10_000;
const hypotheses = countHypotheses({ candidates: 1, items: 1, earlierTraces: 0 });
const film = isFull
  ? { seconds: Number(process.env.TRACE_FILM_SECONDS ?? 60), width: 1280, height: 720 }
  : { seconds: 10, width: 640, height: 360 };

/** How a clip was coded again, and in how many seconds 95 of 100 verdicts are wanted. */
interface Leak {
  name: string;
  args: string[];
  wantedSeconds: number;
}
const coded = (height: number, crf: number) => ['-vf', `scale=-2:${height}`, '-c:v', 'libx264', '-crf', String(crf)];
const leaks: Leak[] = isFull
  ? [
      { name: '480p crf 30', args: coded(480, 30), wantedSeconds: 45 },
      { name: '360p crf 34', args: coded(360, 34), wantedSeconds: 90 },
    ]
  : // A quarter of the pixels tells a quarter.
    [{ name: '360p crf 28', args: coded(360, 28), wantedSeconds: 60 }];

interface Read {
  leak: Leak;
  leaker: Person;
  reading: Reading;
  /** Of each second that was read: its clearness, above 0 where it was read right. */
  right: number[];
}
const reads: Read[] = [];
const rows: string[][] = [];
let sent = 0;

const rightOf = (reading: Reading, bits: Uint8Array): number[] =>
  [...reading.z].flatMap((z, n) => ((reading.visible[n] ?? 0) > 0 ? [bits[n] === 1 ? z : -z] : []));

/** Of the seconds that were read those read wrong; all, where nothing was found. */
function shareWrong(reading: Reading | undefined, bits: Uint8Array): number {
  const right = reading === undefined ? [] : rightOf(reading, bits);
  return right.length === 0 ? 1 : right.filter((z) => z <= 0).length / right.length;
}

/** A clip of so many seconds by a new leaker, every second of it as clear, or as wrong, as one that was really read. */
function drawClipOf(right: readonly number[], seconds: number): { reading: Reading; leaker: Person } {
  const leaker = newPerson();
  const mediaId = randomUUID();
  const bits = segmentCodeword(seedsOf(leaker), mediaId, 'v720', seconds);
  const z = Float64Array.from(bits, (bit) => {
    const clearness = right[Math.floor(Math.random() * right.length)] ?? 0;
    return bit === 1 ? clearness : -clearness;
  });
  const visible = new Float64Array(seconds).fill(1);
  return { reading: { mediaId, track: 'v720', columns: seconds, rows: 1, z, visible }, leaker };
}

const isTraced = (ln = 0) => wordOf(issued * hypotheses * Math.exp(ln)) === 'traced';

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
function secondsNeeded(right: readonly number[], of: 'link' | 'grant'): number {
  for (let seconds = 15; seconds <= 300; seconds += of === 'link' ? 3 : 6)
    if (verdictsAt(right, seconds, countOf(60, 300))[of] >= 0.95) return seconds;
  return Number.POSITIVE_INFINITY;
}

describe.runIf(canDrawClips)('a leaked clip', () => {
  let traced: TracedFilm;
  const leaker = newPerson();
  let bits: Uint8Array;
  beforeAll(async () => {
    traced = await openTracedFilm(await drawFilm(film));
    bits = segmentCodeword(seedsOf(leaker), traced.candidate.mediaId, 'v720', traced.seconds);
  });
  afterAll(async () => {
    await traced?.close();
    if (isFull && rows.length > 0)
      process.stdout.write(`\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n\n`);
    tellProof('trace-video', sent, { seconds: film.seconds, codewords: issued });
  });

  it.each(leaks.map((leak) => [leak.name, leak] as const))(
    'names its link out of ten thousand codewords: %s',
    async (name, leak) => {
      const reading = await traced.read(await recode(await traced.mixture(bits), leak.args));
      sent++;
      if (reading === undefined) throw new Error('the film was not found');
      const right = rightOf(reading, bits);
      reads.push({ leak, leaker, reading, right });
      const wrong = right.filter((z) => z <= 0).length;
      const needed = secondsNeeded(right, 'link');
      if (isFull) {
        if (rows.length === 0)
          rows.push(
            [
              'leak',
              'read',
              'wrong',
              '15 s',
              '30 s',
              '45 s',
              '60 s',
              '90 s',
              '150 s',
              '300 s',
              'link, 95 %',
              'viewer, 95 %',
            ],
            Array(12).fill('---'),
          );
        const shares = [15, 30, 45, 60, 90, 150, 300].map(
          (seconds) => `${Math.round(100 * verdictsAt(right, seconds, 200).link)} %`,
        );
        rows.push([
          name,
          String(right.length),
          String(wrong),
          ...shares,
          `${needed} s`,
          `${secondsNeeded(right, 'grant')} s`,
        ]);
      }
      expect(right.length).toBeGreaterThanOrEqual(0.9 * traced.seconds);
      expect(wrong / right.length).toBeLessThanOrEqual(0.2);
      expect(needed).toBeLessThanOrEqual(leak.wantedSeconds);
    },
  );

  it('names nobody by the variants exchanged, nor under the keys of another creator', () => {
    const [{ right }] = reads as [Read];
    const clip = drawClipOf(right, 90);
    const judged = (of: Reading, suspect: Person) =>
      judge([of], [suspect], { candidates: 1, earlierTraces: 0 }).outcome;
    expect(judged(clip.reading, clip.leaker)).toBe('traced');
    expect(judged({ ...clip.reading, z: clip.reading.z.map((z) => -z) }, clip.leaker)).toBe('inconclusive');
    expect(judged(clip.reading, newPerson(clip.leaker.link.linkId, randomBytes(32)))).toBe('inconclusive');
  });

  describe('of which the mark was guessed from this one copy by the mean of each second', () => {
    const gains = isFull ? [0.5, 1, 2, 3, 5] : [1, 2];
    let attacked: { attack: Attacked; gain: number; reading: Reading | undefined }[];
    beforeAll(async () => {
      const [width, height] = [film.width, film.height];
      const treat = openAveraging(await traced.mixture(bits.subarray(0, countOf(4, 10))), width, height);
      attacked = [];
      for (const gain of gains) {
        const attack = treat(gain);
        attacked.push({ attack, gain, reading: await traced.read(attack.clip) });
        sent++;
      }
    });

    it('names nobody else, whether it was taken out or turned round', () => {
      const crowd = drawCrowd(issued / 2, issued / 2);
      for (const { reading } of attacked) {
        const best = scalesOf(reading === undefined ? [] : [reading]).map((scales) => bestInnocent(scales, crowd));
        for (const { link, whole, grant } of best) expect(isTraced(Math.min(link, whole, grant))).toBe(false);
      }
    });

    it('breaks half of its bits only where that shows in the picture', () => {
      for (const { attack, gain, reading } of attacked) {
        const share = shareWrong(reading, bits);
        const words = `${attack.psnr.toFixed(1)} dB, ${Math.round(100 * share)} % wrong`;
        if (isFull) process.stdout.write(`the mean of each second taken out ${gain} times: ${words}\n`);
        if (share >= 0.5) expect(attack.psnr, words).toBeLessThan(41);
      }
    });
  });
});

describe.runIf(canDrawClips)('an innocent', () => {
  const crowdOf = (grants: number) => drawCrowd(grants, grants);

  it('is accused by no clip under no key', () => {
    const [keys, each] = [countOf(5, 100), countOf(10_000, 100_000)];
    let lowest = 0;
    for (let key = 0; key < keys; key++) {
      const crowd = crowdOf(each / 2);
      for (const { right } of reads)
        for (const scales of scalesOf([drawClipOf(right, 60).reading])) {
          const best = bestInnocent(scales, crowd);
          lowest = Math.min(lowest, best.link, best.whole, best.grant);
        }
    }
    if (isFull)
      process.stdout.write(`innocents: ${keys * each} codewords, lowest 10^${(lowest / Math.LN10).toFixed(1)}\n`);
    expect(reads.length).toBeGreaterThan(0);
    expect(wordOf(issued * hypotheses * Math.exp(lowest))).toBeUndefined();
  });

  it('would be named by a rule that forgets how many stood to choice and what was tried', () => {
    const [{ right }] = reads as [Read];
    const crowd = crowdOf(100_000);
    const best = scalesOf([drawClipOf(right, 120).reading]).map((scales) => bestInnocent(scales, crowd));
    const lowest = Math.min(...best.flatMap(({ link, whole, grant }) => [link, whole, grant]));
    expect(wordOf(Math.exp(lowest))).toBeDefined();
    expect(wordOf(200_000 * hypotheses * Math.exp(lowest))).toBeUndefined();
  });

  it('would be accused by a reader that looks at the codeword and leaves out what disagrees', () => {
    const [{ right }] = reads as [Read];
    // So long that the half which agrees by chance is always enough.
    const seconds = 256;
    const { reading } = drawClipOf(right, seconds);
    const innocent = randomFillSync(Buffer.alloc(32));
    const own = fairBits(innocent, reading.mediaId, 'v720', seconds);
    const says = cap(reading.z, 3);
    const tuned = says.map((value, n) => (value > 0 === (own[n] === 1) ? value : 0));
    const packed = new Uint8Array(32);
    for (const [n, bit] of own.entries()) packed[n >> 3] = (packed[n >> 3] ?? 0) | (bit << (n & 7));
    expect(isTraced(lnInnocent([...tuned], openScore(tuned)(packed)))).toBe(true);
    expect(isTraced(lnInnocent([...says], openScore(says)(packed)))).toBe(false);
  });
});
