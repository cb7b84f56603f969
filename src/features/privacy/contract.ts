import * as z from 'zod';
import { boundedText, secretText } from '#kit/bounded-text.ts';
import { signedInPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { myDataContract } from './my-data-contract.ts';
import { deleteWord, exportStates } from './rules.ts';

const tags = ['account'];
const Nothing = z.object({});

/** What comes of deleting an account now, in numbers. */
export const DeletionEffects = z.object({
  /** When it is erased, were it deleted now. */
  eraseAt: z.date(),
  links: z.int(),
  albums: z.int(),
  media: z.int(),
  mediaBytes: z.int(),
  /** Whoever paid lately, or has never opened what they paid for, and what goes back to them. */
  buyers: z.int(),
  refundCents: z.int(),
  fans: z.int(),
  /** Custom work that is not finished. */
  requests: z.int(),
  /** All of their part that was not paid out yet; below zero what they owe. */
  balanceCents: z.int(),
  /** It can be paid out: their payout account is complete. */
  canBePaid: z.boolean(),
  /** What they are owed as a partner and was not paid out yet. */
  partnerCents: z.int(),
  credits: z.int(),
  /** Their own plan runs, and is not renewed. */
  hasPlan: z.boolean(),
  currency: z.string(),
});
export type DeletionEffects = z.infer<typeof DeletionEffects>;

/** How far the newest export is, and what the next one would hold. */
export const OwnExport = z.object({
  newest: z
    .object({
      state: z.enum(exportStates),
      hasOriginals: z.boolean(),
      requestedAt: z.date(),
      /** Of originals: how far it is while it is built. */
      doneBytes: z.int(),
      totalBytes: z.int(),
      /** Of the zip, once there is one. */
      sizeBytes: z.int().nullable(),
      expiresAt: z.date().nullable(),
      failure: z.enum(['no_room', 'broken']).nullable(),
      /** Where this session may download it; null until it has entered the password. */
      path: z.string().nullable(),
    })
    .nullable(),
  originals: z.object({ count: z.int(), bytes: z.int() }),
  /** When the next one may be asked for; null for now. */
  nextAt: z.date().nullable(),
});
export type OwnExport = z.infer<typeof OwnExport>;

export const privacyContract = {
  ...myDataContract,
  showExport: signedInPromise('none')
    .route({ method: 'GET', path: '/account/data/export', tags })
    .input(Nothing.optional())
    .output(OwnExport),
  /** Asks for an export, which an email tells of when it is ready; one in 24 hours. */
  requestExport: signedInPromise('none')
    .errors(refusing('CONFLICT'))
    .route({ method: 'POST', path: '/account/data/export', tags })
    .input(z.object({ hasOriginals: z.boolean() }))
    .output(Nothing),
  /** Opens the download of the newest export for this session. */
  openExport: signedInPromise('none')
    .errors(refusing('CODE_REQUIRED'))
    .route({ method: 'POST', path: '/account/data/export/open', tags })
    .input(z.object({ password: secretText(1000).min(1, 'Enter your password') }))
    .output(z.object({ path: z.string() })),
  showDeletion: signedInPromise('none')
    .route({ method: 'GET', path: '/account/data/deletion', tags })
    .input(Nothing.optional())
    .output(DeletionEffects),
  /** Ends every session and link at once; until the day that is answered, signing in keeps the account. */
  deleteAccount: signedInPromise('none')
    .errors(refusing('CODE_REQUIRED', 'CONFLICT'))
    .route({ method: 'POST', path: '/account/data/delete', tags })
    .input(
      z.object({
        password: secretText(1000).min(1, 'Enter your password'),
        confirmation: boundedText(20, `Type ${deleteWord}`).refine(
          (typed) => typed.trim() === deleteWord,
          `Type ${deleteWord}, in capital letters`,
        ),
      }),
    )
    .output(z.object({ eraseAt: z.date() })),
};
