import type { Rung, Size, VideoFiles } from './video.ts';

/** Returns what is compared: files of made variants, two by two, A before B. */
export const filesOf = (rungs: VideoFiles['rungs']): string[] => rungs.flatMap(({ a, b }) => [a.name, b.name]);

/** Where the pictures of a rung go. */
export const differencesOf = ({ track }: Pick<Rung, 'track'>): string => `${track}-differences.raw`;

/**
 * By how much A is lighter than B, around 128, with `filesOf` as inputs and the outputs [d0] [d1]. It is luma as it is coded: beyond black and
 * white, where no screen shows them, variants may still differ.
 */
export function differencesFilter(rungs: readonly Rung[], { width, height }: Size): string {
  const steps = rungs.map((_, n) => {
    const [a, b] = [2 * n, 2 * n + 1];
    const both = `[${a}:v]extractplanes=y[y${a}];[${b}:v]extractplanes=y[y${b}];[y${a}][y${b}]blend=all_mode=grainextract`;
    return `${both},scale=${width}:${height}:flags=area:in_range=pc:out_range=pc,format=gray[d${n}]`;
  });
  return steps.join(';');
}

/** Returns how long that may take: a key frame is decoded in some milliseconds. */
export const differencesSeconds = (rungs: VideoFiles['rungs']): number =>
  rungs.reduce((sum, { a }) => sum + a.segments.length, 0);
