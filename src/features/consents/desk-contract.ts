import * as z from 'zod';
import { proseText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { adminPromise } from '#wire/promise.ts';

const tags = ['admin'];
export const longestVerdict = 1000;

/** An album that a withdrawn consent has locked, and whose creator says that the pictures are gone. */
export const LockedAlbum = z.object({
  /** Of the consent that was withdrawn. */
  personId: Uuid,
  albumId: Uuid,
  creatorId: Uuid,
  creatorEmail: z.string(),
  withdrawnAt: z.date(),
  /** Since when it waits to be looked at. */
  picturesGoneAt: z.date(),
  items: z.int(),
  /** What was taken out since the withdrawal, as far as that is still known. */
  left: z.int(),
});
export type LockedAlbum = z.infer<typeof LockedAlbum>;

/** Albums that were locked by a withdrawal, and what moderators decide about them. */
export const adminConsentsContract = {
  waiting: adminPromise('moderation')
    .route({ method: 'GET', path: '/admin/consents', tags })
    .input(z.object({}).optional())
    .output(z.object({ albums: z.array(LockedAlbum) })),
  /** Opens the album again, or keeps it locked and asks its creator once more; either way they are mailed the reason. */
  decide: adminPromise('moderation')
    .route({ method: 'POST', path: '/admin/consents/decide', tags })
    .input(
      z.object({
        personId: Uuid,
        isOpen: z.boolean(),
        reason: proseText(longestVerdict, `Use at most ${longestVerdict} characters`).min(
          1,
          'Say why: it is sent to the creator',
        ),
      }),
    )
    /** Whether others see the album now: not while somebody else has withdrawn or not agreed, or nobody has said who is shown. */
    .output(z.object({ isOpen: z.boolean() })),
};
