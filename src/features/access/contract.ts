import * as z from 'zod';

/** Why a link does not open, or what it asks for first. */
export const Reason = z.enum([
  'NOT_FOUND',
  'TAKEN_DOWN',
  'REVOKED',
  'VIEWER_BLOCKED',
  'ON_HOLD',
  'PAYMENT_RETURNED',
  'CREATOR_PAUSED',
  'ALBUM_UNAVAILABLE',
  'NOT_YET',
  'EXPIRED',
  'GEO_BLOCKED',
  'NEED_PHONE',
  'NEED_COOKIE',
  'NEED_AGE',
  'NEED_PASSWORD',
  'NEED_EMAIL',
  'EMAIL_NOT_ALLOWED',
  'NEED_AGREEMENT',
  'NEED_APPROVAL',
  'APPROVAL_PENDING',
  'APPROVAL_DENIED',
  'NEED_OFFER',
  'VISITS_USED',
  'VIEWERS_FULL',
  'NEED_BROWSER',
  'TIME_USED',
  'TIMED_OUT',
  'CONCURRENT',
]);
export type Reason = z.infer<typeof Reason>;

/** The creator as they show themselves above the first gate and the gallery. */
export interface Host {
  name: string;
  welcomeText: string;
  /** Their picture, WebP as a data: address: it travels in the answer, so that no address tells who there is. Left out without one. */
  avatar?: string;
}
