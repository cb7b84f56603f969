import { randomBytes, randomFillSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fairBits, segmentCodeword } from '#features/media/formats/codeword.ts';
import type { Reading } from '#features/tracing/findings.ts';
import { wordOf } from '#features/tracing/rules.ts';
import { judge } from '#features/tracing/verdict/judge.ts';
import { cap, lnInnocent, openScore } from '#features/tracing/verdict/score.ts';
import { canDrawClips, warnNoClips } from '#tests/support/media/clips.ts';
import { recode } from '#tests/support/tracing/leaked-clips.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import {
  type AttackedClip,
  attackClip,
  attackHead,
  attackRow,
  wordsOfCrowdWith,
  wordsOfInnocents,
} from './attacked-clips.ts';
import { newPerson, type Person, seedsOf } from './suspects.ts';
import { bestInnocent, drawCrowd, scalesOf } from './trace-crowd.ts';
import { openTracedVideo, type TracedVideo } from './traced-video.ts';
import {
  clipsHead,
  clipsRow,
  drawClipOf,
  hypotheses,
  issued,
  isTraced,
  rightOf,
  secondsNeeded,
  tableText,
} from './video-clips.ts';
import { findVideos } from './video-material.ts';

guards('src/features/tracing/**', 'src/features/media/**', 'src/engines/video/**');

/**
 * Who leaked the clip? Videos go through the real ladder, are seen as a viewer sees them, coded again, found, read second by second
 * and judged among 10,000 codewords. `npm run prove -- trace-video` is the whole of it; TRACE_VIDEO_SECONDS makes its videos of
 * another length.
 */
if (!canDrawClips) warnNoClips();
vi.setConfig({ testTimeout: countOf(900_000, 7_200_000), hookTimeout: countOf(900_000, 7_200_000) });
const wish = isFull
  ? { seconds: Number(process.env.TRACE_VIDEO_SECONDS ?? 60), width: 1280, height: 720 }
  : { seconds: 10, width: 640, height: 360 };
const videos = canDrawClips ? await findVideos(wish) : [];

/** How a clip was coded again, and in how many seconds 95 of 100 verdicts are wanted. */
interface Leak {
  name: string;
  /** The rung that was played; the best one without it. */
  track?: 'v480';
  args: string[];
  wantedSeconds: number;
}
const coded = (height: number, crf: number) => ['-vf', `scale=-2:${height}`, '-c:v', 'libx264', '-crf', String(crf)];
const leaks: Leak[] = isFull
  ? [
      { name: '480p crf 30', args: coded(480, 30), wantedSeconds: 45 },
      { name: '360p crf 34', args: coded(360, 34), wantedSeconds: 90 },
      { name: 'the rung of phones, 480p crf 30', track: 'v480', args: coded(480, 30), wantedSeconds: 90 },
      { name: 'the rung of phones, 360p crf 34', track: 'v480', args: coded(360, 34), wantedSeconds: 90 },
    ]
  : // A quarter of the pixels tells a quarter.
    [{ name: '360p crf 28', args: coded(360, 28), wantedSeconds: 60 }];

/** The share of seconds of a leak that may be read wrong. */
const mostWrong = 0.2;

/** How often which guess is taken out; the last by the mean breaks more than half of the bits, by a wide margin. */
const attacks: Pick<AttackedClip, 'guess' | 'gain'>[] = [
  ...(isFull ? [0, 1, 2, 3, 4, 5] : [0, 2, 5]).map((gain) => ({ guess: 'mean' as const, gain })),
  ...(isFull ? [1, 2] : [2]).map((gain) => ({ guess: 'neighbours' as const, gain })),
];
const reads: { right: number[] }[] = [];
const rows: string[][] = [];
const attackRows: string[][] = [];
let sent = 0;

afterAll(() => {
  if (!isFull || rows.length === 0) return;
  process.stdout.write(`\n${tableText([...clipsHead, ...rows])}\n\n${tableText([...attackHead, ...attackRows])}\n\n`);
  printProof('trace-video', sent, { videos: videos.length, seconds: wish.seconds, codewords: issued });
});

describe.each(videos.map((video) => [video.name, video] as const))(
  'a leaked clip of a video: %s',
  (video, { make, longer, isStill = false }) => {
    let traced: TracedVideo;
    const leaker = newPerson();
    let bits: Uint8Array;
    beforeAll(async () => {
      traced = await openTracedVideo(await make());
      bits = segmentCodeword(seedsOf(leaker), traced.candidate.mediaId, 'v720', traced.seconds);
    });
    afterAll(() => traced?.close());

    it.each(leaks.map((leak) => [leak.name, leak] as const))(
      'names its link out of ten thousand codewords: %s',
      async (name, leak) => {
        const reading = await traced.read(await recode(await traced.mixture(bits, leak.track), leak.args));
        sent++;
        if (reading === undefined) throw new Error('the video was not found');
        const right = rightOf(reading, bits);
        reads.push({ right });
        const wrong = right.filter((z) => z <= 0).length;
        const needed = secondsNeeded(right, 'link');
        if (isFull) rows.push(clipsRow(video, name, right, needed));
        expect(right.length).toBeGreaterThanOrEqual(0.9 * traced.seconds);
        expect(wrong / right.length).toBeLessThanOrEqual(mostWrong);
        expect(needed).toBeLessThanOrEqual(leak.wantedSeconds * longer);
      },
    );

    describe('of which the mark was guessed from this one copy', () => {
      let attacked: AttackedClip[];
      beforeAll(async () => {
        attacked = [];
        const copy = await traced.mixture(bits);
        for (const attack of attacks) {
          const clip = await attackClip(traced, copy, { bits, leaker }, attack);
          attacked.push(clip);
          sent++;
          const row = attackRow(video, clip);
          attackRows.push(row);
          if (isFull) process.stdout.write(`${row.join(' · ')}\n`);
        }
      });
      const untreated = () => attacked.find(({ gain }) => gain === 0) as AttackedClip;

      it('names its link as long as nothing is taken out', () => {
        expect(untreated()).toMatchObject({ isFound: true, psnr: Number.POSITIVE_INFINITY });
        // Of a video that stands still a coder leaves out some of what changes.
        expect(untreated().shareWrong).toBeLessThanOrEqual(isStill ? mostWrong : 0.1);
        expect(wordsOfCrowdWith('the leaker', untreated())).toContain('traced');
      });

      it('names nobody else, not even with a warning, whether it was taken out or turned round', () => {
        const named = attacked.map((clip) => ({ guess: clip.guess, gain: clip.gain, named: wordsOfInnocents(clip) }));
        expect(named).toEqual(attacks.map((attack) => ({ ...attack, named: [] })));
      });

      it('would name whoever had the other variant of every second, were all of it turned round', () => {
        const turned = {
          ...untreated(),
          readings: untreated().readings.map((reading) => ({ ...reading, z: reading.z.map((z) => -z) })),
        };
        expect(wordsOfCrowdWith('the opposite', turned)).toContain('traced');
        expect(wordsOfCrowdWith('the leaker', turned)).toEqual([]);
      });

      it('breaks half of its bits only where that shows in the picture', () => {
        const reported = attackRows.map((row) => row.join(', ')).join('\n');
        const isBroken = ({ shareWrong }: AttackedClip) => shareWrong >= 0.5;
        // The strongest attack breaks them, or leaves nothing to look at.
        expect(
          attacked.some((clip) => isBroken(clip) || clip.psnr < 30),
          reported,
        ).toBe(true);
        for (const { psnr } of attacked.filter(isBroken)) expect(psnr, reported).toBeLessThan(41);
      });
    });
  },
);

describe.runIf(canDrawClips)('a clip as clear as one that was read', () => {
  it('names nobody by the variants exchanged, nor under the keys of another creator', () => {
    const [{ right }] = reads as [{ right: number[] }];
    const clip = drawClipOf(right, 90);
    const judged = (of: Reading, suspect: Person) =>
      judge([of], [suspect], { candidates: 1, earlierTraces: 0 }).outcome;
    expect(judged(clip.reading, clip.leaker)).toBe('traced');
    expect(judged({ ...clip.reading, z: clip.reading.z.map((z) => -z) }, clip.leaker)).toBe('inconclusive');
    expect(judged(clip.reading, newPerson(clip.leaker.link.linkId, randomBytes(32)))).toBe('inconclusive');
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
    // Each crowd is one trace in which so many codewords stand to choice.
    expect(wordOf(each * hypotheses * Math.exp(lowest))).toBeUndefined();
  });

  it('would be named by a rule that forgets how many stood to choice and what was tried', () => {
    const [{ right }] = reads as [{ right: number[] }];
    const crowd = crowdOf(100_000);
    const best = scalesOf([drawClipOf(right, 120).reading]).map((scales) => bestInnocent(scales, crowd));
    const lowest = Math.min(...best.flatMap(({ link, whole, grant }) => [link, whole, grant]));
    expect(wordOf(Math.exp(lowest))).toBeDefined();
    expect(wordOf(200_000 * hypotheses * Math.exp(lowest))).toBeUndefined();
  });

  it('would be accused by a reader that looks at the codeword and leaves out what disagrees', () => {
    const [{ right }] = reads as [{ right: number[] }];
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
