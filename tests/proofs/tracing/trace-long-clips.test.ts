import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { segmentCodeword } from '#features/media/formats/codeword.ts';
import { weighSuspects } from '#features/tracing/verdict/judge.ts';
import { canDrawClips, warnNoClips } from '#tests/support/media/clips.ts';
import { recode } from '#tests/support/tracing/leaked-clips.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import { newPerson, seedsOf } from './suspects.ts';
import { drawCrowd, wordsAmong } from './trace-crowd.ts';
import { openTracedVideo, type TracedVideo } from './traced-video.ts';
import { issued, isTraced, rightOf, tableText } from './video-clips.ts';
import { findVideos, type VideoSource } from './video-material.ts';

guards('src/features/tracing/**', 'src/features/media/**');

/**
 * `trace-video` puts clips together out of seconds that were read once. Here each clip is one: cut out of a video of minutes, coded
 * again, found in it and read by itself. `npm run prove -- trace-long-clips` takes clips of 15 s up to three minutes, `--full` of five.
 */
if (!canDrawClips) warnNoClips();
vi.setConfig({ testTimeout: countOf(600_000, 7_200_000), hookTimeout: countOf(600_000, 7_200_000) });
const seconds = countOf(10, 180, 300);
const params = isFull ? { seconds, width: 1280, height: 720 } : { seconds, width: 512, height: 288 };
const lengths = isFull ? [15, 30, 45, 60, 90, 180, 300].filter((length) => length <= seconds) : [6, 10];
const coded = (height: number, crf: number) => ['-vf', `scale=-2:${height}`, '-c:v', 'libx264', '-crf', String(crf)];
/** From which length on a clip must name its link, of whatever video; what phones play is the rung of 480. */
const leaks = isFull
  ? [
      { name: '480p crf 30', track: 'v720' as const, coding: coded(480, 30), leastNaming: 45 },
      { name: 'the rung of phones, 360p crf 34', track: 'v480' as const, coding: coded(360, 34), leastNaming: 90 },
    ]
  : [{ name: '360p crf 28', track: 'v720' as const, coding: coded(360, 28), leastNaming: 90 }];

describe.runIf(canDrawClips)('a clip that was cut out of a video of minutes', () => {
  const leaker = newPerson();
  const crowd = drawCrowd(issued / 2, issued / 2);
  const rows: string[][] = [];
  let video: TracedVideo;
  let bits: Uint8Array;
  beforeAll(async () => {
    // The last one is the nearest to what cameras make.
    const source = (await findVideos(params)).at(-1) as VideoSource;
    video = await openTracedVideo(await source.make());
    bits = segmentCodeword(seedsOf(leaker), video.candidate.mediaId, 'v720', video.seconds);
    if (isFull) process.stdout.write(`a video of ${video.seconds} s: ${source.name}\n`);
  });
  afterAll(async () => {
    await video?.close();
    if (!isFull || rows.length === 0) return;
    const head = ['clip', 'seconds read', 'wrong', 'log10 p, link', 'log10 p, viewer', 'link', 'viewer'];
    process.stdout.write(`\n${tableText([head, head.map(() => '---'), ...rows])}\n\n`);
    printProof('trace-long-clips', rows.length, { videoSeconds: video.seconds, codewords: issued });
  });

  const clips = leaks.flatMap((leak) => lengths.map((length) => [length, leak.name, leak] as const));
  it.each(clips)('of %i s, %s, is read where it lies, and names nobody else', async (length, name, leak) => {
    const watched = await video.mixture(bits, leak.track);
    // Off the beginnings of seconds, as people cut.
    const from = Math.max(0, Math.floor((video.seconds - length) / 3) + (length < video.seconds ? 0.4 : 0));
    const reading = await video.read(
      await recode(watched, leak.coding, 'mp4', ['-ss', String(from), '-t', String(length)]),
    );
    if (reading === undefined) throw new Error('the video was not found');
    const read = [...reading.visible.keys()].filter((n) => (reading.visible[n] ?? 0) > 0);
    const right = rightOf(reading, bits);
    const wrong = right.filter((z) => z <= 0).length;
    const { links, grants } = weighSuspects([reading], [leaker], 0);
    const [link, grant] = [links.get(leaker.link.linkId) ?? 0, grants.get(leaker.grantId) ?? 0];
    const figures = [link, grant].map((ln) => `10^${(ln / Math.LN10).toFixed(1)}`);
    const words = [link, grant].map((ln) => (isTraced(ln) ? 'named' : 'not named'));
    rows.push([`${length} s, ${name}`, String(read.length), String(wrong), ...figures, ...words]);
    if (isFull) process.stdout.write(`${rows.at(-1)?.join(' · ')}\n`);
    expect([(read[0] ?? -1) >= Math.floor(from), (read.at(-1) ?? 0) <= Math.ceil(from + length)]).toEqual([true, true]);
    expect(right.length).toBeGreaterThanOrEqual(0.85 * (length - 1));
    expect(wrong / right.length).toBeLessThanOrEqual(0.25);
    expect(wordsAmong([reading], crowd)).toEqual([]);
    if (length >= leak.leastNaming) expect(isTraced(link)).toBe(true);
  });
});
