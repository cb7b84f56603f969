import * as z from 'zod';
import { maxTiles } from '#features/media/formats/grid.ts';
import type { PictureTrack } from '#features/media/formats/keys.ts';
import type { PhotoLimits } from '#features/media/formats/photo-shapes.ts';

/** What a trace child is asked; its input is the leak with packs behind it. */
export interface TraceJob {
  /** What the leak looks like · which of these items are in it at all · where this one item is, and what its tiles say. */
  kind: 'fingerprint' | 'match' | 'read';
  limits: PhotoLimits;
  leakBytes: number;
  packs: PackPart[];
}

/** One pack behind the leak. */
export interface PackPart {
  track: PictureTrack;
  sizeBytes: number;
  /** Base64; the child decrypts, so that the server never holds pixels. */
  mediaKey: string;
}

/** Long side of the form in which a browser may show the leak. */
export const previewSide = 1024;

const share = z.number().min(0).max(1);
const place = z.number().min(-1000).max(1000);
const words = z.string().max(500);

const numbers = z.object({
  z: z.array(z.number().min(-1e6).max(1e6)).max(maxTiles),
  visible: z.array(share).max(maxTiles),
});
/** What was read of one rendition, in the order of its tiles. */
export type ReadNumbers = z.infer<typeof numbers>;

/** What a trace child answers. It decoded a stranger's bytes, so every field is checked before anybody believes it. */
export const traceAnswerShape = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('refused'), code: z.enum(['UNSUPPORTED', 'CORRUPT', 'TOO_BIG']), words }),
  z.object({
    outcome: z.literal('fingerprint'),
    mime: z.string().regex(/^image\/[a-z]{3,5}$/),
    width: z.int().min(1).max(65_535),
    height: z.int().min(1).max(65_535),
    blockhash: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  z.object({ outcome: z.literal('matched'), inliers: z.array(z.int().min(0).max(10_000)).max(64) }),
  z.object({ outcome: z.literal('not there') }),
  z.object({
    outcome: z.literal('read'),
    inliers: z.int().min(0).max(10_000),
    isMirrored: z.boolean(),
    corners: z.array(z.tuple([place, place])).length(4),
    readings: z.array(numbers).max(2),
  }),
]);
export type TraceAnswer = z.infer<typeof traceAnswerShape>;
