import * as z from 'zod';
import { maxTiles } from '../formats/grid.ts';
import type { PictureTrack } from '../formats/keys.ts';
import {
  type PhotoLimits,
  type PhotoTrack,
  photoFailures,
  photoLimitNames,
  photoTracks,
} from '../formats/photo-shapes.ts';

/** What a photo child is asked. */
export type PhotoJob = {
  /** Base64; the child encrypts what it made before anybody else sees it. */
  mediaKey: string;
  limits: PhotoLimits;
  renditions: readonly Rendition[];
};

/** A pack that a picture becomes, and how long its longer side is, but for panoramas: see `longSideFor`. */
export type Rendition = { track: PictureTrack; sidePx: number };

const base64 = (mostBytes: number) => z.base64().max(Math.ceil(mostBytes / 3) * 4);
const blockhash = z.string().regex(/^[0-9a-f]{64}$/);

/** What a photo child answers. It decoded a stranger's bytes, so every field is checked before anybody believes it. */
export const photoAnswerShape = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('refused'),
    code: z.enum(photoFailures),
    limit: z.enum(photoLimitNames).optional(),
    words: z.string().max(500),
  }),
  z.object({
    outcome: z.literal('made'),
    mime: z.string().regex(/^image\/[a-z]{3,5}$/),
    width: z.int().min(1).max(65_535),
    height: z.int().min(1).max(65_535),
    teaser: base64(1024),
    thumbhash: base64(32),
    blockhash,
    mirroredBlockhash: blockhash,
    removed: z.array(z.enum(['location', 'device', 'time', 'thumbnail', 'video', 'text'])),
    markedTiles: z.int().min(0).max(maxTiles),
    laps: z.record(z.string(), z.number()),
  }),
]);
export type PhotoAnswer = z.infer<typeof photoAnswerShape>;

const sides: Record<PhotoTrack, number> = { p2048: 2048, thumb512: 512 };

/** What a photo is made into. */
export const photoRenditions: readonly Rendition[] = photoTracks.map((track) => ({ track, sidePx: sides[track] }));
