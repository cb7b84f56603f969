import * as z from 'zod';
import { proseText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { adminPromise } from '#wire/promise.ts';
import { VideoLeases, WantedSegments } from '../media/contract.ts';
import { reportNumber } from './desk-contract.ts';

/** What an administrator looks at: what a report is about, or what was sold by an order. */
export const GlassSubject = z.union([z.object({ report: reportNumber }), z.object({ orderId: Uuid })]);
export type GlassSubject = z.infer<typeof GlassSubject>;

/** A photo or video behind the glass. */
export const GlassItem = z.object({
  mediaId: Uuid,
  kind: z.enum(['photo', 'video']),
  width: z.int(),
  height: z.int(),
  /** base64 */
  thumbhash: z.string(),
  durationMs: z.int().nullable(),
});
export type GlassItem = z.infer<typeof GlassItem>;

/** A look that is going on. */
export const OpenGlass = z.object({
  id: Uuid,
  endsAt: z.date(),
  /** What is drawn over everything: who looks. */
  mark: z.string(),
  items: z.array(GlassItem),
  /** There are more than are listed. */
  isCut: z.boolean(),
});
export type OpenGlass = z.infer<typeof OpenGlass>;

/** A look of anybody's, as it is written down. */
export const PastLook = z.object({
  id: Uuid,
  adminId: z.string().nullable(),
  adminName: z.string(),
  reason: z.string(),
  isTold: z.boolean(),
  openedAt: z.date(),
  /** When it ended or ends. */
  endsAt: z.date(),
});
export type PastLook = z.infer<typeof PastLook>;

const tags = ['admin'];
const AboutGlass = z.object({ glassId: Uuid });

/** Looks of administrators at private media: for a reason, for half an hour, marked with their name and told to the creator. */
export const adminGlassContract = {
  /** Shows one's own look at this that is going on, and who has looked before. */
  about: adminPromise('moderation')
    .route({ method: 'POST', path: '/admin/glass/about', tags })
    .input(z.object({ about: GlassSubject }))
    .output(z.object({ open: OpenGlass.nullable(), looks: z.array(PastLook) })),
  /** Begins a look; asked again while one goes on, it is the same. Its creator is told. */
  open: adminPromise('moderation')
    .route({ method: 'POST', path: '/admin/glass', tags })
    .input(
      z.object({
        about: GlassSubject,
        reason: proseText(500, 'Use at most 500 characters').min(1, 'Say why: the creator reads it'),
        /** The law that forbids telling the creator; only an owner can say so. */
        untoldBecause: proseText(500, 'Use at most 500 characters').min(1, 'Name the law').nullable(),
      }),
    )
    .output(OpenGlass),
  close: adminPromise('moderation')
    .route({ method: 'POST', path: '/admin/glass/{glassId}/close', tags })
    .input(AboutGlass)
    .output(z.object({})),
  /** Keys of some seconds of a video behind the glass. */
  videoKeys: adminPromise('moderation')
    .route({ method: 'POST', path: '/admin/glass/{glassId}/media/{mediaId}/video-keys', tags })
    .input(AboutGlass.extend({ mediaId: Uuid, tracks: WantedSegments }))
    .output(VideoLeases),
};
