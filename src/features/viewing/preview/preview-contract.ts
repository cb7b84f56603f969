import * as z from 'zod';
import { boundedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { creatorPromise } from '#wire/promise.ts';
import { Opened, Refusal } from '../contract.ts';

/** Screens that a viewer may be shown before, instead of and after the gallery. */
export const PreviewId = z.enum([
  'NEED_COOKIE',
  'NEED_AGE',
  'NEED_PASSWORD',
  'PASSWORD_WRONG',
  'PASSWORD_LOCKED',
  'NEED_EMAIL',
  'NEED_EMAIL_CODE',
  'EMAIL_NOT_ALLOWED',
  'NEED_AGREEMENT',
  'NEED_APPROVAL',
  'APPROVAL_PENDING',
  'APPROVAL_DENIED',
  'NEED_OFFER',
  'OFFER_ASKED',
  'PAYMENT_WAITING',
  'OPEN',
  'CONCURRENT',
  'NEED_BROWSER',
  'NOT_YET',
  'GEO_BLOCKED',
  'NEED_PHONE',
  'VIEWERS_FULL',
  'FULL_FOR_STRANGER',
  'VISITS_USED',
  'TIMED_OUT',
  'TIME_USED',
  'EXPIRED',
  'EXPIRED_FOR_STRANGER',
  'REVOKED',
  'REVOKED_FOR_STRANGER',
  'ON_HOLD',
  'PAYMENT_RETURNED',
  'CREATOR_PAUSED',
  'ALBUM_UNAVAILABLE',
  'TAKEN_DOWN',
  'VIEWER_BLOCKED',
  'NOT_FOUND',
  'CODE_WRONG',
]);
export type PreviewId = z.infer<typeof PreviewId>;

/** What a viewer says or does on a screen, by the word in which it leaves their browser; `pays` is a tap on a price. */
export const PreviewStep = z.enum([
  'isAdult',
  'password',
  'email',
  'emailCode',
  'agreed',
  'accessRequest',
  'withdrawsRequest',
  'takeOver',
  'resumeCode',
  'pays',
]);
export type PreviewStep = z.infer<typeof PreviewStep>;

export const PreviewState = z.object({
  id: PreviewId,
  label: z.string(),
  group: z.enum(['way', 'shut', 'over', 'trouble']),
  /** What the door shows, in its own words; the gallery has none. */
  refusal: Refusal.optional(),
  /** Where each step leads in a preview. */
  next: z.partialRecord(PreviewStep, PreviewId),
});
export type PreviewState = z.infer<typeof PreviewState>;

/** Everything that a viewer of a link or an album may be shown. */
export const ViewerPreview = z.object({
  /** Of the link. */
  slug: z.string().optional(),
  /** What somebody new would meet just now. */
  now: PreviewId,
  /** What the tap on Open leads to in a preview. */
  first: PreviewId,
  /** In the order in which they are listed. */
  states: z.array(PreviewState),
  opened: Opened,
});
export type ViewerPreview = z.infer<typeof ViewerPreview>;

/** Previews read: they count nothing and write nothing. */
export const previewsContract = {
  /** What a viewer of one's own link is shown, by its rules. */
  ofLink: creatorPromise('link')
    .route({ method: 'GET', path: '/links/{linkId}/preview', tags: ['viewing'] })
    .input(z.object({ linkId: Uuid, timeZone: boundedText(60).optional() }))
    .output(ViewerPreview),
  /** What a viewer of a new link to one's own album is shown. */
  ofAlbum: creatorPromise('album')
    .route({ method: 'GET', path: '/albums/{albumId}/preview', tags: ['viewing'] })
    .input(z.object({ albumId: Uuid, timeZone: boundedText(60).optional() }))
    .output(ViewerPreview),
};
