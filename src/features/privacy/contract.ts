import * as z from 'zod';
import { boundedText, secretText } from '#kit/bounded-text.ts';
import { signedInPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { deleteWord } from './rules.ts';

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
  credits: z.int(),
  /** Their own plan runs, and is not renewed. */
  hasPlan: z.boolean(),
  currency: z.string(),
});
export type DeletionEffects = z.infer<typeof DeletionEffects>;

export const privacyContract = {
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
