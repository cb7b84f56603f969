import { packedFairBits } from '#features/media/formats/codeword.ts';
import type { VideoRung } from '#features/tracing/clips/video-candidates.ts';
import type { Reading } from '#features/tracing/findings.ts';
import type { Person } from './suspects.ts';
import { crowdWith, drawCrowd, wordsAmong } from './trace-crowd.ts';
import type { TracedVideo } from './traced-video.ts';
import { attackVideo, type Guess } from './video-attacks.ts';
import { drawClipOf, issued, rightOf } from './video-clips.ts';

/** A clip out of which the guessed mark was taken, and what it says of its leaker. */
export interface AttackedClip {
  guess: Guess;
  /** How often the guess was taken out. */
  gain: number;
  psnr: number;
  isFound: boolean;
  /** Of the seconds that were read those read wrong; all, where the video was not found. */
  shareWrong: number;
  /** One, or none where the video was not found. */
  readings: Reading[];
  leaker: Person;
}

/** A clip of which nothing was broken names its link by a wide margin when it is as long as this. */
const attackedSeconds = 60;

/**
 * Returns what a clip says of its leaker. One that is too short to name anybody is made longer out of its own seconds, which know nothing
 * of each other: what was read of them, drawn again for a new leaker.
 */
function evidenceOf(reading: Reading, bits: Uint8Array, leaker: Person): Pick<AttackedClip, 'readings' | 'leaker'> {
  if (bits.length >= attackedSeconds) return { readings: [reading], leaker };
  const drawn = drawClipOf(rightOf(reading, bits), attackedSeconds);
  return { readings: [drawn.reading], leaker: drawn.leaker };
}

/** Attacks one copy, whose codeword these bits are, and reads what is left. */
export async function attackClip(
  { candidate, read }: TracedVideo,
  copy: Buffer,
  { bits, leaker }: { bits: Uint8Array; leaker: Person },
  { guess, gain }: Pick<AttackedClip, 'guess' | 'gain'>,
): Promise<AttackedClip> {
  const { clip, psnr } = await attackVideo(copy, candidate.rungs[0] as VideoRung, guess, gain);
  const reading = await read(clip);
  if (reading === undefined) return { guess, gain, psnr, isFound: false, shareWrong: 1, readings: [], leaker };
  const right = rightOf(reading, bits);
  const shareWrong = right.filter((z) => z <= 0).length / right.length;
  return { guess, gain, psnr, isFound: true, shareWrong, ...evidenceOf(reading, bits, leaker) };
}

const crowd = drawCrowd(issued / 2, issued / 2);

/** What ten thousand innocents are called; empty where none of them is named. */
export const wordsOfInnocents = ({ readings }: AttackedClip) => wordsAmong(readings, crowd);

/** The same, where one of them has the leaker's own codewords, or the other variant of every second. */
export function wordsOfCrowdWith(who: 'the leaker' | 'the opposite', { readings, leaker }: AttackedClip) {
  return readings.flatMap((reading) => {
    const { mediaId, track, z } = reading;
    const codewordOf = (seed: Person['grantSeed']) => {
      const packed = packedFairBits(seed, mediaId, track, z.length);
      return who === 'the opposite' ? packed.map((byte) => byte ^ 255) : packed;
    };
    const [link, grant] = [codewordOf(leaker.link.linkSeed), codewordOf(leaker.grantSeed)];
    return wordsAmong([reading], crowdWith(crowd, link, grant));
  });
}

const surest = (words: readonly string[]): string => (words.includes('traced') ? 'traced' : (words[0] ?? 'not named'));

export const attackHead: string[][] = [
  ['video', 'guess', 'taken out', 'PSNR', 'read wrong', 'an innocent', 'its link', 'whoever had the opposite'],
  Array(8).fill('---'),
];

/** One attack as people read it. */
export function attackRow(video: string, clip: AttackedClip): string[] {
  const broken = clip.isFound ? `${Math.round(100 * clip.shareWrong)} %` : 'not found';
  const words = [wordsOfInnocents(clip), wordsOfCrowdWith('the leaker', clip), wordsOfCrowdWith('the opposite', clip)];
  return [video, clip.guess, `${clip.gain} times`, `${clip.psnr.toFixed(1)} dB`, broken, ...words.map(surest)];
}
