import * as z from 'zod';

/** A size in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** How the clip's frames lie on the video's: row by row, from video pixels to clip pixels (mirrored first, where they are). */
export interface Lie {
  homography: number[];
  isMirrored: boolean;
}

/**
 * What a clip child is asked. Its input is frames in grey, as a walled decoder made them: it decodes nothing itself.
 * `find`: the clip's small frames, then each video's small key frames. `lay`: pairs of a video frame, as A and B, and the clip
 * frame that shows it. `read`: for each second and frame A, B, and the clip frames that may show it. `draw`: one such pair in
 * colour, for people. `sheet`: some of the clip's frames in colour, to be laid side by side.
 */
export type ClipJob =
  | { kind: 'find'; clipFrames: number; clipAspect: number; videos: { keyFrames: number; aspect: number }[] }
  | { kind: 'lay'; video: Size; clip: Size; pairs: number }
  | { kind: 'draw'; video: Size; clip: Size }
  | { kind: 'sheet'; clip: Size; stills: number }
  | { kind: 'read'; video: Size; clip: Size; lie: Lie; seconds: number; frames: number; choices: number };

/** Longest side of the pictures in which people see what was found. */
export const pictureSide = 1024;
/** A clip of ten minutes shows no more, and a little for its clock. */
export const mostSeconds = 620;

const far = z.number().min(-1e9).max(1e9);
const share = z.number().min(0).max(1);

/** What it answers; it looked at a stranger's pictures, so every field is checked before anybody believes it. */
export const clipAnswerShape = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('found'),
    /** One for each video, in their order. */
    videos: z
      .array(
        z.object({
          likeness: share,
          seconds: z
            .array(z.object({ second: z.int().min(0).max(1e5), at: z.int().min(-1e5).max(1e5) }))
            .max(mostSeconds),
        }),
      )
      .max(64),
  }),
  z.object({
    outcome: z.literal('laid'),
    inliers: z.int().min(0).max(10_000),
    /** Which pair it was seen in best. */
    pair: z.int().min(0).max(64),
    isMirrored: z.boolean(),
    homography: z.array(far).length(9),
    corners: z.array(z.tuple([z.number().min(-1000).max(1000), z.number().min(-1000).max(1000)])).length(4),
  }),
  z.object({ outcome: z.literal('not there') }),
  z.object({ outcome: z.literal('drawn') }),
  z.object({
    outcome: z.literal('read'),
    seconds: z.array(z.object({ z: z.number().min(-1e6).max(1e6), visible: share })).max(mostSeconds),
  }),
]);
export type ClipAnswer = z.infer<typeof clipAnswerShape>;
